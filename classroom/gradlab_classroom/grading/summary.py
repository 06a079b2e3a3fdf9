"""The class at a glance: points, frequent mistakes, predictions, and what needs a look."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gradlab_classroom.course import Course
from gradlab_classroom.grading.counts import count_assignment, count_statuses
from gradlab_classroom.grading.feedback import environment
from gradlab_classroom.grading.likeness import alike
from gradlab_classroom.grading.picture import draw
from gradlab_classroom.grading.result import GRADED, Result
from gradlab_classroom.grading.roster import Roster
from gradlab_classroom.grading.tables import assignments_of
from gradlab_classroom.grading.written import Marks, changed, total


def write(out: Path, found: Sequence[Result], course: Course, roster: Roster, marks: Marks) -> None:
    """Write ``summary.html`` and its picture, ``summary.svg``."""
    names = assignments_of(found, course)
    parts = [count_assignment(course.assignments[name], found) for name in names]
    picture = draw(parts)
    (out / "summary.svg").write_bytes(picture)
    sums = [total(result, course.assignments.get(result.assignment), marks) for result in found]
    page = (
        environment()
        .get_template("summary.html")
        .render(
            course=course,
            counts=count_statuses(found),
            waiting=sum(sum_.waiting for sum_ in sums),
            left_open=sum(len(result.open) for result in found),
            looks=list(_looks(found, marks)),
            alike=[
                *_equal(found),
                *alike((result.student, result.assignment, result.prints) for result in found),
            ],
            absent=_absent(found, roster, names),
            picture="data:image/svg+xml;base64," + base64.b64encode(picture).decode("ascii"),
            parts=parts,
        )
    )
    (out / "summary.html").write_text(page, encoding="utf-8")


def _looks(found: Sequence[Result], marks: Marks) -> Iterator[tuple[str, str, str, list[str]]]:
    """Student, assignment, status and details; first what is not graded, or left open."""
    notes = {result.file: list(result.notes) for result in found}
    for file, note in changed(found, marks):
        notes[file].append(note)
    for result in sorted(
        found, key=lambda result: (result.points is not None, result.student, result.assignment)
    ):
        if result.status != GRADED:
            details = [f"{result.file}: {result.reason}", *notes[result.file]]
            yield result.student, result.assignment, result.status, details
        elif result.open:
            names = ", ".join(mark.name for mark in result.open)
            details = [f"{result.file}: {names}", *result.unrun, *notes[result.file]]
            yield result.student, result.assignment, "left open", details
        elif notes[result.file]:
            yield result.student, result.assignment, "note", notes[result.file]


def _equal(found: Sequence[Result]) -> Iterator[tuple[str, str, list[str]]]:
    """Students who handed in the same file, byte by byte, with something of their own in it."""
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for result in found:
        if result.digest and result.status == GRADED and _begun(result):
            groups[result.assignment, result.digest].add(result.student)
    for (assignment, _), students in sorted(groups.items()):
        if len(students) > 1:
            yield assignment, "the whole file", sorted(students)


def _begun(result: Result) -> bool:
    """Tell whether it is more than the notebook as it was handed out, whose functions have no code."""
    findings = {mark.finding for mark in result.marks}
    written = result.prediction or any(result.written.values())
    return bool(written or findings - {"missing", "not_attempted"})


def _absent(found: Sequence[Result], roster: Roster, names: Sequence[str]) -> list[Any]:
    have = {(result.student, result.assignment) for result in found}
    lists = [
        (name, [student for student in roster.people if (student, name) not in have])
        for name in names
    ]
    return [(name, students) for name, students in lists if students]
