"""What the sandbox saw of each notebook, kept: the same notebook is run once, on whatever machine."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import is_grade

import sccbook
from sccbook.checking.findings import Exercise
from sccbook.exercises.catalogue import find_exercise
from sccbook_classroom import exam
from sccbook_classroom.course import CourseError, load
from sccbook_classroom.judging import found_in
from sccbook_classroom.sandbox import wall
from sccbook_classroom.sandbox.running import Pass, Question, run
from sccbook_classroom.sandbox.watching import Limits

MOST_FILES = 2**23
"""Bytes of all that lies beside a notebook and goes into the sandbox with it."""


@dataclass(frozen=True)
class Job:
    """All that a run depends on: code cells, files beside them, functions, an exam's text, limits."""

    cells: tuple[str, ...]
    files: Mapping[str, bytes]
    functions: tuple[str, ...]
    drawn: str = ""
    limits: Limits = Limits()  # noqa: RUF009 - it can't be changed

    def exercise(self, name: str) -> Exercise:
        """Return the exercise that asks for a function: an exam's, or one of the book's."""
        return exam.exercises(self.drawn).get(name) or find_exercise(name)

    @property
    def questions(self) -> list[Question]:
        """What its functions are called with."""
        return [Question.of(self.exercise(name)) for name in self.functions]

    @property
    def key(self) -> str:
        """A hash of the job, of the program that runs it, and of the packages that it runs with."""
        files = {name: hashlib.sha256(self.files[name]).hexdigest() for name in sorted(self.files)}
        data = [self.cells, files, [*map(asdict, self.questions)], asdict(self.limits), *_program()]
        return hashlib.sha256(json.dumps(data).encode("utf-8", "replace")).hexdigest()


@cache
def _program() -> list[str]:
    """A hash of what runs in the sandbox, and all packages that it finds there."""
    files = [folder / f"{name}.py" for folder, names in wall.SHOWN.items() for name in names]
    return [_hash(files), *sorted(f"{one.name} {one.version}" for one in distributions())]


@cache
def _judges() -> str:
    book = Path(sccbook.__file__).parent
    folders = (book / "checking", book / "exercises", Path(__file__).parent)
    return _hash(file for folder in folders for file in folder.rglob("*.py"))


def _hash(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


def state(root: Path) -> str:
    """Return a hash of all that a mark depends on besides the notebook: the course, and what judges."""
    own = [root / name for name in ("course.yml", exam.FILE) if (root / name).is_file()]
    return _hash(own) + _judges()


def key_of(nb: NotebookNode, job: Job) -> str:
    """Return a hash of a restored notebook: its job, and all its cells, words too."""
    texts = json.dumps([job.key, *(cell.source for cell in nb.cells)])
    return hashlib.sha256(texts.encode("utf-8", "replace")).hexdigest()


def job_of(nb: NotebookNode, folder: Path, root: Path, assignment: str) -> Job:
    """Make the job of a restored notebook.

    Args:
      nb: the notebook; folder: where it lies, with the files beside it; links aren't followed.
      root: the course's folder; assignment: which it is.

    Raises:
      CourseError: if there is no such assignment.
    """
    code = [cell.source for cell in nb.cells if cell.cell_type == "code" and not is_grade(cell)]
    course, files = load(root / "course.yml"), {}
    if assignment not in course.assignments:
        raise CourseError(f"{root}/course.yml has no assignment {assignment!r}.")
    room = MOST_FILES
    for path in sorted(folder.rglob("*")):
        plain = path.is_file() and not path.is_symlink() and path.suffix != ".ipynb"
        if plain and path.name != "timestamp.txt" and path.stat().st_size <= room:
            files[path.relative_to(folder).as_posix()] = path.read_bytes()
            room -= path.stat().st_size
    drawn = (root / exam.FILE).read_text("utf-8") if (root / exam.FILE).is_file() else ""
    return Job(tuple(code), files, tuple(course.assignments[assignment].functions), drawn)


def compute(job: Job) -> dict[str, Any]:
    """Run a job's notebook in the sandbox: a function of the job alone."""
    passes = run(
        job.cells, job.files, job.questions,
        lambda asked, seen: found_in(job.exercise(asked.name), seen).passed, job.limits,
    )  # fmt: skip
    return dict(zip(("definitions", "notebook"), map(asdict, passes), strict=True))


class Runs:
    """A folder of results. It's made where there is none; nobody else can read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def result(self, job: Job) -> tuple[Pass, Pass]:
        """Return what was seen of a notebook, with its definitions alone and after all cells.

        Raises:
          Ended: if it isn't kept, and this machine can't run it.
        """
        path = self.folder / f"{job.key}.json"
        if not path.is_file():
            self._keep(job.key, compute(job))
        found = json.loads(path.read_text("utf-8"))
        return Pass.from_json(found["definitions"]), Pass.from_json(found["notebook"])

    def same(self, name: str, key: str) -> bool:
        """Tell whether a name has the key that it had when this was asked before, and keep it."""
        path = self.folder / f"{hashlib.sha256(name.encode()).hexdigest()}.key"
        before = path.read_text("ascii") if path.is_file() else ""
        path.write_text(key, "ascii")
        return before == key

    def _keep(self, key: str, found: Mapping[str, Any]) -> None:
        scratch = self.folder / f"{key}.{os.getpid()}"
        scratch.write_text(json.dumps(found), "utf-8")
        scratch.replace(self.folder / f"{key}.json")

    def compute_all(self, jobs: Iterable[Job], pool: Executor) -> Iterator[str]:
        """Compute what isn't kept yet, and yield, for each, "" or why it couldn't be run."""
        left = {job.key: job for job in jobs}
        left = {key: left[key] for key in left if not (self.folder / f"{key}.json").is_file()}
        waiting = {pool.submit(compute, job): key for key, job in left.items()}
        for done in as_completed(waiting):
            try:
                self._keep(waiting[done], done.result())
                yield ""
            except Exception as error:  # it's run again, and told, where it is judged
                yield f"{type(error).__name__}: {error}"
