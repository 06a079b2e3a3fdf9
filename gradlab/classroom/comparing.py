"""Examines a function by what it does beside the right one and beside known mistakes.

A misconception is a wrong answer, written down as code. The answer and all of them are
observed in the same way on the same cases; the first one that does what the answer does, in
every case, is the one that is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.classroom.findings import Finding, Mistake, call

Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Case:
    """One run of the answer. Equal to itself alone.

    Attributes:
      arguments: what it is called with.
      words: what the run is, for the reader: ``"for g = [3, 4] and max_norm = 1"``.
    """

    arguments: tuple[Any, ...]
    words: str


@dataclass(frozen=True)
class Misconception:
    """A wrong answer and what it mistakes.

    Attributes:
      name: a short name for it, such as ``"clips_each_leaf"``.
      message: what is mistaken, in one or two sentences that do not give the solution away.
        ``{run}``, ``{given}`` and ``{expected}`` are the first case that goes wrong, in words.
      behaves: a function of the same arguments as the answer.
    """

    name: str
    message: str
    behaves: Function


def observe_call(answer: Function, *arguments: Any) -> Any:
    """What is seen of an answer, unless an exercise says otherwise: what it returns."""
    return answer(*arguments)


def examine(
    answer: Any,
    *,
    cases: Sequence[Case],
    right: Function,
    misconceptions: Sequence[Misconception],
    passed: str,
    observe: Function = observe_call,
    require: Callable[[Function, Case], None] | None = None,
    what: str = "the result",
    tolerance: float = 1e-4,
) -> Finding:
    """Finds what a function gets wrong.

    Args:
      answer: what the reader wrote.
      cases: the runs to make, the plainest first.
      right: a function that is right.
      misconceptions: the most telling first.
      passed: the message for a right answer.
      observe: called with a function and a case's arguments; returns a pytree of numbers
        and arrays, such as a value and the cotangent that comes back. What it raises is
        taken for the answer's own.
      require: called first, with the answer and the first case: raises a ``Mistake`` where there
        is nothing to observe, such as for a loss that is no number.
      what: what is observed, for the message, such as ``"the gradient"``.
      tolerance: how far off a number may be: this part of it and of the largest one beside
        it. float32 rounding is to stay below, and every mistake above.

    Returns:
      The finding: passed, a misconception's, or what can be said without one.
    """
    try:
        if not callable(answer):
            raise Mistake(
                "not_callable",
                "the answer should be the function itself, written without calling it, but "
                f"it is of type {type(answer).__name__}.",
            )
        if require is not None:
            require(answer, cases[0])
        seen = [call(observe, answer, *case.arguments, doing=case.words) for case in cases]
        wanted = [_known(observe, right, case) for case in cases]
        for case, given, expected in zip(cases, seen, wanted, strict=True):
            _require_like(case, given, expected)
    except Mistake as mistake:
        return mistake.finding
    agree = [
        _close(given, right_one, tolerance) for given, right_one in zip(seen, wanted, strict=True)
    ]
    if all(agree):
        return Finding("passed", passed, passed=True)
    first = agree.index(False)
    words = {
        "run": cases[first].words,
        "given": show(seen[first]),
        "expected": show(wanted[first]),
    }
    for one in misconceptions:
        if _does(one.behaves, seen, cases, observe, tolerance):
            return Finding(one.name, one.message.format(**words))
    return Finding(
        "wrong",
        f"{words['run']} {what} should be {words['expected']}, but it is {words['given']}.",
    )


def show(value: Any) -> str:
    """A result in a few figures, for a message."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {show(one)}" for key, one in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(show, value)) + ")"
    if value is None:
        return "None"
    array = np.asarray(value, np.float64)
    return str([] if array.size == 0 else _rounded(array))


def _rounded(array: np.ndarray) -> Any:
    return np.vectorize(lambda number: float(f"{number:.4g}"))(array).tolist()


def _does(
    behaves: Function,
    seen: Sequence[Any],
    cases: Sequence[Case],
    observe: Function,
    tolerance: float,
) -> bool:
    for given, case in zip(seen, cases, strict=True):
        other = _known(observe, behaves, case)
        if _shapes(other) != _shapes(given) or not _close(given, other, tolerance):
            return False
    return True


def _known(observe: Function, function: Function, case: Case) -> Any:
    """What is observed of a function of the exercise's own: the same for every answer."""
    return _observed(observe, function, case, jnp.result_type(float))


@lru_cache(maxsize=2**14)
def _observed(observe: Function, function: Function, case: Case, floats: np.dtype) -> Any:
    """``floats``, the dtype that Python's have in JAX, is there as a part of the key."""
    return jax.tree.map(np.asarray, observe(function, *case.arguments))


def _require_like(case: Case, given: Any, expected: Any) -> None:
    if given is None and expected is not None:
        raise Mistake("returns_none", f"{case.words} it returned None. Is a return missing?")
    structure: Any = jax.tree.structure(expected)
    other: Any = jax.tree.structure(given)
    if structure != other:
        raise Mistake(
            "structure_changed",
            f"{case.words} it returned {_describe(given)}, but {_describe(expected)} is expected.",
        )
    for leaf, one in zip(jax.tree.leaves(expected), jax.tree.leaves(given), strict=True):
        try:
            array = np.asarray(one, np.float64)
        except (TypeError, ValueError):
            raise Mistake(
                "returns_other",
                f"{case.words} it returned {_describe(one)} where a number or an array is expected.",
            ) from None
        if array.shape != np.shape(leaf):
            raise Mistake(
                "shape_changed",
                f"{case.words} it returned an array of shape {array.shape}, but one of shape "
                f"{np.shape(leaf)} is expected.",
            )


def _describe(value: Any) -> str:
    if isinstance(value, dict):
        return f"a dict with the keys {', '.join(map(repr, value)) or 'of nothing'}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    if hasattr(value, "shape"):
        return f"an array of shape {tuple(value.shape)}"
    return f"a {type(value).__name__}"


def _shapes(value: Any) -> Any:
    return jax.tree.structure(value), [np.shape(leaf) for leaf in jax.tree.leaves(value)]


def _close(given: Any, expected: Any, tolerance: float) -> bool:
    pairs = zip(jax.tree.leaves(given), jax.tree.leaves(expected), strict=True)
    return all(
        _near(np.asarray(a, np.float64), np.asarray(b, np.float64), tolerance) for a, b in pairs
    )


def _near(given: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    finite = np.abs(expected[np.isfinite(expected)])
    size = float(finite.max(initial=0.0))
    return bool(
        np.allclose(given, expected, rtol=tolerance, atol=0.1 * tolerance * size, equal_nan=True)
    )
