"""Judges a function by what it did, beside the right one and beside known mistakes.

A misconception is a wrong answer, written down as code. It is observed in the same way, on the
same cases, as the answer was; the first one that does what the answer does, in every case, is the
one that is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.exercises.checking.findings import (
    Case,
    Finding,
    Mistake,
    cut,
    require_a_number,
    require_callable,
)
from gradlab.exercises.checking.plain_data import Other, plain
from gradlab.exercises.checking.probes import FAILED, PROBES, RETURNED, Answered, returned

Function = Callable[..., Any]

MOST_NUMBERS = 1000
"""Of an array that is shown, and of an example that an answer gives."""
LONGEST_SHOWN, MOST_PARTS = 400, 20
"""Characters of a result in a message, and parts of a dict or a tuple in it."""


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


@dataclass(frozen=True, eq=False)
class Comparison:
    """The judge of an exercise: what was seen of an answer is compared with functions of its own.

    Attributes:
      cases: the runs that were made, the plainest first.
      right: a function that is right.
      misconceptions: the most telling first.
      passed: the message for a right answer.
      probe: the name of the probe that observed the answer, and observes ``right`` and the
        misconceptions.
      known: in place of the probe, for these: called with one of them and a case's arguments,
        returns what the probe would have seen. For formulas that need no JAX.
      require: called first, with what was returned in each case and its words: raises a
        ``Mistake`` where that is nothing to compare, such as a loss that is no number.
      what: what is observed, for the message, such as ``"the gradient"``.
      tolerance: how far off a number may be: this part of it and of the largest one beside
        it. float32 rounding is to stay below, and every mistake above.
    """

    cases: Sequence[Case]
    right: Function
    misconceptions: Sequence[Misconception]
    passed: str
    probe: str = "returned"
    known: Function | None = None
    require: Callable[[Any, str], None] | None = None
    what: str = "the result"
    tolerance: float = 1e-4

    def __call__(self, answered: Answered) -> Finding:
        """Finds what an answer gets wrong: passed, a misconception's name, or what can be said without."""
        try:
            seen = require_results(answered, self.cases, differentiated=self.probe == "at_tensor")
            for case, given in zip(self.cases, seen, strict=True):
                if self.require is not None:
                    self.require(given, case.words)
            wanted = [self._does(self.right, case) for case in self.cases]
            for case, given, expected in zip(self.cases, seen, wanted, strict=True):
                require_like(case, given, expected)
        except Mistake as mistake:
            return mistake.finding
        agree = [
            _close(one, other, self.tolerance) for one, other in zip(seen, wanted, strict=True)
        ]
        if all(agree):
            return Finding("passed", self.passed, passed=True)
        first = agree.index(False)
        words = {
            "run": self.cases[first].words,
            "given": show(seen[first]),
            "expected": show(wanted[first]),
        }
        for one in self.misconceptions:
            if self._fits(one.behaves, seen):
                return Finding(one.name, one.message.format(**words))
        return Finding(
            "wrong",
            f"{words['run']} {self.what} should be {words['expected']}, but it is {words['given']}.",
        )

    def _fits(self, behaves: Function, seen: Sequence[Any]) -> bool:
        for given, case in zip(seen, self.cases, strict=True):
            other = self._does(behaves, case)
            if _shapes(other) != _shapes(given) or not _close(given, other, self.tolerance):
                return False
        return True

    def _does(self, function: Function, case: Case) -> Any:
        """What is seen of a function of the exercise's own: the same for every answer."""
        observe = self.known or PROBES[self.probe]
        return _observed(observe, function, case, jnp.result_type(float))


def require_results(
    answered: Answered, cases: Sequence[Case], *, differentiated: bool = False
) -> list[Any]:
    """Returns what came out in each case.

    Args:
      answered: what was seen.
      cases: of the exercise.
      differentiated: whether the probe was ``at_tensor``, which says so where JAX has failed. In
        what another probe saw, the same word is the answer's own.

    Raises:
      Mistake: if the answer is no function, or has raised something.
    """
    require_callable(answered)
    for case, one in zip(cases, answered.seen, strict=True):
        if one.error is not None:
            raise Mistake("raises", f"{case.words} it raised {one.error}")
        failure = failed(one.value) if differentiated else None
        if failure is not None:
            raise Mistake(
                "raises", f"{case.words}, while JAX differentiates it, it raised {failure}"
            )
    return [one.value for one in answered.seen]


def failed(seen: Any) -> str | None:
    """What was raised while JAX differentiated, of what the probe ``at_tensor`` saw; or None."""
    failure = seen.get(FAILED) if isinstance(seen, dict) else None
    return failure if isinstance(failure, str) else None


def require_a_loss(seen: Any, words: str) -> None:
    """Raises a ``Mistake`` where the probe of an unroll has seen no loss, which is one number."""
    if isinstance(seen, dict) and seen.keys() == {RETURNED}:
        require_a_number(seen[RETURNED], words, "the sum of the losses")


def in_numpy(function: Function, *arguments: Any) -> Any:
    """A ``known``: the function on NumPy's arrays, some twenty mistakes on all cases at once."""
    with np.errstate(all="ignore"):  # 0 / 0 is one of the mistakes
        return returned(function, *arguments)


def show(value: Any) -> str:
    """A result in a few figures, for a message. What is large is cut."""
    return cut(_shown(value), LONGEST_SHOWN)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        parts = [f"{key!r}: {show(value[key])}" for key in sorted(value)[:MOST_PARTS]]
        return "{" + _listed(parts, len(value)) + "}"
    if isinstance(value, tuple | list):
        return "(" + _listed([show(one) for one in value[:MOST_PARTS]], len(value)) + ")"
    if value is None or isinstance(value, str):
        return repr(value)
    if np.size(value) > MOST_NUMBERS:
        return f"an array of shape {np.shape(value)}"
    array = np.asarray(value, np.float64)
    return str([] if array.size == 0 else _rounded(array))


def _listed(parts: Sequence[str], size: int) -> str:
    """Parts of what has ``size`` of them, with dots for the rest."""
    return ", ".join([*parts, "..."] if len(parts) < size else parts)


def _rounded(array: np.ndarray) -> Any:
    return np.vectorize(lambda number: float(f"{number:.4g}"))(array).tolist()


@lru_cache(maxsize=2**14)
def _observed(observe: Function, function: Function, case: Case, floats: np.dtype) -> Any:
    """``floats``, the dtype that Python's have in JAX, is there as a part of the key."""
    return plain(observe(function, *case.arguments))


def require_like(case: Case, given: Any, expected: Any) -> None:
    """Raises a ``Mistake`` unless a result has the form of the right one."""
    if given is None and expected is not None:
        raise Mistake("returns_none", f"{case.words} it returned None. Is a return missing?")
    structure: Any = jax.tree.structure(expected)
    other: Any = jax.tree.structure(given)
    if structure != other:
        said, wanted = describe(given), describe(expected)
        but = f"but {wanted} is expected."
        if said == wanted:  # they differ further in
            but = (
                "as it should, but not every part of it is a number or an array. A list, or None, is "
                "neither."
            )
        raise Mistake("structure_changed", f"{case.words} it returned {said}, {but}")
    for leaf, one in zip(jax.tree.leaves(expected), jax.tree.leaves(given), strict=True):
        if isinstance(leaf, str) != isinstance(one, str):
            wanted = "a name" if isinstance(leaf, str) else "a number or an array"
            raise Mistake(
                "returns_other",
                f"{case.words} it returned {describe(one)} where {wanted} is expected.",
            )
        if isinstance(one, Other) or np.iscomplexobj(one):
            raise Mistake(
                "returns_other",
                f"{case.words} it returned {describe(one)} where a number or an array is expected.",
            )
        if np.shape(one) != np.shape(leaf):
            raise Mistake(
                "shape_changed",
                f"{case.words} it returned an array of shape {np.shape(one)}, but one of shape "
                f"{np.shape(leaf)} is expected.",
            )


def describe(value: Any) -> str:
    """What plain data are, for a message: their kind, and not their numbers."""
    if isinstance(value, Other):
        return f"a {value.kind}"
    if isinstance(value, dict):
        keys = [repr(key) for key in list(value)[:MOST_PARTS]]
        return f"a dict with the keys {_listed(keys, len(value)) or 'of nothing'}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    if hasattr(value, "shape"):
        return f"an array of shape {tuple(value.shape)}"
    return f"a {type(value).__name__}"


def _shapes(value: Any) -> Any:
    return jax.tree.structure(value), [np.shape(leaf) for leaf in jax.tree.leaves(value)]


def _close(given: Any, expected: Any, tolerance: float) -> bool:
    pairs = zip(jax.tree.leaves(given), jax.tree.leaves(expected), strict=True)
    return all(_same(one, other, tolerance) for one, other in pairs)


def _same(given: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(given, str) or isinstance(expected, str):
        return bool(given == expected)
    return _near(np.asarray(given, np.float64), np.asarray(expected, np.float64), tolerance)


def _near(given: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    finite = np.abs(expected[np.isfinite(expected)])
    size = float(finite.max(initial=0.0))
    return bool(
        np.allclose(given, expected, rtol=tolerance, atol=0.1 * tolerance * size, equal_nan=True)
    )
