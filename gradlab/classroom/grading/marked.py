"""What was found of one submission: data that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from gradlab.classroom.grading.submissions import Submission

GRADED, UNREADABLE, MACHINE = "graded", "unreadable", "machine"
"""A status. Only what is graded has points; the other two are the instructor's to decide."""


@dataclass(frozen=True)
class Mark:
    """What one function has earned.

    Attributes:
      name: of the function.
      of: the points of a right one.
      points: None where it could not be graded.
      finding: a short name for what was found.
      message: the same for the student.
      credit: the part of the points, from 0 to 1.
    """

    name: str
    of: float
    points: float | None
    finding: str
    message: str
    credit: float


@dataclass(frozen=True)
class Marked:
    """What was found of one submission.

    Attributes:
      student: who.
      assignment: which.
      file: where it lies, below the folder of all submissions.
      status: ``GRADED``, ``UNREADABLE`` or ``MACHINE``.
      reason: of one that is not graded, for the instructor.
      marks: one for each function, of one that is graded.
      prediction: as it was made, or "".
      written: each question's answer, or "".
      notes: what the instructor may want to look at.
      errors: what cells raised, by their number among the cells of code, from 1.
      prints: ``likeness.fingerprints``.
      back: the entry in an archive of feedback, where the platform wants its own.
      platform: whose it is in the platform's words: ``"canvas:12345"``, ``"moodle:678"`` or "".
      seconds: that it ran.
    """

    student: str
    assignment: str
    file: str
    status: str
    reason: str = ""
    marks: tuple[Mark, ...] = ()
    prediction: str = ""
    written: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    errors: Mapping[int, str] = field(default_factory=dict)
    prints: Mapping[str, str] = field(default_factory=dict)
    back: str = ""
    platform: str = ""
    seconds: float = 0.0

    @property
    def points(self) -> float | None:
        """Of all functions, or None where it is not graded."""
        found = [one.points for one in self.marks]
        if self.status != GRADED or None in found:
            return None
        return round(sum(one or 0.0 for one in found), 2)

    def as_json(self) -> dict[str, Any]:
        """Returns what JSON can hold, and ``from_json`` reads."""
        return asdict(self)

    @staticmethod
    def from_json(given: Mapping[str, Any]) -> Marked:
        """The inverse of ``as_json``, also after JSON has made texts of the errors' numbers."""
        return Marked(
            **{
                **given,
                "marks": tuple(Mark(**one) for one in given["marks"]),
                "notes": tuple(given["notes"]),
                "errors": {int(number): text for number, text in given["errors"].items()},
            }
        )


def ungraded(submission: Submission, status: str, reason: str) -> Marked:
    """A submission without points, and why. What is noted of its file is not in it."""
    return Marked(
        submission.student,
        submission.assignment,
        submission.file,
        status,
        reason,
    )
