"""The class at a glance: points, frequent mistakes, predictions, and what needs a look."""

from __future__ import annotations

import base64
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradlab_classroom.course import Assignment, Course
from gradlab_classroom.grading.feedback import environment
from gradlab_classroom.grading.likeness import alike
from gradlab_classroom.grading.many import counted
from gradlab_classroom.grading.marked import GRADED, Mark, Marked
from gradlab_classroom.grading.picture import draw
from gradlab_classroom.grading.roster import Roster
from gradlab_classroom.grading.tables import assignments_of
from gradlab_classroom.grading.written import Marks, changed, total


@dataclass(frozen=True)
class OfFunction:
    """How a function went: how many got all of its points, a part and none, and the mean."""

    name: str
    of: float
    all: int
    part: int
    none: int
    mean: float


@dataclass(frozen=True)
class OfFinding:
    """How often something was found, and what one of those students was told."""

    name: str
    finding: str
    count: int
    message: str


@dataclass(frozen=True)
class OfAssignment:
    """One assignment, in numbers."""

    name: str
    title: str
    functions: Sequence[OfFunction]
    findings: Sequence[OfFinding]
    question: str
    predictions: Sequence[tuple[str, int]]


def of_assignment(assignment: Assignment, found: Sequence[Marked]) -> OfAssignment:
    """Counts what was found, among those that are graded."""
    graded = [one for one in found if one.assignment == assignment.name and one.status == GRADED]
    marks = [mark for one in graded for mark in one.marks]
    functions = [
        _function(name, of, [mark for mark in marks if mark.name == name])
        for name, of in assignment.functions.items()
    ]
    wrong = [mark for mark in marks if mark.credit < 1]
    messages = {(mark.name, mark.finding): mark.message for mark in reversed(wrong)}
    counts = Counter((mark.name, mark.finding) for mark in wrong)
    findings = [
        OfFinding(name, finding, count, messages[name, finding])
        for (name, finding), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    question = assignment.prediction.question if assignment.prediction else ""
    return OfAssignment(
        assignment.name,
        assignment.title,
        functions,
        findings,
        question,
        list(_predictions(assignment, graded)),
    )


def _function(name: str, of: float, marks: Sequence[Mark]) -> OfFunction:
    full = sum(mark.credit == 1 for mark in marks)
    none = sum(mark.credit == 0 for mark in marks)
    mean = sum(mark.points or 0.0 for mark in marks) / len(marks) if marks else 0.0
    return OfFunction(name, of, full, len(marks) - full - none, none, mean)


def _predictions(assignment: Assignment, graded: Sequence[Marked]) -> Iterator[tuple[str, int]]:
    if assignment.prediction is None:
        return
    choices = assignment.prediction.choices
    made = Counter(one.prediction.strip().lower() for one in graded)
    for key, words in choices.items():
        yield f"{key}: {words}", made[key]
    if others := sum(count for key, count in made.items() if key and key not in choices):
        yield "something else", others
    if made[""]:
        yield "none", made[""]


def write(out: Path, found: Sequence[Marked], course: Course, roster: Roster, marks: Marks) -> None:
    """Writes ``summary.html`` and its picture, ``summary.svg``."""
    names = assignments_of(found, course)
    parts = [of_assignment(course.assignments[name], found) for name in names]
    picture = draw(parts)
    (out / "summary.svg").write_bytes(picture)
    sums = [total(one, course.assignments.get(one.assignment), marks) for one in found]
    page = (
        environment()
        .get_template("summary.html")
        .render(
            course=course,
            counts=counted(found),
            waiting=sum(one.waiting for one in sums),
            looks=list(_looks(found, marks)),
            alike=[
                *_equal(found),
                *alike((one.student, one.assignment, one.prints) for one in found),
            ],
            absent=_absent(found, roster, names),
            picture="data:image/svg+xml;base64," + base64.b64encode(picture).decode("ascii"),
            parts=parts,
        )
    )
    (out / "summary.html").write_text(page, encoding="utf-8")


def _looks(found: Sequence[Marked], marks: Marks) -> Iterator[tuple[str, str, str, list[str]]]:
    """Student, assignment, status and details; first what is not graded."""
    notes = {one.file: list(one.notes) for one in found}
    for file, note in changed(found, marks):
        notes[file].append(note)
    for one in sorted(found, key=lambda one: (one.status == GRADED, one.student, one.assignment)):
        if one.status != GRADED:
            details = [f"{one.file}: {one.reason}", *notes[one.file]]
            yield one.student, one.assignment, one.status, details
        elif notes[one.file]:
            yield one.student, one.assignment, "note", notes[one.file]


def _equal(found: Sequence[Marked]) -> Iterator[tuple[str, str, list[str]]]:
    """Students who handed in the same file, byte by byte, with something of their own in it."""
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        if one.digest and one.status == GRADED and _begun(one):
            groups[one.assignment, one.digest].add(one.student)
    for (assignment, _), students in sorted(groups.items()):
        if len(students) > 1:
            yield assignment, "the whole file", sorted(students)


def _begun(one: Marked) -> bool:
    """Whether it is more than the notebook as it was handed out, whose functions return nothing."""
    findings = {mark.finding for mark in one.marks}
    written = one.prediction or any(one.written.values())
    return bool(written or findings - {"missing", "returns_none"})


def _absent(found: Sequence[Marked], roster: Roster, names: Sequence[str]) -> list[Any]:
    have = {(one.student, one.assignment) for one in found}
    lists = [
        (name, [student for student in roster.people if (student, name) not in have])
        for name in names
    ]
    return [(name, students) for name, students in lists if students]
