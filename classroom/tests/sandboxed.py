"""Shared by the tests of the sandbox."""

from __future__ import annotations

import os

import pytest
from gradlab_classroom.grading.sandbox import Limits, Question, Ran, SandboxMissing, require

from gradlab.exercises.checking.catalogue import EXERCISES

CI = os.environ.get("CI", "").lower() in ("1", "true")
MAX_NORM = EXERCISES["max_norm"]
ASKED = Question("max_norm", MAX_NORM.probe, [case.arguments for case in MAX_NORM.cases])
SMALL = Limits(
    seconds=20, cell_seconds=1.5, answer_seconds=1.5, memory=2**30, output=2**20, files=2**24
)


def need_sandbox() -> None:
    """Skip loudly where no sandbox can be built, and fail under CI."""
    try:
        require()
    except SandboxMissing as missing:
        if CI:
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing))


def found(ran: Ran) -> str:
    """The name of what is found of ``max_norm``: what its points depend on."""
    answered = ran.answers["max_norm"]
    return "missing" if answered is None else MAX_NORM.judge(answered).name


def told(ran: Ran) -> str:
    """Return all that a grader is told, besides the answers."""
    answered = ran.answers.get("max_norm")
    seen = [str(observation.error) for observation in answered.seen] if answered else []
    return "\n".join(
        (ran.detail, *ran.notes, *ran.errors.values(), *(f"max_norm: {error}" for error in seen))
    )
