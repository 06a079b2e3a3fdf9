"""``check``: one answer to one exercise, and what it shows."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from gradlab.classroom.exercises import EXERCISES


@dataclass(frozen=True, repr=False)
class Result:
    """What a check found. True where the answer is right.

    Attributes:
      exercise: the exercise's name.
      passed: whether the answer is right.
      finding: a short name for what was found, such as ``"value_scaled"``.
      message: the same for the reader, in one or two sentences.
    """

    exercise: str
    passed: bool
    finding: str
    message: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return textwrap.fill(f"{'Passed' if self.passed else 'Not yet'}: {self.message}", 78)


def check(name: str, answer: Any) -> Result:
    """Runs an answer and says whether it is right or, if not, what it mistakes.

    The answer is judged by what it does, never by how it is written, and the message
    names the mistake and not the solution. The same answer always gets the same text.

    Args:
      name: the exercise, as its chapter calls it.
      answer: what the exercise asks for; most ask for a function.

    Raises:
      ValueError: if there is no exercise of that name.
    """
    if name not in EXERCISES:
        known = ", ".join(sorted(repr(known) for known in EXERCISES))
        raise ValueError(f"There is no exercise {name!r}. The exercises are: {known}.")
    finding = EXERCISES[name](answer)
    return Result(name, finding.passed, finding.name, finding.message)
