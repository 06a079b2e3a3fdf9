"""The grades as Canvas and Moodle import them. What could not be graded is blank, never 0."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gradlab_classroom.course import Assignment, Course
from gradlab_classroom.grading import sheets
from gradlab_classroom.grading.result import Result
from gradlab_classroom.grading.roster import Person, Roster
from gradlab_classroom.grading.written import Marks, Total, total

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = (
    *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"),
    *("Last modified (submission)", "Feedback comments"),
)


def people_of(found: Sequence[Result], roster: Roster) -> dict[str, Person]:
    """Everybody: the roster's, and those whom it does not know, by what their files' names say."""
    people = dict(roster.people)
    for result in found:
        if result.student not in people:
            kind, _, number = result.platform.partition(":")
            canvas, moodle = (number if kind == name else "" for name in ("canvas", "moodle"))
            people[result.student] = Person(
                result.student, name=result.student, canvas=canvas, moodle=moodle
            )
    return people


def assignments_of(found: Sequence[Result], course: Course) -> list[str]:
    """The assignments that anything was handed in for, in the course's order."""
    names = {result.assignment for result in found}
    return [name for name in course.assignments if name in names]


def canvas(
    path: Path, found: Sequence[Result], course: Course, roster: Roster, marks: Marks
) -> None:
    """Write one table for all assignments, as Canvas's gradebook imports it."""
    columns = {
        _column(course.assignments[name], roster): course.assignments[name]
        for name in assignments_of(found, course)
    }
    grades = {(result.student, result.assignment): result for result in found}
    rows: list[dict[str, Any]] = [
        {"Student": "    Points Possible"}
        | {column: sheets.number(assignment.points) for column, assignment in columns.items()}
    ]
    for person in people_of(found, roster).values():
        own = (person.name or person.id, person.canvas, person.sis, person.login, person.section)
        row: dict[str, Any] = dict(zip(CANVAS, own, strict=True))
        for column, assignment in columns.items():
            result = grades.get((person.id, assignment.name))
            row[column] = sheets.number(total(result, assignment, marks).points) if result else ""
        rows.append(row)
    sheets.write(path, [*CANVAS, *columns], rows)


def _column(assignment: Assignment, roster: Roster) -> str:
    """The assignment's column: of Canvas's own export, with its number, where that is the roster."""
    for name in roster.header:
        if re.sub(r"\s*\(\d+\)$", "", name).lower() in (
            assignment.title.lower(),
            assignment.name.lower(),
        ):
            return name
    return assignment.title


def moodle(
    path: Path, found: Sequence[Result], assignment: Assignment, roster: Roster, marks: Marks
) -> None:
    """Write the table of one assignment, as Moodle's grading worksheet is imported."""
    grades = {result.student: result for result in found if result.assignment == assignment.name}
    rows = []
    for person in people_of(list(grades.values()), roster).values():
        result = grades.get(person.id)
        platform, _, number = result.platform.partition(":") if result else ("", "", "")
        number = number if platform == "moodle" else person.moodle
        sum_ = total(result, assignment, marks) if result else Total(None, assignment.points, 0)
        row: Mapping[str, Any] = {
            "Identifier": f"Participant {number}" if number else person.id,
            "Full name": person.name or person.id,
            "Email address": person.email,
            "Status": person.row.get("Status")
            or ("Submitted for grading" if result else "No submission"),
            "Grade": sheets.number(sum_.points),
            "Maximum Grade": sheets.number(assignment.points),
            "Last modified (submission)": person.row.get("Last modified (submission)", ""),
            "Feedback comments": comment(result, sum_) if result else "",
        }
        rows.append(row)
    sheets.write(path, MOODLE, rows)


def comment(marked: Result, sum_: Total) -> str:
    """A line on the grade. Nothing that a student wrote is in it."""
    if sum_.points is None and not marked.open:
        return "This could not be graded yet. Your instructor will look at it."
    parts = [
        f"{mark.name}: {sheets.number(mark.points) or 'left open'} of {sheets.number(mark.of)}"
        for mark in marked.marks
    ]
    if sum_.waiting:
        parts.append("written answers not marked yet")
    return "; ".join(parts) + "."
