"""Many submissions on many cores, or machines: each by itself, none twice, and none lost.

What was graded is kept in a file by the content of the notebook and of all that graded it. The
same command goes on where it was interrupted.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gradlab_classroom.course import Course
from gradlab_classroom.grading.cluster import cluster_of
from gradlab_classroom.grading.grade_one import GradingOptions, grade_one
from gradlab_classroom.grading.jail import CLASSROOM, GRADLAB
from gradlab_classroom.grading.result import (
    GRADED,
    MACHINE,
    UNREADABLE,
    Result,
    cleaned,
    few,
    ungraded,
)
from gradlab_classroom.grading.submissions import Submission

SOURCES = (CLASSROOM, *(GRADLAB / name for name in ("exercises", "ops", "unroll")))
"""The folders of the code that a mark depends on."""


def grade_all(
    submissions: Sequence[Submission],
    course: Course,
    options: GradingOptions,
    out: Path,
    *,
    workers: int,
    scheduler: str = "",
    again: bool = False,
) -> list[Result]:
    """Grade all submissions, in their order.

    What cannot be graded has a status that says so. A traceback goes into ``out/log.txt``.

    Args:
      submissions: of any assignments of the course.
      course: what they are worth.
      options: what all are graded with.
      out: the folder that keeps what was graded, and the log.
      workers: processes to start here, where no scheduler is named.
      scheduler: the address of a scheduler of Dask, or "".
      again: whether to grade also what was graded before.
    """
    store = _Store(out / "state", course, options)
    found: dict[int, Result] = {}
    waiting: dict[str, list[int]] = defaultdict(list)  # equal files are graded once
    for n, submission in enumerate(submissions):
        if submission.problem or submission.document is None:
            found[n] = _of(submission, ungraded(submission, UNREADABLE, submission.problem))
            continue
        key = store.key(submission)
        kept = None if again else store.kept(key, submission)
        if kept is not None:
            found[n] = _of(submission, kept)
        else:
            waiting[key].append(n)
    with _progress(len(submissions), found.values()) as advance:
        if waiting:
            with cluster_of(workers, scheduler, out) as run:
                tasks = {
                    key: (_grade, submissions[ns[0]], course, options)
                    for key, ns in waiting.items()
                }
                for key, result in run(tasks):
                    first = submissions[waiting[key][0]]
                    marked = _result(first, result, out / "log.txt")
                    if marked.status == GRADED:
                        store.keep(key, marked)
                    for n in waiting[key]:
                        found[n] = _of(submissions[n], marked)
                        advance(found[n].status)
    return [found[n] for n in range(len(submissions))]


def _grade(submission: Submission, course: Course, options: GradingOptions) -> tuple[Result, str]:
    """In a worker: what was found, and the traceback of what failed in the grader itself."""
    try:
        found = grade_one(submission, course.assignments[submission.assignment], options)
        return replace(found, errors=few(found.errors)), ""
    except Exception as error:  # whatever it is, it concerns this submission alone
        reason = f"the grader failed: {type(error).__name__}: {error}"
        return ungraded(submission, MACHINE, reason), traceback.format_exc()


def _result(submission: Submission, result: Any, log: Path) -> Result:
    """Return a worker's result, or what became of it, with an entry in the log where it failed."""
    if isinstance(result, BaseException):
        reason = f"it could not be graded: {type(result).__name__}: {result}"
        marked, trace = ungraded(submission, MACHINE, reason), reason
    else:
        marked, trace = result
    if trace:
        with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{submission.file}\n{trace}\n")
    return marked


def _of(submission: Submission, marked: Result) -> Result:
    """A result for the same content, with what is known of this file."""
    own = replace(
        marked,
        student=submission.student,
        file=submission.file,
        back=submission.back,
        platform=submission.platform,
        notes=(*submission.notes, *marked.notes),
        digest=submission.digest,
    )
    return cleaned(own)


@cache
def _sources() -> str:
    """A hash of the code that grades, as it was when it was first asked for."""
    hashed = hashlib.sha256()
    for path in (path for folder in SOURCES for path in sorted(folder.rglob("*.py"))):
        hashed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()


class _Store:
    """Results that are kept, a file each."""

    def __init__(self, folder: Path, course: Course, options: GradingOptions) -> None:
        self.folder, self.course = folder, course
        folder.mkdir(parents=True, exist_ok=True)
        hashed = hashlib.sha256(_sources().encode())
        if options.private is not None:
            for path in sorted(path for path in options.private.rglob("*") if path.is_file()):
                hashed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        for name in ("jax", "numpy"):
            hashed.update(f"{name} {version(name)}\0".encode())
        hashed.update(b"unsafe" if options.unsafe else b"")
        self.grader = hashed.hexdigest()

    def key(self, submission: Submission) -> str:
        """A name for the submission's content and all that its mark depends on."""
        assignment = self.course.assignments[submission.assignment]
        parts = (submission.digest, repr(assignment), self.grader)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def kept(self, key: str, submission: Submission) -> Result | None:
        """Return what was graded of the submission, or None where no file says so."""
        try:
            given = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            found = Result.from_json(given)
        except (OSError, ValueError, RecursionError):  # none, half of one, or something else
            return None
        asked = self.course.assignments[submission.assignment].functions
        as_asked = [mark.name for mark in found.marks] == list(asked)
        of_it = found.assignment == submission.assignment and found.status == GRADED
        return found if of_it and as_asked else None

    def keep(self, key: str, marked: Result) -> None:
        path = self.folder / f"{key}.json"
        part = path.with_suffix(".part")
        part.write_text(json.dumps(marked.as_json()), "utf-8")
        part.replace(path)  # whole or not at all, whenever it is interrupted


@contextmanager
def _progress(total: int, already: Any) -> Iterator[Any]:
    """A bar with the counts of each status; nothing where nobody looks."""
    from tqdm import tqdm

    counts = Counter(result.status for result in already)
    with tqdm(
        total=total, initial=sum(counts.values()), unit="notebook", disable=None, desc="grading"
    ) as bar:

        def advance(status: str) -> None:
            counts[status] += 1
            bar.set_postfix({name: counts[name] for name in (GRADED, UNREADABLE, MACHINE)})
            bar.update()

        yield advance
