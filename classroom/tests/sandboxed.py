"""Shared by the tests of the sandbox: run cells, and read what came back."""

from __future__ import annotations

import os

import pytest

from sccbook.exercises.catalogue import EXERCISES
from sccbook_classroom.judging import found_in
from sccbook_classroom.sandbox.running import Question, run
from sccbook_classroom.sandbox.wall import SandboxMissing, require
from sccbook_classroom.sandbox.watching import Limits

MAX_NORM = EXERCISES["max_norm"]
SMALL = Limits(seconds=20, step_seconds=1.5, memory=2**30, files=2**24)


def need_sandbox():
    """Skip, and say why, where no sandbox can be built; fail under CI."""
    try:
        require()
    except SandboxMissing as missing:
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing))


def seen_in(cells, files=None, limits=SMALL, questions=None):
    """Run cells, and ask for ``max_norm``, or what is asked for."""
    need_sandbox()
    questions = [Question.of(MAX_NORM)] if questions is None else questions

    def passed(question, seen):
        return question.name in EXERCISES and found_in(EXERCISES[question.name], seen).passed

    return run(cells, files or {}, questions, passed, limits)


def errors_in(passes):
    """All that cells and ``max_norm`` raised."""
    observed = [one.seen(Question.of(MAX_NORM)) for one in passes]
    raised = [str(run.error) for one in observed if one for run in one.seen]
    return [*(error for one in passes for error in one.errors.values()), *raised]
