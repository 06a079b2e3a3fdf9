"""Tables that Canvas and Moodle import. A total is blank until everything in it is marked."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sccbook_classroom.course import Assignment, Course
from sccbook_classroom.results import Result
from sccbook_classroom.roster import Person, Roster, printable

OF_CANVAS = ("SIS User ID", "SIS Login ID", "Section")
OF_MOODLE = ("Identifier", "Full name", "Email address", "Status", "Grade")


def canvas(path: Path, found: Sequence[Result], course: Course, roster: Roster) -> None:
    """Write one table for all assignments, as Canvas's gradebook imports it."""
    names = {one.assignment for one in found}
    columns = {_column(one, roster): one for n, one in course.assignments.items() if n in names}
    totals = {(one.student, one.assignment): one.points for one in found}
    possible = [number(one.points) for one in columns.values()]
    rows = [
        ["Student", "ID", *OF_CANVAS, *columns],
        ["    Points Possible", "", *("" for _ in OF_CANVAS), *possible],
    ]
    for one in _people(found, roster):
        given = [number(totals.get((one.id, assignment.name))) for assignment in columns.values()]
        own = [one.row.get(name, "") for name in OF_CANVAS]
        rows.append([one.name or one.id, one.canvas, *own, *given])
    _write(path, rows)


def moodle(path: Path, found: Sequence[Result], assignment: Assignment, roster: Roster) -> None:
    """Write one assignment's table, as Moodle's grading worksheet is imported."""
    own = {one.student: one for one in found if one.assignment == assignment.name}
    rows = [[*OF_MOODLE, "Maximum Grade", "Feedback comments"]]
    for one in _people(list(own.values()), roster):
        result = own.get(one.id)
        items = result.items if result else []
        points = [f"{item.name}: {number(item.points) or 'open'} of {item.of:g}" for item in items]
        points += [f"late: -{number(result.penalty)}"] if result and result.penalty else []
        comment = "; ".join(points) or ("This could not be graded yet." if result else "")
        grade = number(result.points) if result else ""
        status = "Submitted for grading" if result else "No submission"
        participant = f"Participant {one.moodle}" if one.moodle else one.id
        most, name = number(assignment.points), one.name or one.id
        rows.append([participant, name, one.email, status, grade, most, comment])
    _write(path, rows)


def number(value: float | None) -> str:
    """Points as a table shows them: at most two decimals, and nothing for none."""
    return "" if value is None else f"{round(value, 2):g}"


def _people(found: Sequence[Result], roster: Roster) -> list[Person]:
    """Everybody: the roster's, and those whom it doesn't know, by what their files' names say."""
    people = dict(roster.people)
    for one in found:
        kind, _, user = one.platform.partition(":")
        name = re.sub(r" \(\d+\)$", "", one.student)
        person = people.get(one.student, Person(one.student, name))
        own: dict[str, Any] = {kind: user} if kind else {}
        people[one.student] = replace(person, **own)
    return list(people.values())


def _column(assignment: Assignment, roster: Roster) -> str:
    """The assignment's column: of Canvas's own export, with its number, where that is the roster."""
    names = (assignment.title.lower(), assignment.name.lower())
    own = (n for n in roster.header if re.sub(r"\s*\(\d+\)$", "", n).lower() in names)
    return next(own, assignment.title)


def _write(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write a table. Text that a spreadsheet would take for a formula is made text again."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([_plain(printable(cell)) for cell in row] for row in rows)


def _plain(cell: str) -> str:
    sign = unicodedata.normalize("NFKC", cell.lstrip("\t\r\n '")[:1])
    return f"'{cell}" if sign in ("=", "+", "-", "@") else cell
