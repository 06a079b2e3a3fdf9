"""What the sandbox saw of each notebook, kept: the same notebook is run once, on whatever machine."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import is_grade

from gradlab.exercises.checking.probes import Observations
from gradlab_classroom.exercises import exercise
from gradlab_classroom.judging import found_in
from gradlab_classroom.sandbox import wall
from gradlab_classroom.sandbox.running import Pass, Question, run
from gradlab_classroom.sandbox.watching import Limits

MOST_FILES = 2**23
"""Bytes of all that lies beside a notebook and goes into the sandbox with it."""


@dataclass(frozen=True)
class Job:
    """All that a run depends on."""

    cells: tuple[str, ...]
    files: Mapping[str, bytes]
    functions: tuple[str, ...]
    limits: Limits = Limits()  # noqa: RUF009 - it can't be changed

    @property
    def key(self) -> str:
        """A hash of the job, of the program that runs it, and of the packages that it runs with."""
        data = [
            self.cells,
            {
                name: hashlib.sha256(content).hexdigest()
                for name, content in sorted(self.files.items())
            },
            [asdict(Question.of(exercise(name))) for name in self.functions],
            asdict(self.limits),
            _program(),
        ]
        return hashlib.sha256(json.dumps(data).encode("utf-8", "replace")).hexdigest()


@cache
def _program() -> list[str]:
    """What runs in the sandbox: our own modules there, and the libraries' versions."""
    files = [folder / f"{name}.py" for folder, names in wall.SHOWN.items() for name in names]
    own = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()
    return [own, *(version(name) for name in ("jax", "jaxlib", "numpy", "optax", "ipython"))]


def job_of(nb: NotebookNode, folder: Path, functions: Iterable[str]) -> Job:
    """Make the job of a restored notebook, and of what lies beside it."""
    cells = tuple(
        cell.source for cell in nb.cells if cell.cell_type == "code" and not is_grade(cell)
    )
    return Job(cells, files_in(folder), tuple(functions))


def files_in(folder: Path) -> dict[str, bytes]:
    """Read the files beside a notebook, up to ``MOST_FILES`` bytes; links aren't followed."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        own = path.suffix == ".ipynb" or name in ("timestamp.txt", "feedback")
        if own or path.is_symlink() or not path.is_file():
            continue
        if sum(map(len, found.values())) + path.stat().st_size <= MOST_FILES:
            found[name] = path.read_bytes()
    return found


def compute(job: Job) -> dict[str, Any]:
    """Run a job's notebook in the sandbox: a function of the job alone."""
    questions = [Question.of(exercise(name)) for name in job.functions]

    def passed(question: Question, seen: Observations | None) -> bool:
        return found_in(exercise(question.name), seen).passed

    passes = run(job.cells, job.files, questions, passed, job.limits)
    return dict(zip(("definitions", "notebook"), map(asdict, passes), strict=True))


class Runs:
    """A folder of results.

    Args:
      folder: it's made; nobody else can read it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _path(self, job: Job) -> Path:
        return self.folder / f"{job.key}.json"

    def result(self, job: Job) -> tuple[Pass, Pass]:
        """Return what was seen of a notebook, with its definitions alone and after all cells.

        Raises:
          Ended: if it isn't kept, and this machine can't run it.
        """
        path = self._path(job)
        if not path.is_file():
            self._keep(path, compute(job))
        found = json.loads(path.read_text("utf-8"))
        return Pass.from_json(found["definitions"]), Pass.from_json(found["notebook"])

    def _keep(self, path: Path, found: Mapping[str, Any]) -> None:
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps(found), encoding="utf-8")
        scratch.replace(path)

    def compute_all(self, jobs: Iterable[Job], pool: Executor) -> Iterator[str]:
        """Compute what isn't kept yet, and yield, for each, "" or why it couldn't be run."""
        left = {job.key: job for job in jobs if not self._path(job).is_file()}
        waiting = {pool.submit(compute, job): job for job in left.values()}
        for done in as_completed(waiting):
            try:
                self._keep(self._path(waiting[done]), done.result())
                yield ""
            except Exception as error:  # it's run again, and told, where it is judged
                yield f"{type(error).__name__}: {error}"


def executor(workers: int, scheduler: str = "") -> AbstractContextManager[Executor]:
    """Return processes of this machine or, at a Dask scheduler's address, of others."""
    if not scheduler:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    from distributed import Client

    return Client(scheduler).get_executor()
