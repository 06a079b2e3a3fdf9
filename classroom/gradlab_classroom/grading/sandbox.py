"""Runs one notebook that nobody has read, and returns what its functions do: as plain data.

Nothing of what it defines reaches this process, and nothing is judged in that one. A notebook
that hangs, that ends its process or takes too much is run again without the part that did it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.probes import PROBES, Observations
from gradlab_classroom.grading.answers import Question, not_run
from gradlab_classroom.grading.attempt import Attempt, Limits, attempt
from gradlab_classroom.grading.filtering import opened
from gradlab_classroom.grading.jail import ENVIRONMENT, jailed

__all__ = ["Limits", "Question", "Ran", "SandboxMissing", "require", "run"]


@dataclass(frozen=True)
class Ran:
    """The outcome of a notebook's run.

    Attributes:
      status: ``"finished"``; or why its cells were not all run as they stand: ``"time"``,
        ``"memory"``, ``"output"``, ``"processes"``, ``"died"`` (the process ended by itself);
        or ``"machine"``: it could not be run here, which is not the notebook's fault.
      detail: the same in a sentence.
      answers: what was seen of each function; None where there is none of that name. One that
        hung, or ended the process, has that as the error of every run.
      variables: those asked for that were found, as plain data.
      errors: what each cell raised, by the cell's index.
      output: what was printed, cut.
      notes: what an instructor should know.
      seconds: that it all took.
    """

    status: str
    detail: str
    answers: Mapping[str, Observations | None]
    variables: Mapping[str, Any]
    errors: Mapping[int, str]
    output: str
    notes: tuple[str, ...]
    seconds: float


class SandboxMissing(RuntimeError):
    """This machine has no sandbox: what is missing, and what to do."""


def require() -> None:
    """See to it, once, that a sandbox can be built here.

    Raises:
      SandboxMissing: if it cannot.
    """
    if problem := _problem():
        raise SandboxMissing(
            f"{problem} If you have read every notebook and trust it, --unsafe does without a "
            "sandbox: each may then read and write whatever you may."
        )


@cache
def _problem() -> str:
    if shutil.which("bwrap") is None:
        return (
            "bubblewrap was not found. It keeps a notebook from your files and from the network, "
            "on Linux: install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf "
            "install bubblewrap), or grade in a Linux container or virtual machine."
        )
    bpf = opened()
    program = [sys.executable, "-I", "-c", "import json"]
    command = jailed(program, files=2**20, hidden=(), bpf=bpf)
    try:
        tried = subprocess.run(
            command, env=ENVIRONMENT, pass_fds=() if bpf is None else (bpf,), capture_output=True,
            text=True, timeout=60, check=False, cwd="/",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap could not build a sandbox: {error}."
    finally:
        if bpf is not None:
            os.close(bpf)
    if tried.returncode == 0:
        return ""
    return (
        f"bubblewrap could not build a sandbox: {tried.stderr.strip() or tried.returncode}. It "
        "needs user namespaces. Where the kernel or a container forbids them, allow them (sysctl "
        "kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0; "
        "docker run --security-opt seccomp=unconfined), or run it as root."
    )


def run(
    sources: Sequence[str],
    questions: Sequence[Question],
    variables: Sequence[str] = (),
    *,
    limits: Limits = Limits(),  # noqa: B008 - it cannot be changed
    unsafe: bool = False,
    hidden: Sequence[Path] = (),
) -> Ran:
    """Run a notebook's cells, then each of the functions that are asked for.

    Args:
      sources: the texts of the code cells.
      questions: the functions to call, and with what. The cells cannot see it while they run.
      variables: names whose plain data are wanted.
      limits: what each start of the sandbox may use.
      unsafe: whether to run it without the wall; the limits are kept as well as can be.
      hidden: files and folders that are not to be seen inside, where they lie within this
        package or within Python's folders. Nothing else can be seen anyway.

    Raises:
      SandboxMissing: if there is no sandbox here, and ``unsafe`` is not set.
      ValueError: if a question's probe is not known, or two questions have one name.
    """
    if not unsafe:
        require()
    for question in questions:
        if question.probe not in PROBES:
            known = ", ".join(map(repr, PROBES))
            raise ValueError(
                f"{question.name}: there is no probe {question.probe!r}, only {known}."
            )
    if len({question.name for question in questions}) < len(questions):
        names = [question.name for question in questions]
        raise ValueError(f"Each function can be asked for once, and these are asked for: {names}.")
    began, whole = time.monotonic(), _Whole(sources, questions)
    while True:
        tried = attempt(
            sources, whole.left, variables,
            bare=whole.bare, limits=limits, unsafe=unsafe, hidden=hidden,
        )  # fmt: skip
        late = time.monotonic() - began > 3 * limits.seconds
        if whole.add(tried, late):
            return whole.ran(time.monotonic() - began)


class _Whole:
    """The sum of several starts."""

    def __init__(self, sources: Sequence[str], questions: Sequence[Question]) -> None:
        self.left, self.bare = list(questions), frozenset[int]()
        self._every = frozenset(range(len(sources)))
        self._questions = {question.name: question for question in questions}
        self._status, self._detail, self._output = "finished", "every cell was run", ""
        self._answers: dict[str, Observations | None] = {}
        self._variables: dict[str, Any] = {}
        self._errors: dict[int, str] = {}
        self._notes: dict[str, None] = {}  # an ordered set
        self._started = self._machine = 0

    def add(self, tried: Attempt, late: bool) -> bool:
        """Take one start in. True when there is to be no other."""
        self._answers |= tried.answers
        self._variables = tried.variables | self._variables
        self.left = [question for question in self.left if question.name not in tried.answers]
        self._notes |= dict.fromkeys(tried.notes)
        if self._started == 0 or not self._output:
            self._output = tried.output
        if not self.bare:  # what is raised since a cell was not run is nobody's mistake
            self._errors |= tried.errors
        self._started += 1
        stopped = tried.stopped
        if stopped is None:
            return True
        if stopped.reason == "machine":
            self._machine += 1
            if self._machine > 1:
                self._status, self._detail = stopped.reason, stopped.detail
                return True
            self._started -= 1
            time.sleep(1)
            return False
        if isinstance(tried.at, str):
            self._not_run(tried.at, stopped.detail)
            self._notes[stopped.detail] = None
        elif not self._without_calls(tried.at, stopped.reason, stopped.detail):
            late = True
        if late:
            for question in list(self.left):
                self._not_run(question.name, f"it was not reached: {stopped.detail}")
        return not self.left

    def _not_run(self, name: str, why: str) -> None:
        self._answers[name] = not_run(self._questions[name], why)
        self.left = [question for question in self.left if question.name != name]

    def _without_calls(self, index: int | None, reason: str, detail: str) -> bool:
        """Leave out the calls of the cell that ended a start, then those of all. False if done."""
        if self._status == "finished":
            self._status, self._detail = reason, detail
        if index is not None:
            self._errors.setdefault(index, detail)
        if self.bare == self._every:
            return False
        fresh = index is not None and not self.bare
        self.bare = frozenset({index}) if fresh and index is not None else self._every
        which = f"cell {index + 1} was" if fresh and index is not None else "all cells were"
        self._notes[f"{detail}; {which} then run without calls: definitions and constants"] = None
        return True

    def ran(self, seconds: float) -> Ran:
        """The whole, at the end."""
        return Ran(
            self._status, self._detail, self._answers, self._variables, self._errors,
            self._output, tuple(self._notes), seconds,
        )  # fmt: skip
