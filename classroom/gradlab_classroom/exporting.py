"""Tables that Canvas and Moodle import. A total is blank until everything in it is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradlab_classroom import sheets
from gradlab_classroom.course import Assignment, Course
from gradlab_classroom.results import Result
from gradlab_classroom.roster import Person, Roster

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = (
    *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"),
    "Feedback comments",
)


def people_of(found: Sequence[Result], roster: Roster) -> list[Person]:
    """Everybody: the roster's, and those whom it doesn't know, by what their files' names say."""
    people = dict(roster.people)
    for one in found:
        kind, _, number = one.platform.partition(":")
        name = re.sub(r" \(\d+\)$", "", one.student)
        own = {kind: number} if kind in ("canvas", "moodle") else {}
        people.setdefault(one.student, Person(one.student, name=name, **own))
    return list(people.values())


def canvas(path: Path, found: Sequence[Result], course: Course, roster: Roster) -> None:
    """Write one table for all assignments, as Canvas's gradebook imports it."""
    names = {one.assignment for one in found}
    columns = {
        _column(one, roster): one for name, one in course.assignments.items() if name in names
    }
    totals = {(one.student, one.assignment): one.points for one in found}
    rows: list[dict[str, Any]] = [
        {
            "Student": "    Points Possible",
            **{at: sheets.number(one.points) for at, one in columns.items()},
        }
    ]
    for person in people_of(found, roster):
        own = (person.name or person.id, person.canvas, person.sis, person.login, person.section)
        given = {
            at: sheets.number(totals.get((person.id, one.name))) for at, one in columns.items()
        }
        rows.append({**dict(zip(CANVAS, own, strict=True)), **given})
    sheets.write(path, [*CANVAS, *columns], rows)


def _column(assignment: Assignment, roster: Roster) -> str:
    """The assignment's column: of Canvas's own export, with its number, where that is the roster."""
    for name in roster.header:
        plain = re.sub(r"\s*\(\d+\)$", "", name).lower()
        if plain in (assignment.title.lower(), assignment.name.lower()):
            return name
    return assignment.title


def moodle(path: Path, found: Sequence[Result], assignment: Assignment, roster: Roster) -> None:
    """Write one assignment's table, as Moodle's grading worksheet is imported."""
    own = {one.student: one for one in found if one.assignment == assignment.name}
    rows = []
    for person in people_of(list(own.values()), roster):
        one = own.get(person.id)
        kind, _, number = one.platform.partition(":") if one else ("", "", "")
        number = number if kind == "moodle" else person.moodle
        rows.append(
            {
                "Identifier": f"Participant {number}" if number else person.id,
                "Full name": person.name or person.id,
                "Email address": person.email,
                "Status": "Submitted for grading" if one else "No submission",
                "Grade": sheets.number(one.points if one else None),
                "Maximum Grade": sheets.number(assignment.points),
                "Feedback comments": comment(one) if one else "",
            }
        )
    sheets.write(path, MOODLE, rows)


def comment(one: Result) -> str:
    """A line on a grade. Nothing that a student wrote is in it."""
    if not one.items:
        return "This could not be graded yet. Your instructor will look at it."
    parts = [
        f"{item.name}: {sheets.number(item.points) or 'open'} of {item.of:g}" for item in one.items
    ]
    return "; ".join(parts) + "."
