"""What a check can find."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gradlab.exercises.checking.probes import Answered


LONGEST = 1000
"""Characters of a message. What an answer returned may be shown in it, and is of any length."""


@dataclass(frozen=True)
class Finding:
    """One outcome of a check: its short name, and the message for the reader, which is cut."""

    name: str
    message: str
    passed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", cut(self.message, LONGEST))


class Mistake(Exception):
    """Ends an examination: ``finding`` says what is wrong with the answer."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(name, message)


@dataclass(frozen=True, eq=False)
class Case:
    """One run of the answer. Equal to itself alone.

    Attributes:
      arguments: what the probe is called with, after the answer: plain data.
      words: what the run is, for the reader: ``"for g = [3, 4] and max_norm = 1"``.
    """

    arguments: tuple[Any, ...]
    words: str


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise: how an answer is run, and how what is seen of it is judged.

    Attributes:
      name: of the exercise, and of the function that an assignment asks for.
      probe: a name in ``gradlab.exercises.checking.probes.PROBES``.
      cases: the runs to make, the plainest first.
      judge: from what was seen, in the order of the cases, to the finding. It never has the
        answer itself.
      partial: the part of the points that some findings leave, above 0 and below 1; a finding
        that is not here leaves none.
    """

    name: str
    probe: str
    cases: Sequence[Case]
    judge: Callable[[Answered], Finding]
    partial: Mapping[str, float] = field(default_factory=dict)

    def examine(self, answer: Any) -> Finding:
        """Runs an answer, here and now, and judges it."""
        from gradlab.exercises.checking.probes import observe

        return self.judge(observe(self.probe, answer, [case.arguments for case in self.cases]))

    def credit(self, finding: Finding) -> float:
        """The part of the points that an answer has earned, from 0 to 1."""
        return 1.0 if finding.passed else self.partial.get(finding.name, 0.0)


def cut(text: str, longest: int) -> str:
    """Returns a text, or its beginning and three dots."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def describe_error(error: BaseException) -> str:
    """Returns an error's type and first line, without what changes from run to run."""
    lines = str(error).strip().splitlines()
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", lines[0]) if lines else ""
    text = re.sub(r"\S*<locals>\.", "", text)
    text = cut(text, 120)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def require_callable(answered: Answered) -> None:
    """Raises a ``Mistake`` if the answer was no function."""
    if answered.kind is not None:
        raise Mistake(
            "not_callable",
            "the answer should be the function itself, written without calling it, but "
            f"it is of type {answered.kind}.",
        )


def require_a_number(returned: Any, words: str, what: str) -> None:
    """Raises a ``Mistake`` unless an answer returned one number.

    Args:
      returned: what it returned.
      words: on which run, such as ``"for K = 3"``.
      what: the number that it should return, such as ``"the sum of the losses"``.
    """
    if returned is None:
        raise Mistake("returns_none", f"{words} it returned None. Is a return missing?")
    if isinstance(returned, tuple | list | dict) or np.shape(returned) != ():
        kind = f"a {type(returned).__name__}"
        if hasattr(returned, "shape"):
            kind = f"an array of shape {tuple(returned.shape)}"
        raise Mistake(
            "returns_other", f"{words} it returned {kind}. It should return one number, {what}."
        )
