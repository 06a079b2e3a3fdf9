"""Answers in words: a table of them to mark by hand, and the marks that come back in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gradlab.classroom.course import Assignment, Course
from gradlab.classroom.grading import sheets
from gradlab.classroom.grading.marked import GRADED, Marked

HEADER = ("student", "assignment", "question", "of", "rubric", "answer", "mark", "comment")
Key = tuple[str, str, str]
"""Student, assignment, question."""


@dataclass(frozen=True)
class Given:
    """A mark that was given.

    Attributes:
      points: or None, where there is only a comment.
      comment: for the student.
      row: as it stood in the table.
    """

    points: float | None
    comment: str
    row: Mapping[str, str]


Marks = Mapping[Key, Given]


@dataclass(frozen=True)
class Total:
    """What a submission has so far.

    Attributes:
      points: of its functions and of the answers that are marked; None where it is not graded.
      of: all that can be earned.
      waiting: how many written answers are not marked yet.
    """

    points: float | None
    of: float
    waiting: int


def read(path: Path) -> dict[Key, Given]:
    """Reads the marks of a table; rows without a mark and a comment are left out.

    Raises:
      SheetError: if it is not the table that ``write`` makes.
    """
    header, rows = sheets.read(path)
    missing = [name for name in HEADER if name in (*HEADER[:3], "mark") and name not in header]
    if missing:
        raise sheets.SheetError(
            f"{path} has no column {' and none '.join(map(repr, missing))}: fill in the columns mark "
            "and comment of the written.csv that the grader wrote, and leave the others."
        )
    found: dict[Key, Given] = {}
    for n, row in enumerate(rows, start=2):
        mark, comment = row["mark"], sheets.as_written(row.get("comment", ""))
        if mark or comment:
            student, assignment, question = (sheets.as_written(row[name]) for name in HEADER[:3])
            found[student, assignment, question] = Given(_number(mark, path, n), comment, row)
    return found


def _number(mark: str, path: Path, row: int) -> float | None:
    if not mark:
        return None
    try:
        return float(mark.replace(",", "."))
    except ValueError:
        raise sheets.SheetError(
            f"{path}, row {row}: the mark {mark!r} is no number. Leave it blank to mark it later."
        ) from None


def check(marks: Marks, found: Sequence[Marked], course: Course, path: Path) -> None:
    """Refuses marks that belong to nothing, or are not from 0 to what the question is worth.

    Raises:
      SheetError: with all of them.
    """
    asked = {
        (one.student, one.assignment, name): question.points
        for one in found
        if one.assignment in course.assignments
        for name, question in course.assignments[one.assignment].written.items()
    }
    faults = []
    for key, given in marks.items():
        words = " / ".join(key)
        if key not in asked:
            faults.append(f"{words}: no such question was answered, or not by this student")
        elif given.points is not None and not 0 <= given.points <= asked[key]:
            faults.append(f"{words}: the mark {given.points:g} is not from 0 to {asked[key]:g}")
    if faults:
        raise sheets.SheetError(f"{path} cannot be merged. " + ". ".join(faults) + ".")


def write(path: Path, found: Sequence[Marked], course: Course, marks: Marks) -> None:
    """Writes the table of all written answers, with the marks that there are.

    Marks of students who are not here, such as another batch's, stay in it.
    """
    rows: dict[Key, Mapping[str, str]] = {}
    for one in found:
        if one.status != GRADED:
            continue
        for name, question in course.assignments[one.assignment].written.items():
            key = (one.student, one.assignment, name)
            given = marks.get(key)
            rows[key] = {
                "student": one.student,
                "assignment": one.assignment,
                "question": name,
                "of": sheets.number(question.points),
                "rubric": "\n".join(question.rubric),
                "answer": one.written.get(name, ""),
                "mark": sheets.number(given.points) if given else "",
                "comment": given.comment if given else "",
            }
    for key, given in marks.items():
        if key not in rows:
            rows[key] = {name: sheets.as_written(given.row.get(name, "")) for name in HEADER}
    sheets.write(path, HEADER, rows.values(), for_excel=True)


def changed(found: Sequence[Marked], marks: Marks) -> list[tuple[str, str]]:
    """Submissions whose answer is not the one that was marked, and a note on each."""
    notes = []
    for one in found:
        for name, answer in one.written.items():
            given = marks.get((one.student, one.assignment, name))
            if given is None or given.points is None or "answer" not in given.row:
                continue
            before = sheets.as_written(given.row["answer"])
            if before.split() != answer.split():
                notes.append((one.file, f"the answer to {name} has changed since it was marked"))
    return notes


def total(marked: Marked, assignment: Assignment | None, marks: Marks) -> Total:
    """Adds up what a submission has so far."""
    if assignment is None or marked.points is None:
        return Total(None, assignment.points if assignment else 0.0, 0)
    given = [marks.get((marked.student, marked.assignment, name)) for name in assignment.written]
    points = [one.points for one in given if one is not None and one.points is not None]
    return Total(round(marked.points + sum(points), 2), assignment.points, len(given) - len(points))
