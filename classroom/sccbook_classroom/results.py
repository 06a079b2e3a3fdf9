"""What a course's submissions have earned so far: from the graded notebooks and nbgrader's gradebook."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from sccbook_classroom.collecting import Handed
from sccbook_classroom.course import Course
from sccbook_classroom.plugins import points_of
from sccbook_classroom.reading import name_of, words
from sccbook_classroom.restoring import OWN

GRADED, UNREADABLE, MACHINE = "graded", "unreadable", "machine"
"""A status. Only what is graded has points; the other two are the teacher's to decide."""


@dataclass(frozen=True)
class Item:
    """A function, or an answer in words: its points, and ``of`` how many.

    ``points`` are None until somebody has decided. Of a function there are also the ``finding``, the
    ``message`` for the student, and ``why`` it's left open.
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
    """One submission: as it was collected, its status and the reason, notes for the teacher, and its items.

    ``texts`` are the answers in words, and ``penalty`` the points that come off for being late.
    """

    student: str
    assignment: str
    file: str
    platform: str
    status: str = GRADED
    reason: str = ""
    notes: Sequence[str] = ()
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
        waiting = sum(item.points is None for item in self.written)
        of = sum(item.of for item in self.items)
        return {**asdict(self), "points": self.points, "of": of, "waiting": waiting}


def results(root: Path, handed: Sequence[Handed], course: Course) -> list[Result]:
    """Read what each submission in a course's folder has earned."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        return [_result(book, root, one, course) for one in handed]


def _result(book: Gradebook, root: Path, one: Handed, course: Course) -> Result:
    known, name = (one.student, one.assignment, one.file, one.platform), one.assignment
    if one.problem:
        return Result(*known, UNREADABLE, one.problem, one.notes)
    try:
        nb = nbformat.read(root / "autograded" / one.student / name / f"{name}.ipynb", as_version=4)
        entry = book.find_submission(name, one.student)
    except (OSError, MissingEntry):
        return Result(*known, MACHINE, "nbgrader could not grade it; see log.txt", one.notes)
    grades = {grade.cell.name: grade for grade in entry.notebooks[0].grades}
    cells = {name_of(cell): cell for cell in nb.cells}

    def item(name: str, cell: str) -> Item:
        found, grade = cells[cell].metadata.get(OWN, {}), grades[cell]
        told = {key: found.get(key, "") for key in ("finding", "message", "why")}
        return Item(name, grade.max_score, points_of(grade), grade.manual_score is not None, **told)

    own, asked = nb.metadata[OWN], course.assignments[name]
    return Result(
        *known,
        status=MACHINE if "machine" in own else GRADED,
        reason=own.get("machine", ""),
        notes=[*one.notes, *own["notes"]],
        marks=[item(each, each) for each in asked.functions],
        written=[item(each, f"written_{each}") for each in asked.written],
        texts={each: words(cells[f"written_{each}"].source) for each in asked.written},
        prediction=own.get("prediction", ""),
        penalty=entry.late_submission_penalty or 0.0,
    )
