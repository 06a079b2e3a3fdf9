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
    """Writes ``summary.html`` and its picture, ``summary.svg``."""
    names = assignments_of(found, course)
    parts = [count_assignment(course.assignments[name], found) for name in names]
    picture = draw(parts)
    (out / "summary.svg").write_bytes(picture)
    sums = [total(one, course.assignments.get(one.assignment), marks) for one in found]
    page = (
        environment()
        .get_template("summary.html")
        .render(
            course=course,
            counts=count_statuses(found),
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


def _looks(found: Sequence[Result], marks: Marks) -> Iterator[tuple[str, str, str, list[str]]]:
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


def _equal(found: Sequence[Result]) -> Iterator[tuple[str, str, list[str]]]:
    """Students who handed in the same file, byte by byte, with something of their own in it."""
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        if one.digest and one.status == GRADED and _begun(one):
            groups[one.assignment, one.digest].add(one.student)
    for (assignment, _), students in sorted(groups.items()):
        if len(students) > 1:
            yield assignment, "the whole file", sorted(students)


def _begun(one: Result) -> bool:
    """Tell whether it is more than the notebook as it was handed out, whose functions return nothing."""
    findings = {mark.finding for mark in one.marks}
    written = one.prediction or any(one.written.values())
    return bool(written or findings - {"missing", "returns_none"})


def _absent(found: Sequence[Result], roster: Roster, names: Sequence[str]) -> list[Any]:
    have = {(one.student, one.assignment) for one in found}
    lists = [
        (name, [student for student in roster.people if (student, name) not in have])
        for name in names
    ]
    return [(name, students) for name, students in lists if students]
