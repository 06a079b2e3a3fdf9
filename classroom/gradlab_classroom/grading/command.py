"""``grade``: one command from a folder of submissions to scores, feedback and a summary."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.plain_data import clean
from gradlab_classroom import course as courses
from gradlab_classroom import objectives
from gradlab_classroom.course import Course, CourseError
from gradlab_classroom.grading import (
    feedback,
    roster,
    submissions,
    summary,
    tables,
    written,
)
from gradlab_classroom.grading.counts import count_statuses
from gradlab_classroom.grading.grade_all import grade_all
from gradlab_classroom.grading.grade_one import GradingOptions, require_exercises
from gradlab_classroom.grading.result import MACHINE, Result
from gradlab_classroom.grading.sheets import SheetError
from gradlab_classroom.grading.student_text import printable
from gradlab_classroom.paths import COURSE
from gradlab_classroom.private_dir import make_private_dir


class CannotGrade(ValueError):
    """A class that cannot be graded: what is missing, and what to do."""


@dataclass(frozen=True)
class _Class:
    """The basis of all reports, besides what was found."""

    course: Course
    roster: roster.Roster
    marks: written.Marks
    chapters: Mapping[str, Sequence[feedback.Chapter]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade a folder.

    Returns:
      0 where all was graded or is the instructor's to decide; 1 where something could not be run
      or written here; 2 where nothing could be done; 130 where it was interrupted.
    """
    given = parser().parse_args(arguments)
    try:
        return _grade(given)
    except (CannotGrade, CourseError, SheetError) as error:
        sys.stderr.write(printable(f"{error}\n"))
        return 2
    except OSError as error:
        sys.stderr.write(
            f"A file cannot be read or written: {error}. Mend that: the same command goes on.\n"
        )
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted. What was graded is kept: the same command goes on.\n")
        return 130


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = argparse.ArgumentParser(
        prog="python -m gradlab_classroom grade",
        description="Grades a folder of notebooks, in a sandbox: as students hand them in, or as "
        "nbgrader, Canvas or Moodle name them.",
    )
    made.add_argument("submitted", type=Path, metavar="DIR", help="the folder")
    made.add_argument("--out", type=Path, required=True, help="the folder for all that is made")
    made.add_argument("--roster", type=Path, help="a CSV: student id, name, canvas_id, ...")
    made.add_argument("--course", type=Path, help=f"default: {COURSE}, or the private one")
    made.add_argument("--assignment", default="", help="which it is, where a file does not tell")
    made.add_argument("--private", type=Path, help="a folder of private exercises")
    made.add_argument("--marks", type=Path, help="written.csv, with marks filled in")
    made.add_argument("--book", default="", help="the book's address, for links to chapters")
    made.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    made.add_argument("--scheduler", default="", help="of Dask, in place of processes here")
    made.add_argument("--again", action="store_true", help="grade what was graded before, too")
    made.add_argument(
        "--unsafe",
        action="store_true",
        help="run submissions without a sandbox: on a machine that has nothing to lose",
    )
    return made


def _grade(given: argparse.Namespace) -> int:
    directory, out = _folders(given)
    course = courses.load(given.course or _course_beside(given.private))
    if given.assignment and given.assignment not in course.assignments:
        known = ", ".join(course.assignments)
        raise CannotGrade(f"There is no assignment {given.assignment!r}. There are: {known}.")
    people = roster.read(given.roster) if given.roster else roster.Roster()
    before = _marks(out / "written.csv", course) if (out / "written.csv").is_file() else {}
    new = _marks(given.marks, course) if given.marks else {}
    chapters = _chapters(given)
    _require_exercises(course, given.private)
    _require_a_sandbox(given.unsafe)

    found = submissions.find(
        directory, course, people, assignment=given.assignment, skip=[out, given.private or out]
    )
    if not found:
        raise CannotGrade(
            f"There is no notebook in {directory}. Unpack what was downloaded into it, or name "
            "another folder."
        )
    hidden = [directory, out, *([given.private] if given.private else [])]
    options = GradingOptions(given.private, given.unsafe, tuple(path.resolve() for path in hidden))
    marked = grade_all(
        found,
        course,
        options,
        out,
        workers=max(1, given.workers),
        scheduler=given.scheduler,
        again=given.again,
    )
    if given.marks:
        written.check(new, marked, course, given.marks)
    faults = _report(out, marked, _Class(course, people, {**before, **new}, chapters))
    for fault in faults:
        sys.stderr.write(printable(f"Not written: {fault}\n"))
    return int(count_statuses(marked)[MACHINE] > 0 or len(faults) > 0)


def _marks(path: Path, course: Course) -> written.Marks:
    """The marks of a table. Before anything is run: who has mistyped one need not wait."""
    found = written.read(path)
    written.check_range(found, course, path)
    return found


def _folders(given: argparse.Namespace) -> tuple[Path, Path]:
    directory: Path = given.submitted
    if directory.suffix.lower() == ".zip" and directory.is_file():
        raise CannotGrade(f"{directory} is an archive: unpack it, and name the folder.")
    if not directory.is_dir():
        raise CannotGrade(f"There is no folder {directory}.")
    out: Path = given.out
    if out.resolve() == directory.resolve():
        raise CannotGrade("--out must be another folder than that of the submissions.")
    make_private_dir(out)
    return directory, out


def _course_beside(private: Path | None) -> Path:
    own = private / "course.yml" if private else COURSE
    return own if own.is_file() else COURSE


def _chapters(given: argparse.Namespace) -> dict[str, list[feedback.Chapter]]:
    own = (given.course or COURSE).with_name("objectives.yml")
    path = own if own.is_file() else COURSE.with_name("objectives.yml")
    if not path.is_file():
        return {}
    try:
        return feedback.chapters_of(objectives.read(path), given.book)
    except ValueError as error:
        raise CannotGrade(str(error)) from error


def _require_exercises(course: Course, private: Path | None) -> None:
    """Refuse, before anything runs, a function that nobody could check."""
    try:
        for assignment in course.assignments.values():
            require_exercises(assignment, private)
    except (OSError, ValueError) as error:
        raise CannotGrade(f"The course asks for what cannot be checked. {error}") from error


def _require_a_sandbox(unsafe: bool) -> None:
    from gradlab_classroom.grading import sandbox

    if unsafe:
        sys.stderr.write(
            "Without a sandbox: a submission can read and change what you can, grades included.\n"
        )
        return
    try:
        sandbox.require()
    except sandbox.SandboxMissing as error:
        raise CannotGrade(str(error)) from error


def _report(out: Path, found: Sequence[Result], given: _Class) -> list[str]:
    """Write all reports, and return what could not be written of them."""
    course, marks = given.course, given.marks
    found = [written.settled(result, marks) for result in found]
    everybody = tables.people_of(found, given.roster)
    names = tables.assignments_of(found, course)
    written.write(out / "written.csv", found, course, marks)
    tables.canvas(out / "canvas.csv", found, course, given.roster, marks)
    for name in names:
        path = out / (f"moodle_{name}.csv" if len(names) > 1 else "moodle.csv")
        tables.moodle(path, found, course.assignments[name], given.roster, marks)
    faults = feedback.write(out, found, course, everybody, marks, given.chapters)
    summary.write(out, found, course, given.roster, marks)
    scores = {"course": course.title, "submissions": [_score(result, given) for result in found]}
    text = json.dumps(scores, indent=2, ensure_ascii=False) + "\n"
    (out / "scores.json").write_text(text, encoding="utf-8")

    counts = count_statuses(found)
    waiting = sum(score["waiting"] for score in scores["submissions"] if isinstance(score, dict))
    sys.stdout.write(
        f"{counts['graded']} graded, {counts['unreadable']} unreadable, {counts['machine']} that "
        f"could not be run here. Reports are in {clean(str(out))}; begin with summary.html.\n"
    )
    if waiting:
        sys.stdout.write(
            f"{waiting} written answers are not marked yet: fill in mark and comment in "
            f"{clean(str(out / 'written.csv'))}, and run the same command again.\n"
        )
    if left := sum(len(result.open) for result in found):
        sys.stdout.write(
            f"{left} functions are left open, since a part of their notebooks was not run: look at "
            f"them, and mark them in {clean(str(out / 'written.csv'))} likewise.\n"
        )
    return faults


def _score(result: Result, given: _Class) -> dict[str, Any]:
    """A submission in ``scores.json``."""
    sum_ = written.total(result, given.course.assignments.get(result.assignment), given.marks)
    own = {
        name: {"points": mark.points, "comment": mark.comment}
        for name in (*result.written, *(mark.name for mark in result.marks))
        if (mark := given.marks.get((result.student, result.assignment, name)))
    }
    return {
        **result.as_json(),
        "points": sum_.points,
        "of": sum_.of,
        "waiting": sum_.waiting,
        "written_marks": own,
    }
