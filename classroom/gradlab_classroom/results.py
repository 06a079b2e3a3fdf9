"""What a course's submissions have earned so far: from the graded notebooks and nbgrader's gradebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from gradlab_classroom.collecting import Handed
from gradlab_classroom.course import Course
from gradlab_classroom.plugins import points_of
from gradlab_classroom.reading import name_of, words
from gradlab_classroom.restoring import OWN

GRADED, UNREADABLE, MACHINE = "graded", "unreadable", "machine"
"""A status. Only what is graded has points; the other two are the teacher's to decide."""


@dataclass(frozen=True)
class Item:
    """One graded item: a function, or an answer in words.

    Attributes:
      name: of the function, or of the question; of: its points.
      points: what it has now, or None until somebody has looked at it.
      by_hand: whether a person has given them.
      finding: a function's; message: the same for the student; why: why it's left open.
    """

    name: str
    of: float
    points: float | None
    by_hand: bool = False
    finding: str = ""
    message: str = ""
    why: str = ""


@dataclass(frozen=True)
class Result:
    """One submission.

    Attributes:
      student, assignment, file, platform: as it was collected.
      status: ``GRADED``, ``UNREADABLE`` or ``MACHINE``; reason: of the last two.
      notes: what a teacher may want to look at; errors: what cells raised.
      marks: of each function; written: of each answer in words; texts: these answers.
      prediction: as it was made, or "".
      penalty: points that come off for being late.
    """

    student: str
    assignment: str
    file: str
    platform: str
    status: str = GRADED
    reason: str = ""
    notes: Sequence[str] = ()
    errors: Sequence[str] = ()
    marks: Sequence[Item] = ()
    written: Sequence[Item] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    prediction: str = ""
    penalty: float = 0.0

    @property
    def items(self) -> list[Item]:
        """Everything that has points."""
        return [*self.marks, *self.written]

    @property
    def points(self) -> float | None:
        """The total; None until everything in it is marked."""
        points = [item.points for item in self.items]
        if self.status != GRADED or not points or None in points:
            return None
        return round(max(0.0, sum(filter(None, points)) - self.penalty), 2)

    def as_json(self) -> dict[str, Any]:
        """Return what ``scores.json`` has of it."""
        of = sum(item.of for item in self.items)
        waiting = sum(item.points is None for item in self.written)
        return {**asdict(self), "points": self.points, "of": of, "waiting": waiting}


def results(root: Path, handed: Sequence[Handed], course: Course) -> list[Result]:
    """Read what each submission in a course's folder has earned."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        return [_result(book, root, one, course) for one in handed]


def _result(book: Gradebook, root: Path, one: Handed, course: Course) -> Result:
    known, notes = (one.student, one.assignment, one.file, one.platform), [*one.notes]
    path = root / "autograded" / one.student / one.assignment / f"{one.assignment}.ipynb"
    if one.problem:
        return Result(*known, UNREADABLE, one.problem, notes)
    try:
        nb = nbformat.read(path, as_version=4)
        submission = book.find_submission(one.assignment, one.student)
    except (OSError, MissingEntry):
        return Result(*known, MACHINE, "nbgrader could not grade it; see log.txt", notes)
    grades = {grade.cell.name: grade for grade in submission.notebooks[0].grades}
    own, assignment = nb.metadata.get(OWN, {}), course.assignments[one.assignment]
    found = {name_of(cell): cell.metadata[OWN] for cell in nb.cells if OWN in cell.metadata}
    texts = {name_of(cell): words(cell.source) for cell in nb.cells}
    outs = [out for cell in nb.cells for out in cell.get("outputs", []) if "ename" in out]
    return Result(
        *known, *((MACHINE, own["machine"]) if "machine" in own else (GRADED, "")),
        notes=[*notes, *own.get("notes", [])],
        errors=[str(out.traceback[0]) for out in outs][:20],
        marks=[_item(name, grades[name], found.get(name, {})) for name in assignment.functions],
        written=[_item(name, grades[f"written_{name}"], {}) for name in assignment.written],
        texts={name: texts.get(f"written_{name}", "") for name in assignment.written},
        prediction=own.get("prediction", ""),
        penalty=submission.late_submission_penalty or 0.0,
    )  # fmt: skip


def _item(name: str, grade: Any, found: Mapping[str, Any]) -> Item:
    told = {key: found.get(key, "") for key in ("finding", "message", "why")}
    return Item(name, grade.max_score, points_of(grade), grade.manual_score is not None, **told)
