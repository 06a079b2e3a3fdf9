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
from gradlab_classroom.executing import OWN
from gradlab_classroom.reading import words

GRADED, UNREADABLE, MACHINE = "graded", "unreadable", "machine"
"""A status. Only what is graded has points; the other two are the teacher's to decide."""


@dataclass(frozen=True)
class Item:
    """One graded item: a function, or an answer in words.

    Attributes:
      name: of the function, or of the question.
      of: its points; points: what it has now, or None until somebody has looked at it.
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
      marks: of each function; written: of each answer in words; texts: these answers.
      prediction: as it was made, or "".
      notes: what a teacher may want to look at; errors: what cells raised.
      penalty: points that nbgrader takes off for being late.
    """

    student: str
    assignment: str
    file: str
    platform: str
    status: str
    reason: str = ""
    marks: Sequence[Item] = ()
    written: Sequence[Item] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    prediction: str = ""
    notes: Sequence[str] = ()
    errors: Sequence[str] = ()
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
    """Read what each submission has earned.

    Args:
      root: the course's folder.
      handed: what was collected; course: what it's worth.
    """
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        return [_result(book, root, one, course) for one in handed]


def _result(book: Gradebook, root: Path, one: Handed, course: Course) -> Result:
    known = (one.student, one.assignment, one.file, one.platform)
    path = root / "autograded" / one.student / one.assignment / f"{one.assignment}.ipynb"
    if one.problem:
        return Result(*known, UNREADABLE, one.problem, notes=one.notes)
    if not path.is_file():
        return Result(*known, MACHINE, "nbgrader could not grade it; see log.txt", notes=one.notes)
    nb = nbformat.read(path, as_version=4)
    own = nb.metadata.get(OWN, {})
    try:
        submission = book.find_submission(one.assignment, one.student)
    except MissingEntry:
        return Result(
            *known, MACHINE, "the gradebook doesn't have it; grade it again", notes=one.notes
        )
    grades = {grade.cell.name: grade for grade in submission.notebooks[0].grades}
    found = {
        cell.metadata[OWN]["name"]: cell.metadata[OWN] for cell in nb.cells if OWN in cell.metadata
    }
    assignment = course.assignments[one.assignment]
    marks = [_item(name, grades[name], found.get(name, {})) for name in assignment.functions]
    written = [_item(name, grades[f"written_{name}"], {}) for name in assignment.written]
    texts = {
        cell.metadata.nbgrader.grade_id.removeprefix("written_"): words(cell.source)
        for cell in nb.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("written_")
    }
    errors = [
        str(out.traceback[0])
        for cell in nb.cells
        for out in cell.get("outputs", [])
        if "ename" in out
    ]
    status, reason = (MACHINE, own["machine"]) if "machine" in own else (GRADED, "")
    return Result(
        *known, status, reason, marks, written, texts, own.get("prediction", ""),
        [*one.notes, *own.get("notes", [])], errors[:20], submission.late_submission_penalty or 0.0,
    )  # fmt: skip


def _item(name: str, grade: Any, found: Mapping[str, Any]) -> Item:
    open_ = grade.needs_manual_grade or (grade.auto_score is None and grade.manual_score is None)
    points = None if open_ else round(grade.score, 2)
    told = {key: found.get(key, "") for key in ("finding", "message", "why")}
    return Item(name, grade.max_score, points, grade.manual_score is not None, **told)
