"""All that was handed in: whose it is, and for which assignment."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gradlab.classroom.course import Course
from gradlab.classroom.grading.naming import Named, assignment_in, named
from gradlab.classroom.grading.reading import Document, Unreadable, read
from gradlab.classroom.grading.recognising import recognised
from gradlab.classroom.grading.roster import Roster

INSTEAD = (".py", ".zip", ".html", ".htm", ".pdf", ".json", ".7z", ".rar", ".gz", ".docx")
"""What people hand in where a notebook is asked for."""


@dataclass(frozen=True)
class Submission:
    """One student's notebook for one assignment.

    Attributes:
      student: by the roster, or by the file's name.
      assignment: its name, or "" where nothing tells it.
      file: its path below the folder of all submissions.
      document: what is in it, or None where it cannot be read.
      problem: why it cannot be graded, for the instructor.
      notes: what else the instructor should know.
      digest: of the file's content.
      back: the entry for it in an archive of feedback, where the platform wants its own.
      version: of several of one name, the greatest is the newest.
      modified: the file's time.
      own: what the file's name says besides the assignment, of whom no roster knows.
      platform: whose it is in the platform's words: ``"canvas:12345"``, ``"moodle:678"`` or "".
    """

    student: str
    assignment: str
    file: str
    document: Document | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    digest: str = ""
    back: str = ""
    version: int = 0
    modified: float = 0.0
    own: str = ""
    platform: str = ""


def find(
    directory: Path,
    course: Course,
    roster: Roster,
    *,
    assignment: str = "",
    skip: Iterable[Path] = (),
) -> list[Submission]:
    """Finds all submissions below a folder, one for each student and assignment: the newest.

    Args:
      directory: what was downloaded and unpacked, in any of the forms that ``naming`` knows.
      course: whose assignments they may be.
      roster: who the students are.
      assignment: which it is, where a file does not tell.
      skip: folders to leave out.
    """
    files = list(_files(directory, {path.resolve() for path in skip}))
    notebooks = [path for path in files if path.suffix.lower() == ".ipynb"]
    found = [_one(directory, path, course, roster, assignment) for path in notebooks]
    found = _distinct(_apart(found), roster)
    have = {one.student for one in found}
    others = [path for path in files if path.suffix.lower() in INSTEAD]
    for one in (_one(directory, path, course, roster, assignment) for path in others):
        if one.student not in have:
            found.append(one)
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for one in found:
        groups[one.student, one.assignment].append(one)
    return [_newest(group) for _, group in sorted(groups.items())]


def _files(directory: Path, skip: set[Path]) -> Iterator[Path]:
    for folder, folders, names in os.walk(directory):
        at = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "__MACOSX")) and (at / name).resolve() not in skip
        )
        yield from (at / name for name in sorted(names) if not name.startswith((".", "~")))


def _one(
    directory: Path, path: Path, course: Course, roster: Roster, assignment: str
) -> Submission:
    relative = PurePosixPath(path.relative_to(directory).as_posix())
    name = named(relative, course.assignments)
    person = roster.find(name.keys)
    base = Submission(
        student=person.id if person else name.student,
        assignment=assignment_in(name.names, course.assignments) or assignment,
        file=relative.as_posix(),
        notes=_first_notes(name, known=person is not None or not roster.people),
        back=name.back,
        version=name.version,
        own="" if person else name.own,
        platform=name.platform,
    )
    try:
        base = replace(base, modified=path.lstat().st_mtime)
        document = read(path)
        digest = _digest(path)
    except (Unreadable, OSError) as error:
        return replace(base, problem=str(error))
    except Exception as error:  # a file from anybody must not stop the others
        return replace(base, problem=f"reading it failed: {type(error).__name__}: {error}")
    which, note = recognised(document, name.names, course, assignment)
    problem = "" if which else "nothing tells which assignment it is: grade it with --assignment."
    notes = (*base.notes, *document.notes, *([note] if note else []))
    return replace(
        base, assignment=which, document=document, digest=digest, notes=notes, problem=problem
    )


def _first_notes(name: Named, *, known: bool) -> tuple[str, ...]:
    unknown = "" if known else f"the roster has nobody called {name.student!r}"
    return tuple(filter(None, (unknown, "it was handed in late" if name.late else "")))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --------------------------------------------------------------------------- the newest


def _apart(found: Sequence[Submission]) -> list[Submission]:
    """Where all files are in one folder, which is nobody's, each is of whom its own name says."""
    if len({one.student for one in found}) > 1 or not all(one.own for one in found):
        return list(found)
    return [replace(one, student=one.own) for one in found]


def _distinct(found: Sequence[Submission], roster: Roster) -> list[Submission]:
    """Two of one name, whom no roster tells apart, are told apart by their platform's ids."""
    ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        if one.platform and one.student not in roster.people:
            ids[one.student, one.assignment].add(one.platform)
    return [
        replace(one, student=f"{one.student} ({one.platform.partition(':')[2]})")
        if len(ids[one.student, one.assignment]) > 1
        else one
        for one in found
    ]


def _newest(group: Sequence[Submission]) -> Submission:
    ordered = sorted(group, key=lambda one: (one.version, one.modified, one.file))
    newest, others = ordered[-1], ordered[:-1]
    if not others:
        return newest
    names = ", ".join(one.file for one in others)
    return replace(
        newest, notes=(*newest.notes, f"the newest of {len(group)} was graded; not graded: {names}")
    )
