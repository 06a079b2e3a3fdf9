"""Judge a function by what it did, beside the right one and beside known mistakes.

A misconception is a wrong answer, written down as code. It is observed in the same way, on the
same cases, as the answer was; the first one that does what the answer does, in every case, is the
one that is named.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gradlab.exercises.checking.descriptions import show
from gradlab.exercises.checking.findings import Case, Exercise, Finding, Mistake
from gradlab.exercises.checking.forms import (
    leaves,
    require_like,
    require_results,
    shape_of,
    structure,
)
from gradlab.exercises.checking.plain_data import to_plain_data
from gradlab.exercises.checking.probes import PROBES, Observations, returned

Function = Callable[..., Any]


class Misconception:
    """A wrong answer and what it mistakes.

    Args:
      name: a short name for it, such as ``"clips_each_leaf"``.
      message: what is mistaken, in one or two sentences that do not give the solution away.
        ``{run}``, ``{given}`` and ``{expected}`` are the first case that goes wrong, in words.
      answers: functions of the same arguments as the answer, each of which makes the mistake.
    """

    def __init__(self, name: str, message: str, *answers: Function) -> None:
        self.name, self.message, self.answers = name, message, answers


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """The judge of an exercise: what was seen of an answer is compared with functions of its own.

    Attributes:
      cases: the runs that were made, the plainest first.
      right: a function that is right.
      misconceptions: the most telling first.
      passed: the message for a right answer.
      probe: the name of the probe that observes the answer.
      reference_probe: observes ``right`` and the misconceptions, in place of the probe: called with
        one of them and a case's arguments, returns what the probe would see. For formulas that
        need no JAX.
      first: called first, with all that was seen; raises a ``Mistake`` where that says enough.
      read: called next, with what was returned in each case and the case: returns what is
        compared; raises a ``Mistake`` where there is nothing to compare, such as a loss that is
        no number.
      quantity: what is compared, for the message, such as ``"the gradient"``.
      tolerance: how far off a number may be: this part of it and of the largest one beside
        it. float32 rounding is to stay below, and every mistake above.
    """

    cases: Sequence[Case]
    right: Function
    misconceptions: Sequence[Misconception]
    passed: str
    probe: str = "returned"
    reference_probe: Function | None = None
    first: Callable[[Observations], None] = lambda observations: None
    read: Callable[[Any, Case], Any] = lambda value, case: value
    quantity: str = "the result"
    tolerance: float = 1e-4

    def exercise(self, name: str, partial: Mapping[str, float] | None = None) -> Exercise:
        """Return the exercise that this judges."""
        return Exercise(name, self.probe, self.cases, self, partial or {})

    def __call__(self, observations: Observations) -> Finding:
        """Find what an answer gets wrong: a misconception's name, or what can be said without."""
        try:
            self.first(observations)
            differentiated = self.probe == "at_tensor"
            values = require_results(observations, self.cases, differentiated=differentiated)
            results = [self.read(v, case) for v, case in zip(values, self.cases, strict=True)]
            expected = [self._observe(self.right, case) for case in self.cases]
            for case, result, right in zip(self.cases, results, expected, strict=True):
                require_like(case, result, right)
        except Mistake as mistake:
            return mistake.finding
        agree = [
            close(result, right, self.tolerance)
            for result, right in zip(results, expected, strict=True)
        ]
        if all(agree):
            return Finding("passed", self.passed, passed=True)
        index = agree.index(False)
        words = {
            "run": self.cases[index].words,
            "given": show(results[index]),
            "expected": show(expected[index]),
        }
        for misconception in self.misconceptions:
            if any(self._does(answer, results) for answer in misconception.answers):
                return Finding(misconception.name, misconception.message.format(**words))
        but = "{run} {quantity} should be {expected}, but it is {given}."
        return Finding("wrong", but.format(quantity=self.quantity, **words))

    def _does(self, answer: Function, results: Sequence[Any]) -> bool:
        """Tell whether an answer of the exercise's own does what was seen, in every case."""
        return all(
            close(result, self._observe(answer, case), self.tolerance)
            for result, case in zip(results, self.cases, strict=True)
        )

    def _observe(self, answer: Function, case: Case) -> Any:
        """Observe an answer of the exercise's own. It does the same each time."""
        probe = self.reference_probe or PROBES[self.probe]
        return _observe_once(probe, answer, case, _has_x64())


@lru_cache(maxsize=2**14)
def _observe_once(probe: Function, answer: Function, case: Case, x64: bool) -> Any:
    """``x64``, the width of numbers in JAX, is there as a part of the key."""
    return to_plain_data(probe(answer, *case.arguments))


def _has_x64() -> bool:
    jax = sys.modules.get("jax")  # where nothing has imported it, nothing is computed with it
    return jax is None or bool(jax.config.jax_enable_x64)


def in_numpy(answer: Function, *arguments: Any) -> Any:
    """A ``reference_probe``: the answer on NumPy's arrays, some twenty mistakes on all cases at once."""
    import numpy as np

    with np.errstate(all="ignore"):  # 0 / 0 is one of the mistakes
        return returned(answer, *arguments)


def close(result: Any, expected: Any, tolerance: float) -> bool:
    """Tell whether two results have one form and the same numbers, but for this part of them."""
    if structure(result) != structure(expected):
        return False
    pairs = zip(leaves(result), leaves(expected), strict=True)
    return all(_close(given, right, tolerance) for given, right in pairs)


def _close(given: Any, right: Any, tolerance: float) -> bool:
    if isinstance(given, str) or isinstance(right, str):
        return bool(given == right)
    if shape_of(given) != shape_of(right):
        return False
    pairs = list(zip(_numbers(given), _numbers(right), strict=True))
    largest = max((abs(b) for _, b in pairs if math.isfinite(b)), default=0.0)
    return all(
        a == b
        or (math.isnan(a) and math.isnan(b))
        or (math.isfinite(b) and abs(a - b) <= tolerance * (abs(b) + 0.1 * largest))
        for a, b in pairs
    )


def _numbers(leaf: Any) -> list[float]:
    """Return the numbers of a leaf in a row, as Python's."""
    return leaf.astype(float).ravel().tolist() if hasattr(leaf, "astype") else [float(leaf)]
