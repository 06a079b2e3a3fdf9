"""One start of the sandbox: the cells of a notebook, then its functions, one after another."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from gradlab.exercises.checking.plain_data import encode
from gradlab.exercises.checking.probes import Observations
from gradlab_classroom.grading.answers import (
    Question,
    read_answer,
    read_notes,
    read_variables,
    text,
)
from gradlab_classroom.grading.filtering import opened
from gradlab_classroom.grading.jail import ENVIRONMENT, jailed, python, unused_uid
from gradlab_classroom.grading.watching import GRACE, Stopped, Watched

START_SECONDS = 60.0
"""For Python and JAX to be there, before anything of the submission runs."""

MAPPED = 2**30
"""Bytes that a program with JAX maps, and does not use."""


@dataclass(frozen=True)
class Limits:
    """Limits of one start of the sandbox.

    Attributes:
      seconds: for everything. Time in which the machine has no processor for it is not counted.
      cell_seconds: for each cell; answer_seconds: for each function, all its runs together.
      memory: bytes, of all processes together.
      processes: of them and their threads together.
      output: bytes printed.
      files: bytes in ``/tmp``.
    """

    seconds: float = 120
    cell_seconds: float = 20
    answer_seconds: float = 20
    memory: int = 3 * 2**30
    processes: int = 256
    output: int = 4 * 2**20
    files: int = 64 * 2**20


@dataclass
class Attempt:
    """The outcome of one start.

    Attributes:
      stopped: why it was not finished, if it was not.
      at: what ran then: a cell's index, a function's name, or None before and between them.
    """

    answers: dict[str, Observations | None] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    output: str = ""
    stopped: Stopped | None = None
    at: int | str | None = None


def attempt(
    sources: Sequence[str],
    questions: Sequence[Question],
    variables: Sequence[str],
    *,
    bare: Collection[int],
    limits: Limits,
    unsafe: bool,
    hidden: Sequence[Path],
) -> Attempt:
    """Start the sandbox once. Whatever happens in it is told, and not raised.

    Args:
      sources: of the code cells.
      questions: the functions to call.
      variables: the names of which the plain data are wanted.
      bare: the indices of cells that are run without their calls.
      limits: what it may use.
      unsafe: whether to do without the wall.
      hidden: what is not to be seen inside, see ``jailed``.
    """
    done = Attempt()
    nonce = secrets.token_hex(8)
    order = {
        "cells": list(sources),
        "bare": sorted(bare),
        "names": [question.name for question in questions],
        "variables": list(variables),
        "cell_seconds": limits.cell_seconds,
    }
    try:
        with _start(limits, nonce, unsafe, hidden) as watched:
            try:
                watched.send({"nonce": nonce})
                _wait_for_start(watched)
                watched.send(order)
                _cells(watched, done, limits, len(sources), variables)
                for question in questions:
                    done.at = question.name
                    _ask(watched, done, limits, question)
            finally:
                done.output = watched.printed
                if watched.intruded:
                    done.notes.append("something was written to the grader's own channel; ignored")
    except Stopped as stopped:
        done.stopped = stopped
    return done


def _wait_for_start(watched: Watched) -> None:
    """Until nothing of the submission has been read, whatever goes wrong is the machine's fault."""
    try:
        while watched.receive(START_SECONDS, "at the start")["at"] != "ready":
            pass
    except Stopped as stopped:
        printed = text(watched.printed)
        raise Stopped("machine", f"{stopped.detail}{printed and ': '}{printed}") from stopped


def _cells(
    watched: Watched, done: Attempt, limits: Limits, count: int, variables: Sequence[str]
) -> None:
    doing = "before the first cell"
    while True:
        match watched.receive(limits.cell_seconds + GRACE, doing):
            case {"at": "cell", "index": int(index)} if 0 <= index < count:
                done.at, doing = index, f"in cell {index + 1}"
            case {"at": "raised", "index": int(index), "error": str(error)} if 0 <= index < count:
                done.errors[index] = text(error)
            case {"at": "ran", **rest}:
                done.variables = read_variables(rest.get("variables"), variables)
                done.notes += read_notes(rest.get("notes"))
                return


def _ask(watched: Watched, done: Attempt, limits: Limits, question: Question) -> None:
    watched.send(
        {
            "ask": question.name,
            "probe": question.probe,
            "runs": [encode(tuple(run)) for run in question.runs],
            "seconds": limits.answer_seconds,
        }
    )
    while True:
        match watched.receive(limits.answer_seconds + GRACE, f"in {question.name}"):
            case {"at": "answer", "name": question.name, **rest}:
                done.answers[question.name] = read_answer(rest.get("answered"), question)
                done.notes += read_notes(rest.get("notes"))
                return


def _start(limits: Limits, nonce: str, unsafe: bool, hidden: Sequence[Path]) -> Watched:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory())) if unsafe else Path("/")
        bpf = None if unsafe else opened()
        if bpf is not None:
            stack.callback(os.close, bpf)

        def command(out: int) -> list[str]:
            setup = {
                "out": out,
                "uid": None if unsafe else unused_uid(),
                "rlimits": {
                    "RLIMIT_AS": limits.memory + MAPPED,
                    "RLIMIT_CPU": int(2 * limits.seconds) + 10,
                    "RLIMIT_NPROC": limits.processes + _tasks_of_this_user(),
                    "RLIMIT_FSIZE": limits.files,
                    "RLIMIT_NOFILE": 256,
                    "RLIMIT_CORE": 0,
                },
            }
            inner = python(setup)
            return inner if unsafe else jailed(inner, files=limits.files, hidden=hidden, bpf=bpf)

        watched = Watched(
            command,
            nonce=nonce,
            environment=ENVIRONMENT | ({"HOME": str(folder)} if unsafe else {}),
            folder=folder,
            descriptors=[] if bpf is None else [bpf],
            output=limits.output,
            memory=limits.memory,
            seconds=limits.seconds,
            inner=0 if unsafe else 2,
        )
        if unsafe:
            watched.cleaned = stack.pop_all().close
        return watched


def _tasks_of_this_user() -> int:
    """Older kernels count what a user runs outside of the sandbox too."""
    if (uid := os.getuid()) == 0:
        return 0
    found = psutil.process_iter(["uids", "num_threads"])
    return sum(
        process.info["num_threads"] or 0
        for process in found
        if process.info["uids"] is not None and process.info["uids"].real == uid
    )
