"""What the tests of exercises share: banks of wrong answers by finding, and of right ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax

from gradlab.exercises import check
from gradlab.exercises.checking.catalogue import EXERCISES

Answer = Callable[..., Any]


def pairs(wrong: Mapping[str, Sequence[Answer]]) -> list[tuple[str, Answer]]:
    """Each wrong answer with the finding that it should get."""
    return [(finding, answer) for finding, answers in wrong.items() for answer in answers]


def assert_named(exercise: str, finding: str, answer: Answer) -> None:
    """A wrong answer fails, with the message of its own mistake, and earns what that leaves."""
    result = check(exercise, answer)
    assert not result
    assert result.finding == finding, result
    assert result.credit == EXERCISES[exercise].partial.get(finding, 0.0) < 1
    assert repr(result).startswith("Not yet: ")


def assert_passes(exercise: str, answer: Answer, wide: bool) -> None:
    """A right answer passes, with or without 64-bit numbers."""
    with jax.enable_x64(wide):
        result = check(exercise, answer)
    assert result, result
    assert result.credit == 1
    assert repr(result).startswith("Passed: ")
