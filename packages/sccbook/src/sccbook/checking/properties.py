"""Judge an answer by a property, where many results are right.

A flaw is a way to miss it. The first one that shows wherever the property is missed is named.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sccbook.checking.descriptions import MOST_NUMBERS, describe, show
from sccbook.checking.findings import Case, Exercise, Finding, Mistake
from sccbook.checking.forms import leaves, require_not_none, require_results
from sccbook.checking.probes import Observations


def require_floats(value: Any, case: Case, asked: str) -> np.ndarray:
    """Return an answer's result as a float64 array of any shape.

    Args:
      value: what it returned, plain data.
      case: on which run.
      asked: what it should return, for the message: ``"an array [in, out]"``.

    Raises:
      Mistake: if it is nothing, no array of real numbers, or one of very many.
    """
    require_not_none(value, case.words)
    size = sum(map(np.size, leaves(value)))
    if size > MOST_NUMBERS:
        raise Mistake(
            "too_many_numbers",
            f"{case.words} it returned {size} numbers. It should return {asked}: {MOST_NUMBERS} "
            "numbers at most are looked at, and a few are enough.",
        )
    try:
        if isinstance(value, str) or np.iscomplexobj(value):
            raise TypeError
        array: np.ndarray = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise Mistake(
            "returns_other",
            f"{case.words} it returned {describe(value)}. It should return {asked}.",
        ) from None
    return array


Property = Callable[..., bool]
"""Of a result and of the arguments that it was returned for."""


@dataclass(frozen=True)
class Flaw:
    """A way to miss the property.

    Attributes:
      name: a short name for it, such as ``"rows_within"``.
      message: what is mistaken, without giving the solution away. ``{run}`` and ``{given}`` are
        the first case that misses, in words.
      shows: whether a result that misses the property misses it in this way.
    """

    name: str
    message: str
    shows: Property


@dataclass(frozen=True, eq=False, kw_only=True)
class Properties:
    """The judge of an exercise that asks for an example.

    Attributes:
      cases: the runs that were made, the plainest first.
      holds: the property.
      flaws: the most telling first.
      passed: the message for a right answer.
      read: from a result and its case to what ``holds`` and ``shows`` are called with; raises a
        ``Mistake`` where the result has not the form that is asked for.
      same: the message where no flaw shows, and the answer returns the same for all arguments.
      missed: the message for the rest, with ``{run}`` and ``{given}``.
      quantity: what is asked for, such as ``"the limit"``.
      draw: from a source of random numbers to other arguments, by the names that the chapter uses.
    """

    cases: Sequence[Case]
    holds: Property
    flaws: Sequence[Flaw]
    passed: str
    read: Callable[[Any, Case], Any]
    same: str
    missed: str
    quantity: str = "the result"
    draw: Callable[..., Mapping[str, Any]] | None = None

    def exercise(self, name: str, partial: Mapping[str, float] | None = None) -> Exercise:
        """Return the exercise that this judges."""
        return Exercise(name, "returned", self.cases, self, partial or {})

    def __call__(self, observations: Observations) -> Finding:
        """Find whether every result has the property or, if not, how it is missed."""
        try:
            values = require_results(observations, self.cases)
            results = [self.read(v, case) for v, case in zip(values, self.cases, strict=True)]
        except Mistake as mistake:
            return mistake.finding
        misses = [
            (case, result)
            for case, result in zip(self.cases, results, strict=True)
            if not self.holds(result, *case.arguments)
        ]
        if not misses:
            return Finding("passed", self.passed, passed=True)
        words = {"run": misses[0][0].words, "given": show(misses[0][1])}
        for flaw in self.flaws:
            if all(flaw.shows(result, *case.arguments) for case, result in misses):
                return Finding(flaw.name, flaw.message.format(**words))
        if len(results) > 1 and all(np.array_equal(result, results[0]) for result in results):
            return Finding("always_the_same", self.same.format(**words))
        return Finding("wrong", self.missed.format(**words))
