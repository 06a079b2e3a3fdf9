"""The submissions below a folder: whose each is, and for which assignment."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gradlab.exercises.checking.plain_data import clean
from gradlab_classroom.course import Course
from gradlab_classroom.grading.grouping import of_several
from gradlab_classroom.grading.naming import (
    Claim,
    Named,
    Rule,
    assignment_in,
    claims_of,
    named,
)
from gradlab_classroom.grading.reading import Document, Unreadable, read
from gradlab_classroom.grading.recognising import recognised
from gradlab_classroom.grading.roster import Person, Roster, squeezed

INSTEAD = (".py", ".zip", ".html", ".htm", ".pdf", ".json", ".7z", ".rar", ".gz", ".docx")
"""Endings of files that people hand in where a notebook is asked for."""


@dataclass(frozen=True)
class _Whose:
    """The owner of a file.

    Attributes:
      file: its path below the folder of all submissions, as reports can show it.
      name: what it says.
      person: whom the roster knows by it.
      notes: what the instructor should know of that.
    """

    file: PurePosixPath
    name: Named
    person: Person | None
    notes: tuple[str, ...] = ()

    @property
    def student(self) -> str:
        return self.person.id if self.person else self.name.claim.student


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
      own: whom a part further in names, where a folder that no roster knows tells whose it is.
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
    """Find all submissions below a folder, one for each student and assignment: the newest.

    Args:
      directory: what was downloaded and unpacked, in any of the forms that ``naming`` knows.
      course: whose assignments they may be.
      roster: who the students are.
      assignment: which it is, where a file does not tell.
      skip: folders to leave out.
    """
    files = list(_files(directory, {path.resolve() for path in skip}))
    whose = _whose(directory, files, course, roster)
    notebooks = [path for path in files if path.suffix.lower() == ".ipynb"]
    found = [_one(path, whose[path], course, assignment) for path in notebooks]
    found = _distinct(found, roster)
    have = {submission.student for submission in found}
    others = [path for path in files if path.suffix.lower() in INSTEAD]
    for submission in (_one(path, whose[path], course, assignment) for path in others):
        if submission.student not in have:
            found.append(submission)
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for submission in found:
        groups[submission.student, submission.assignment].append(submission)
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


# --------------------------------------------------------------------------- whose they are


def _whose(
    directory: Path, files: Sequence[Path], course: Course, roster: Roster
) -> dict[Path, _Whose]:
    """Find the owner of each file: the roster knows, or else how all of them lie tells."""
    relative = {
        path: PurePosixPath(clean(path.relative_to(directory).as_posix())) for path in files
    }
    deciding = [path for path in files if path.suffix.lower() == ".ipynb"] or files
    several = of_several([claims_of(relative[path], course.assignments) for path in deciding])

    def somebodys(claim: Claim) -> bool:
        return claim.folder not in several if claim.folder else bool(claim.own)

    known: list[Rule] = [lambda claim: roster.knows(claim.keys)] if roster.people else []
    found = {}
    for path in files:
        name = named(relative[path], course.assignments, [*known, somebodys])
        found[path] = _Whose(relative[path], name, roster.find(name.claim.keys))
    students = {owner.student for owner in found.values()}
    return {
        path: replace(owner, notes=tuple(_notes_on(owner, students, somebodys, roster)))
        for path, owner in found.items()
    }


def _notes_on(
    whose: _Whose, students: Collection[str], somebodys: Rule, roster: Roster
) -> Iterator[str]:
    name = whose.name
    if roster.people and not whose.person:
        many = "several" if roster.knows(name.claim.keys) else "nobody"
        yield f"the roster has {many} called {name.claim.student!r}"
    taken = f"it was taken as handed in by {whose.student}"
    for claim in filter(somebodys, name.outer[:1]):
        yield f"{taken}, though it lies in a folder {claim.student!r}, which the roster does not know"
    others = [claim for claim in name.inner if _names_another(claim, whose, students, roster)]
    for claim in others[:1]:
        yield f"{taken}, in whose folder it lies, though a name further in says {claim.student!r}"
    if name.claim.late:
        yield "it was handed in late"


def _names_another(claim: Claim, whose: _Whose, students: Collection[str], roster: Roster) -> bool:
    """Tell whether a part of a path that does not count names somebody else."""
    other = roster.find(claim.keys)
    if other:
        return other.id != whose.student
    if claim.platform:
        same = {squeezed(whose.student), squeezed(whose.name.claim.student)}
        return squeezed(claim.student) not in same
    return claim.own != whose.student and claim.own in students


# --------------------------------------------------------------------------- what is in them


def _one(path: Path, whose: _Whose, course: Course, assignment: str) -> Submission:
    name, claim = whose.name, whose.name.claim
    base = Submission(
        student=whose.student,
        assignment=assignment_in(name.names, course.assignments) or assignment,
        file=whose.file.as_posix(),
        notes=whose.notes,
        back=claim.back,
        version=claim.version,
        own="" if claim.sure or whose.person else next((inner.own for inner in name.inner), ""),
        platform=claim.platform,
    )
    try:
        base = replace(base, modified=path.lstat().st_mtime)
        document = read(path)
        digest = _digest(path)
    except (Unreadable, OSError) as error:
        return replace(base, problem=clean(str(error)))
    except Exception as error:  # a file from anybody must not stop the others
        problem = clean(f"reading it failed: {type(error).__name__}: {error}")
        return replace(base, problem=problem)
    which, note = recognised(document, name.names, course, assignment)
    problem = "" if which else "nothing tells which assignment it is: grade it with --assignment."
    notes = (*base.notes, *document.notes, *([note] if note else []))
    return replace(
        base, assignment=which, document=document, digest=digest, notes=notes, problem=problem
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --------------------------------------------------------------------------- the newest


def _distinct(found: Sequence[Submission], roster: Roster) -> list[Submission]:
    """Two of one name, whom no roster tells apart, are told apart by their platform's ids."""
    ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for submission in found:
        if submission.platform and submission.student not in roster.people:
            ids[submission.student, submission.assignment].add(submission.platform)
    return [
        replace(
            submission, student=f"{submission.student} ({submission.platform.partition(':')[2]})"
        )
        if len(ids[submission.student, submission.assignment]) > 1
        else submission
        for submission in found
    ]


def _newest(group: Sequence[Submission]) -> Submission:
    ordered = sorted(
        group, key=lambda submission: (submission.version, submission.modified, submission.file)
    )
    newest, others = ordered[-1], ordered[:-1]
    if not others:
        return newest
    names = ", ".join(submission.file for submission in others)
    notes = [*newest.notes, f"the newest of {len(group)} was graded; not graded: {names}"]
    owners = sorted({submission.own for submission in group if submission.own})
    if len(owners) > 1:
        notes.append(
            f"the files in {newest.student!r} have several names in them ({', '.join(owners)}): if "
            "they are of several students, give each a folder, or name the students with --roster"
        )
    return replace(newest, notes=tuple(notes))
