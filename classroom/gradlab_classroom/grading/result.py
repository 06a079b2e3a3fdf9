"""The result of one submission: data that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

from gradlab.exercises.checking.plain_data import clean
from gradlab_classroom.grading.submissions import Submission

GRADED, UNREADABLE, MACHINE = "graded", "unreadable", "machine"
"""A status. Only what is graded has points; the other two are the instructor's to decide."""
ERRORS = 20
"""Cells that failed that are kept."""


@dataclass(frozen=True)
class Mark:
    """The points of one function.

    Attributes:
      name: of the function.
      of: the points of a right one.
      points: None where it could not be graded, and is left open for a person to look at.
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
class Result:
    """The result of one submission.

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
      unrun: what of the notebook was not run, and may be why a function was not found right.
      errors: what cells raised, by their number among the cells of code, from 1: ``few``.
      prints: ``likeness.fingerprints``.
      back: the entry in an archive of feedback, where the platform wants its own.
      platform: whose it is in the platform's words: ``"canvas:12345"``, ``"moodle:678"`` or "".
      seconds: that it ran.
      digest: of the file.
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
    unrun: tuple[str, ...] = ()
    errors: Mapping[int, str] = field(default_factory=dict)
    prints: Mapping[str, str] = field(default_factory=dict)
    back: str = ""
    platform: str = ""
    seconds: float = 0.0
    digest: str = ""

    @property
    def open(self) -> list[Mark]:
        """The functions without points, where the others have theirs."""
        return [mark for mark in self.marks if mark.points is None]

    @property
    def points(self) -> float | None:
        """Of all functions, or None where it is not graded, or one is left open."""
        if self.status != GRADED or self.open:
            return None
        return round(sum(mark.points or 0.0 for mark in self.marks), 2)

    def as_json(self) -> dict[str, Any]:
        """Return what JSON can hold, and ``from_json`` reads."""
        return asdict(self)

    @staticmethod
    def from_json(given: Mapping[str, Any]) -> Result:
        """The inverse of ``as_json``, also after JSON has made texts of the errors' numbers.

        Raises:
          ValueError: if it is something else.
        """
        if not _of_this_form(given):
            raise ValueError("this is not what was found of a submission.")
        return Result(
            **{
                **given,
                "marks": tuple(Mark(**mark) for mark in given["marks"]),
                "notes": tuple(given["notes"]),
                "unrun": tuple(given["unrun"]),
                "errors": {int(number): text for number, text in given["errors"].items()},
            }
        )


def _of_this_form(given: Any) -> bool:
    """Tell whether it is what ``as_json`` returns: all fields, and each of its own kind."""
    if not _has_fields(given, Result("", "", "", "")):
        return False
    texts = [*given["notes"], *given["unrun"], *given["errors"].values()]
    texts += [*given["written"].values(), *given["prints"].values()]
    return all(isinstance(text, str) for text in texts) and all(
        _has_fields(mark, Mark("", 0.0, 0.0, "", "", 0.0)) for mark in given["marks"]
    )


def _has_fields(given: Any, example: Mark | Result) -> bool:
    """Tell whether it is a mapping with the fields of an example, of the same kinds."""
    kinds: dict[type, type | tuple[type, ...]] = {tuple: (tuple, list), float: (float, int)}
    fields = vars(example)
    return (
        isinstance(given, dict)
        and given.keys() == fields.keys()
        and all(
            isinstance(given[name], kinds.get(type(value), type(value)))
            or (name == "points" and given[name] is None)
            for name, value in fields.items()
        )
    )


def few(errors: Mapping[int, str]) -> dict[int, str]:
    """The first ``ERRORS``, and at the number of the next one how many more there were."""
    found = dict(islice(errors.items(), ERRORS + 1))
    if len(errors) > len(found):
        found[list(found)[-1]] = f"this cell failed, and {len(errors) - len(found)} more after it"
    return found


def cleaned(marked: Result) -> Result:
    """The same with all texts as a file in UTF-8 can hold them."""

    def of(value: Any) -> Any:
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, Mapping):
            return {key: of(entry) for key, entry in value.items()}
        if isinstance(value, tuple):
            return tuple(of(entry) for entry in value)
        return replace(value, **of(vars(value))) if isinstance(value, Mark) else value

    return replace(marked, **of(vars(marked)))


def ungraded(submission: Submission, status: str, reason: str) -> Result:
    """A submission without points, and why. What is noted of its file is not in it."""
    return Result(
        submission.student,
        submission.assignment,
        submission.file,
        status,
        reason,
    )
