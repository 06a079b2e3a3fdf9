"""Marks by hand, of answers in words and of functions left open: a table, and what comes back in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gradlab_classroom.course import Assignment, Course
from gradlab_classroom.grading import sheets
from gradlab_classroom.grading.result import GRADED, Mark, Result

MARK = re.compile(r"[0-9]+([.,][0-9]+)?")
HEADER = ("student", "assignment", "question", "of", "rubric", "answer", "mark", "comment")
OPEN = "Left open: a part of the notebook was not run, and that may be why. Look at it."
Key = tuple[str, str, str]
"""Student, assignment, question."""


@dataclass(frozen=True)
class Given:
    """A mark that was given.

    Attributes:
      points: or None, where there is only a comment.
      comment: for the student.
      row: as it stood in the table.
      number: of that row.
    """

    points: float | None
    comment: str
    row: Mapping[str, str]
    number: int = 0


Marks = Mapping[Key, Given]


@dataclass(frozen=True)
class Total:
    """The points of a submission so far.

    Attributes:
      points: of its functions and of the answers that are marked; None where it is not graded, or
        a function is left open.
      of: all that can be earned.
      waiting: how many written answers are not marked yet.
    """

    points: float | None
    of: float
    waiting: int


def read(path: Path) -> dict[Key, Given]:
    """Read the marks of a table; rows without a mark and a comment are left out.

    Raises:
      SheetError: if it is not the table that ``write`` makes, a mark is no number, or two rows
        mark one answer differently.
    """
    header, rows = sheets.numbered(path)
    missing = [name for name in HEADER if name in (*HEADER[:3], "mark") and name not in header]
    if missing:
        raise sheets.SheetError(
            f"{path} has no column {' and none '.join(map(repr, missing))}: fill in the columns mark "
            "and comment of the written.csv that the grader wrote, and leave the others."
        )
    found: dict[Key, Given] = {}
    for n, row in rows:
        mark, comment = row["mark"], sheets.as_written(row.get("comment", ""))
        if not mark and not comment:
            continue
        student, assignment, question = (sheets.as_written(row[name]) for name in HEADER[:3])
        given = Given(_number(mark, path, n), comment, row, n)
        other = found.setdefault((student, assignment, question), given)
        if (other.points, other.comment) != (given.points, given.comment):
            raise sheets.SheetError(
                f"{path}, rows {other.number} and {n}: both mark {student} / {assignment} / "
                f"{question}, with {_words(other)} and with {_words(given)}. Leave one of them."
            )
    return found


def _words(given: Given) -> str:
    """A mark and its comment, for a message."""
    mark = "no mark" if given.points is None else f"the mark {given.points:g}"
    return f"{mark} and the comment {given.comment[:40]!r}"


def _number(mark: str, path: Path, row: int) -> float | None:
    if not mark:
        return None
    if not MARK.fullmatch(mark):
        raise sheets.SheetError(
            f"{path}, row {row}: the mark {mark!r} is no number of points such as 2 or 2.5. Leave "
            "it blank to mark it later."
        )
    return float(mark.replace(",", "."))


def check_range(marks: Marks, course: Course, path: Path) -> None:
    """Refuse marks that are not from 0 to what the question is worth.

    Rows of questions that the course no longer asks are left alone.

    Raises:
      SheetError: with all of them.
    """
    worth = {
        (assignment, name): points
        for assignment, asked in course.assignments.items()
        for name, points in _worth(asked)
    }
    _refuse(
        path,
        [
            f"{_where(key, given)}: the mark {given.points:g} is not from 0 to {worth[key[1:]]:g}"
            for key, given in marks.items()
            if given.points is not None
            and key[1:] in worth
            and not 0 <= given.points <= worth[key[1:]]
        ],
    )


def check(marks: Marks, found: Sequence[Result], course: Course, path: Path) -> None:
    """Refuse marks that belong to nothing.

    Raises:
      SheetError: with all of them.
    """
    asked = {
        (result.student, result.assignment, name)
        for result in found
        if result.assignment in course.assignments
        for name in (
            *course.assignments[result.assignment].written,
            *(mark.name for mark in result.open),
        )
    }
    _refuse(
        path,
        [
            f"{_where(key, given)}: no such question was answered, or not by this student"
            for key, given in marks.items()
            if key not in asked
        ],
    )


def _worth(assignment: Assignment) -> Iterator[tuple[str, float]]:
    yield from ((name, question.points) for name, question in assignment.written.items())
    yield from assignment.functions.items()


def _where(key: Key, given: Given) -> str:
    return f"row {given.number}, {' / '.join(key)}"


def _refuse(path: Path, faults: Sequence[str]) -> None:
    if faults:
        raise sheets.SheetError(f"{path} cannot be used. {'. '.join(faults)}.")


def settled(marked: Result, marks: Marks) -> Result:
    """The same with the points that a person has given to functions that were left open.

    A mark that was given to another file than this one does not count: it is left open again.
    """

    def of(mark: Mark) -> Mark:
        given = marks.get((marked.student, marked.assignment, mark.name))
        if mark.points is not None or given is None or given.points is None:
            return mark
        seen = sheets.as_written(given.row.get("answer", ""))
        if seen and seen.split() != _of_open(marked, mark).split():
            return mark
        comment = given.comment or "Your instructor has looked at it."
        return replace(mark, points=given.points, message=comment, credit=given.points / mark.of)

    return replace(marked, marks=tuple(map(of, marked.marks)))


def _of_open(marked: Result, mark: Mark) -> str:
    """What stands in the table in place of an answer in words."""
    lines = [f"{marked.file} ({marked.digest[:8]})", *marked.unrun, f"Found: {mark.message}"]
    return "\n".join(lines)


def write(path: Path, found: Sequence[Result], course: Course, marks: Marks) -> None:
    """Write the table of all that a person marks, with the marks that there are.

    It has the written answers, and the functions that were left open.

    Marks of students who are not here, such as another batch's, stay in it.
    """
    rows: dict[Key, Mapping[str, str]] = {}
    for result in found:
        if result.status != GRADED:
            continue
        asked = [
            (name, question.points, "\n".join(question.rubric), result.written.get(name, ""))
            for name, question in course.assignments[result.assignment].written.items()
        ]
        asked += [(mark.name, mark.of, OPEN, _of_open(result, mark)) for mark in result.open]
        for name, of, rubric, answer in asked:
            key = (result.student, result.assignment, name)
            given = marks.get(key)
            rows[key] = {
                "student": result.student,
                "assignment": result.assignment,
                "question": name,
                "of": sheets.number(of),
                "rubric": rubric,
                "answer": answer,
                "mark": sheets.number(given.points) if given and rubric != OPEN else "",
                "comment": given.comment if given else "",
            }
    for key, given in marks.items():
        if key not in rows:
            rows[key] = {name: sheets.as_written(given.row.get(name, "")) for name in HEADER}
    sheets.write(path, HEADER, rows.values(), for_excel=True)


def changed(found: Sequence[Result], marks: Marks) -> list[tuple[str, str]]:
    """Submissions whose answer is not the one that was marked, and a note on each."""
    notes = []
    for result in found:
        for name, answer in result.written.items():
            given = marks.get((result.student, result.assignment, name))
            if given is None or given.points is None or "answer" not in given.row:
                continue
            before = sheets.as_written(given.row["answer"])
            if before.split() != answer.split():
                notes.append((result.file, f"the answer to {name} has changed since it was marked"))
    return notes


def total(marked: Result, assignment: Assignment | None, marks: Marks) -> Total:
    """Add up what a submission has so far."""
    if assignment is None or marked.status != GRADED:
        return Total(None, assignment.points if assignment else 0.0, 0)
    given = [marks.get((marked.student, marked.assignment, name)) for name in assignment.written]
    points = [mark.points for mark in given if mark is not None and mark.points is not None]
    so_far = None if marked.points is None else round(marked.points + sum(points), 2)
    return Total(so_far, assignment.points, len(given) - len(points))
