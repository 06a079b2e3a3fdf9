"""Judge an answer by comparing what it does with the right function and with known mistakes.

A misconception is a wrong answer, written down as code. It is observed in the same way, on the
same cases, as the answer was; the first one that does what the answer does, in every case, is the
one that is named. Where answers are names, one that explains most of what is wrong is named, too.
"""

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sccbook.checking.descriptions import show
from sccbook.checking.findings import Case, Exercise, Finding, Mistake
from sccbook.checking.forms import (
    leaves,
    require_like,
    require_results,
    shape_of,
    structure,
)
from sccbook.checking.plain_data import to_plain_data
from sccbook.checking.probes import PROBES, Observations, returned

Function = Callable[..., Any]
ALWAYS = "always_the_same"
"""The misconception of an answer that doesn't look at what it is given."""


class Misconception:
    """A known mistake: wrong answers that make it, and a message.

    Args:
      name: a short name for it, such as ``"clips_each_leaf"``.
      message: what is mistaken, in one or two sentences that do not give the solution away.
        ``{run}``, ``{given}`` and ``{expected}`` are the first case that goes wrong, in words, and
        ``{why}`` is what the comparison's ``why`` says of it.
      answers: functions of the same arguments as the answer, each of which makes the mistake. Where
        answers are names, also what is said in place of some: ``{"norm": "global_norm"}``.
    """

    def __init__(self, name: str, message: str, *answers: Any) -> None:
        self.name, self.message, self.answers = name, message, answers


def renamed(right: Function, names: Mapping[str, str]) -> Function:
    """Return the right answer, with some names in place of others."""
    return lambda *given: names.get(right(*given), right(*given))


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """The judge of an exercise that compares an answer with functions of its own.

    Attributes:
      cases: the runs that were made, the plainest first.
      right: a function that is right.
      misconceptions: the most telling first.
      passed: the message for a right answer.
      probe: the name of the probe that observes the answer.
      reference_probe: observes ``right`` and the misconceptions, in place of the probe: called with
        one of them and a case's arguments, returns what the probe would see. For formulas
        in NumPy.
      first: called first, with all that was seen; raises a ``Mistake`` where that says enough.
      read: called next, with what was returned in each case and the case: returns what is
        compared; raises a ``Mistake`` where there is nothing to compare, such as a loss that is
        no number.
      why: explains a case's right result, from its arguments: a sentence without its full stop.
      quantity: what is compared, for the message, such as ``"the gradient"``.
      parts: what is compared where it is a tuple, part by part.
      draw: from a source of random numbers to other arguments, by the names that the chapter uses: for
        a variant, which asks for one result.
      of_several: the names of the misconceptions that take several cases to show.
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
    why: Callable[..., str] = lambda *given: ""
    quantity: str = "the result"
    parts: Sequence[str] = ()
    draw: Callable[..., Mapping[str, Any]] | None = None
    of_several: Sequence[str] = ()
    tolerance: float = 1e-4

    def __post_init__(self) -> None:
        for mistake in self.misconceptions:
            mistake.answers = tuple(
                renamed(self.right, answer) if isinstance(answer, dict) else answer
                for answer in mistake.answers
            )

    def exercise(self, name: str, partial: Mapping[str, float] | None = None) -> Exercise:
        """Return the exercise that this judges."""
        return Exercise(name, self.probe, self.cases, self, partial or {})

    def __call__(self, observations: Observations) -> Finding:
        """Find what an answer gets wrong: a known mistake, or where it first differs."""
        try:
            self.first(observations)
            differentiated = self.probe == "at_tensor"
            values = require_results(observations, self.cases, differentiated=differentiated)
            results = [self.read(v, case) for v, case in zip(values, self.cases, strict=True)]
            expected = [self.observe(self.right, case) for case in self.cases]
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
        seen = list(zip(self.cases, results, strict=True))
        if not all(fits for case, fits in zip(self.cases, agree, strict=True) if not case.tiny):
            seen = [(case, result) for case, result in seen if not case.tiny]
        for misconception in self.misconceptions:
            if any(self._does(answer, seen) for answer in misconception.answers):
                words = self._words(index, results, expected)
                return Finding(misconception.name, misconception.message.format(**words))
        if all(isinstance(leaf, str) for leaf in leaves(expected)):
            return self._near_miss(results, expected)
        return self._wrong(index, results, expected)

    def _does(self, answer: Function, seen: Sequence[tuple[Case, Any]]) -> bool:
        """Tell whether an answer of the exercise's own does what was seen in all these cases."""
        return all(
            close(result, self.observe(answer, case), self.tolerance) for case, result in seen
        )

    def _words(self, index: int, results: Sequence[Any], expected: Sequence[Any]) -> dict[str, str]:
        """Return what a message can show of one case."""
        given, right = show(results[index]), show(expected[index])
        case = self.cases[index]
        return {
            "run": case.words,
            "given": given,
            "expected": right,
            "why": self.why(*case.arguments),
        }

    def _near_miss(self, results: Sequence[Any], expected: Sequence[Any]) -> Finding:
        """Find the known mistake that explains most of the wrong names."""
        given, right = list(leaves(results)), list(leaves(expected))
        several = [m for m in self.misconceptions if m.name != ALWAYS]
        near = _nearest(given, right, ((m, self._names(a)) for m in several for a in m.answers))
        wrong = sum(g != r for g, r in zip(given, right, strict=True))
        if near is not None:
            mistake, explained = near
            index = explained[0] * len(results) // len(given)
            message = mistake.message.format(**self._words(index, results, expected))
            hits = len(explained)
            share = f"of its {wrong} wrong answers, {hits} look{'s' if hits == 1 else ''} like this"
            if hits == wrong:
                every = "both" if wrong == 2 else f"all {wrong}"
                share = f"{every} of its wrong answers look like this"
            share = share if wrong > 1 else "its one wrong answer looks like this"
            return Finding(mistake.name, f"{share}: {message}", in_part=True)
        missing = [name for name in dict.fromkeys(right) if name not in given]
        if missing and 2 * sum(r in missing for r in right) >= wrong:
            names = " or ".join(map(repr, missing))
            return Finding("never_said", f"it never says {names}. When would that be right?")
        index = next(i for i, r in enumerate(results) if r != expected[i])
        return self._wrong(index, results, expected)

    def _names(self, answer: Function) -> list[str]:
        return list(leaves([self.observe(answer, case) for case in self.cases]))

    def _wrong(self, index: int, results: Sequence[Any], expected: Sequence[Any]) -> Finding:
        """Show the first wrong case; of several parts, only the wrong ones."""
        result, right, quantity = results[index], expected[index], self.quantity
        if isinstance(right, dict):
            wrong = [key for key in right if not close(result[key], right[key], self.tolerance)]
            result, right = ({key: whole[key] for key in wrong} for whole in (result, right))
        elif self.parts:
            pairs = zip(self.parts, result, right, strict=True)
            quantity, result, right = next(
                (part, a, b) for part, a, b in pairs if not close(a, b, self.tolerance)
            )
        case = self.cases[index]
        should = f"{case.words} {quantity} should be {show(right)}, not {show(result)}"
        return Finding("wrong", f"{should}: {self.why(*case.arguments)}".removesuffix(": ") + ".")

    def observe(self, answer: Function, case: Case) -> Any:
        """Return what the probe would see of an answer of the exercise's own."""
        probe = self.reference_probe or PROBES[self.probe]
        jax = sys.modules.get("jax")  # where nothing has imported it, nothing is computed with it
        return _observe_once(probe, answer, case, jax is None or jax.config.jax_enable_x64)


def _nearest(
    given: Sequence[str],
    right: Sequence[str],
    mistakes: Iterable[tuple[Misconception, Sequence[str]]],
) -> tuple[Misconception, list[int]] | None:
    """Find the known mistake that explains most of an answer's wrong names, or None where none is close.

    A mistake is close if the answer gives all of its wrong names; or two of three (or one of two), and they are
    at least half of what is wrong.

    Args:
      given: the answer's names.
      right: the right ones.
      mistakes: each with the names that it gives. Of two that are as close, the first counts.

    Returns:
      The mistake, and the indices of the wrong names that it would give, too.
    """
    found, most = None, 0
    wrong = sum(g != r for g, r in zip(given, right, strict=True))
    for mistake, said in mistakes:
        triples = list(zip(given, right, said, strict=True))
        explained = [i for i, (g, r, s) in enumerate(triples) if s == g != r]
        hits, missed = len(explained), sum(s != r and s != g for g, r, s in triples)
        mostly = hits >= 2 * missed or hits == missed == 1
        score = 2 * hits - missed
        if (missed == 0 or (mostly and 2 * hits >= wrong)) and score > most:
            found, most = (mistake, explained), score
    return found


@lru_cache(maxsize=2**14)
def _observe_once(probe: Function, answer: Function, case: Case, x64: bool) -> Any:
    """Observe an answer once; ``x64``, the width of numbers in JAX, is a part of the key."""
    return to_plain_data(probe(answer, *case.arguments))


def in_numpy(answer: Function, *arguments: Any) -> Any:
    """Call an answer with NumPy's arrays: a ``reference_probe``."""
    import numpy as np  # not at the top: some exercises need none of it

    with np.errstate(all="ignore"):  # 0 / 0 is one of the mistakes
        return returned(answer, *arguments)


def close(result: Any, expected: Any, tolerance: float) -> bool:
    """Tell whether two results have the same form, and numbers that agree to this relative tolerance."""
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
    """Return the numbers of a leaf as a flat list."""
    return leaf.astype(float).ravel().tolist() if hasattr(leaf, "astype") else [float(leaf)]
