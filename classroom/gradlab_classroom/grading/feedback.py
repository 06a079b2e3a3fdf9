"""A page for each submission, for its student; and archives of them, for the platform."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradlab.exercises.checking.plain_data import clean
from gradlab_classroom.course import Course
from gradlab_classroom.grading import sheets
from gradlab_classroom.grading.result import Result
from gradlab_classroom.grading.roster import Person
from gradlab_classroom.grading.student_text import printable
from gradlab_classroom.grading.written import Marks, total
from gradlab_classroom.objectives import Objective

if TYPE_CHECKING:
    import jinja2

LONGEST = 80
"""Bytes of a part of a page's name. A file's name has 255 at most."""


@dataclass(frozen=True)
class Chapter:
    """A chapter to read again: its number, its title and, where the book is online, its address."""

    number: str
    title: str = ""
    address: str = ""


def environment() -> jinja2.Environment:
    """The templates. Whatever goes into one is escaped, since most of it comes from students."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: printable(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["points"] = sheets.number
    return made


def chapters_of(objectives: Sequence[Objective], book: str = "") -> dict[str, list[Chapter]]:
    """The chapters that teach what an item asks: ``"assignment/item"``, and an exercise's name.

    Args:
      objectives: which say what each item assesses.
      book: the address of the book, or "".
    """
    found: dict[str, list[Chapter]] = {}
    for objective in objectives:
        number, _, rest = objective.chapter.partition("_")
        address = f"{book.rstrip('/')}/notebooks/{objective.chapter}.html" if book else ""
        chapter = Chapter(number, rest.replace("_", " ").capitalize(), address)
        checks = [
            item.removeprefix("check:") for item in objective.assessed if item.startswith("check:")
        ]
        for item in [*objective.points, *checks]:
            if chapter not in found.setdefault(item, []):
                found[item].append(chapter)
    return found


def write(
    out: Path,
    found: Sequence[Result],
    course: Course,
    people: Mapping[str, Person],
    marks: Marks,
    chapters: Mapping[str, Sequence[Chapter]],
) -> list[str]:
    """Write ``feedback/``, a page for each submission, and an archive for each assignment.

    Returns:
      What could not be written, and why: the others are there all the same.
    """
    folder = out / "feedback"
    folder.mkdir(exist_ok=True)
    for old in [*folder.glob("*.html"), *out.glob("feedback*.zip")]:
        old.unlink()  # of an earlier run, perhaps of somebody who has left
    template = environment().get_template("feedback.html")
    names = {result.assignment for result in found}
    archives: dict[Path, list[tuple[str, str]]] = {}
    taken: set[str] = set()
    faults = []
    for result in found:
        name = _free(file_name(result.student, result.assignment), taken)
        try:
            page = template.render(_contents(result, course, people, marks, chapters))
            (folder / name).write_text(page, encoding="utf-8")
        except Exception as error:  # whatever it is, it concerns this page alone
            faults.append(f"the page of {result.file}: {type(error).__name__}: {error}")
            continue
        suffix = f"_{result.assignment or 'unknown'}" if len(names) > 1 else ""
        entry = clean(result.back) or name
        archives.setdefault(out / f"feedback{suffix}.zip", []).append((entry, page))
    for path, entries in archives.items():
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, page in entries:
                archive.writestr(entry, page)
    return faults


def file_name(student: str, assignment: str) -> str:
    """A name for a page, whatever a student is called."""
    plain = [re.sub(r"[^\w.@ -]+", "_", part).strip(". ") for part in (student, assignment)]
    return ("__".join(_short(part) for part in plain if part) or "page") + ".html"


def _short(part: str) -> str:
    """A part of a name in at most ``LONGEST`` bytes; what was cut ends in a hash of the whole."""
    data = part.encode()
    if len(data) <= LONGEST:
        return part
    own = hashlib.sha256(data).hexdigest()[:8]
    return f"{data[: LONGEST - 9].decode(errors='ignore')}-{own}"


def _free(name: str, taken: set[str]) -> str:
    made, n = name, 1
    while made.lower() in taken:  # some file systems know no capital letters
        n += 1
        made = f"{name.removesuffix('.html')}-{n}.html"
    taken.add(made.lower())
    return made


def _contents(
    result: Result,
    course: Course,
    people: Mapping[str, Person],
    marks: Marks,
    chapters: Mapping[str, Sequence[Chapter]],
) -> dict[str, Any]:
    assignment = course.assignments.get(result.assignment)
    person = people.get(result.student)
    read_again = {
        mark.name: chapters.get(f"{result.assignment}/{mark.name}")
        or chapters.get(mark.name)
        or [Chapter(number) for number in (assignment.chapters if assignment else ())]
        for mark in result.marks
    }
    prediction = assignment.prediction if assignment else None
    return {
        "course": course,
        "assignment": assignment,
        "marked": result,
        "name": person.name if person and person.name else result.student,
        "total": total(result, assignment, marks),
        "chapters": read_again,
        "prediction": prediction,
        "chosen": prediction.choices.get(result.prediction.strip().lower()) if prediction else None,
        "marks": {
            name: marks.get((result.student, result.assignment, name))
            for name in (assignment.written if assignment else ())
        },
    }
