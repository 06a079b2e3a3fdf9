"""The findings of a check, and the exercise that makes them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sccbook.checking.plain_data import cut
from sccbook.checking.probes import Observations, observe

LONGEST = 1000
"""Characters of a message. What an answer returned may be shown in it, and is of any length."""


@dataclass(frozen=True)
class Finding:
    """One outcome of a check: its short name, and the message for the reader, cut to a limit.

    ``in_part``: it is one mistake among others, and leaves no part of the points.
    """

    name: str
    message: str
    passed: bool = False
    in_part: bool = False

    def __post_init__(self) -> None:
        said = re.sub(r"(?<=[.?!] )for ", "For ", self.message)  # a run may begin a sentence
        object.__setattr__(self, "message", cut(said, LONGEST))


class Mistake(Exception):
    """Ends an examination: ``finding`` says what is wrong with the answer."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(name, message)


@dataclass(frozen=True, eq=False)
class Case:
    """One run of the answer. Compared by identity.

    Attributes:
      arguments: what the probe is called with, after the answer: plain data.
      words: the run for the reader: ``"for g = [3, 4] and max_norm = 1"``.
      tiny: whether its numbers are so small that an epsilon shows. Where other cases are wrong, too, it
        doesn't count for a misconception, which may have an epsilon or none.
    """

    arguments: tuple[Any, ...]
    words: str
    tiny: bool = False


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise: how an answer is run, and how it is judged.

    Attributes:
      name: of the exercise, and of the function that an assignment asks for.
      probe: a name in ``sccbook.checking.probes.PROBES``.
      cases: the runs to make, the plainest first.
      judge: from what was seen, in the order of the cases, to the finding. It never has the
        answer itself.
      partial: the part of the points that some findings leave, above 0 and below 1; a finding
        that is not here leaves none.
    """

    name: str
    probe: str
    cases: Sequence[Case]
    judge: Callable[[Observations], Finding]
    partial: Mapping[str, float] = field(default_factory=dict)

    def examine(self, answer: Any) -> Finding:
        """Run an answer, here and now, and judge it."""
        return self.judge(observe(self.probe, answer, [case.arguments for case in self.cases]))

    def credit(self, finding: Finding) -> float:
        """Return the fraction of the points that a finding earns."""
        if finding.passed or finding.in_part:
            return float(finding.passed)
        return self.partial.get(finding.name, 0.0)
