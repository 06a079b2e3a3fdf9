"""Chapter 10: write ``max_norm(w, limit)`` for a dense kernel ``[in, out]``.

An answer is observed by what it returns: for columns above the limit, below it, at it, for
a column of zeros, and for columns so short that a small number added to the norm shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Misconception, in_numpy
from gradlab.exercises.checking.findings import Case, Exercise, Finding
from gradlab.exercises.checking.probes import Answered

Formula = Callable[[np.ndarray, Any], Any]


def _case(w: Any, limit: float) -> Case:
    kernel = np.asarray(w, np.float64)
    return Case((kernel, limit), f"for w = {kernel.tolist()} and limit = {limit:g}")


CASES = (
    _case([[3.0, 0.3], [4.0, 0.4]], 2.0),
    _case([[1.0, 0.0, -6.0], [2.0, 0.5, 2.5], [-2.0, 0.0, 0.0]], 1.5),
    _case([[0.6, -2.0, 0.5, 0.0], [-0.8, 1.0, 0.25, -0.75]], 1.0),
    _case([[1.0, -2.0], [2.0, 0.5]], 4.0),
    _case([[0.0, 3.0], [0.0, -4.0]], 0.5),
    _case([[3e-6, 0.0], [4e-6, 2e-6]], 2.0),
)


def _length(w: np.ndarray) -> np.ndarray:
    norms: np.ndarray = np.sqrt(np.sum(w**2, axis=0))
    return norms


def _over(part: Any, whole: Any) -> np.ndarray:
    """``part / whole``, and 1 where ``whole`` is 0."""
    return np.where(whole == 0, 1.0, part / np.where(whole == 0, 1.0, whole))


def _capped(size: Callable[[np.ndarray], Any]) -> Formula:
    """The right formula with another size of a column."""
    return lambda w, c: w * np.minimum(1.0, _over(c, size(w)))


def _keras(epsilon: float) -> Formula:
    return lambda w, c: w * np.clip(_length(w), 0, c) / (epsilon + _length(w))


def _longest_only(w: np.ndarray, limit: Any) -> np.ndarray:
    n = _length(w)
    factor = np.minimum(1.0, _over(limit, n))
    return w * np.where(np.arange(n.size) == np.argmax(n), factor, 1.0)


def _both(name: str, message: str, *formulas: Formula) -> list[Misconception]:
    return [Misconception(name, message, formula) for formula in formulas]


MISCONCEPTIONS = (
    *_both("unchanged", "the weights come back as they were, however long a column is.",
           lambda w, c: w),
    *_both("rows",
           "the rows are capped, not the columns. In a kernel [in, out] the weights that enter one "
           "unit stand below each other: one column a unit.",
           lambda w, c: w * np.minimum(1.0, _over(c, _length(w.T)))[:, None],
           lambda w, c: w * np.minimum(1.0, c / _length(w.T))[:, None]),
    *_both("whole_matrix",
           "the whole matrix is taken for one vector, so that a long column shortens the short ones "
           "too. Each column has a cap of its own.",
           _capped(lambda w: np.sqrt(np.sum(w**2)))),
    *_both("shared_factor",
           "every column is multiplied by the factor that the longest one needs. A column below "
           "the limit stays as it is.",
           _capped(lambda w: np.max(_length(w)))),
    *_both("always_limit",
           "every column comes out as long as the limit, the short ones too. A cap shortens, and "
           "never lengthens.",
           lambda w, c: w * np.where(_length(w) == 0, 0.0, _over(c, _length(w))),
           lambda w, c: w * c / _length(w)),
    *_both("unit_norm",
           "every column comes out with length 1, whatever the limit. That is another constraint, "
           "Keras's UnitNorm.",
           lambda w, c: w * np.where(_length(w) == 0, 0.0, _over(1.0, _length(w))),
           lambda w, c: w / _length(w)),
    *_both("limit_ignored",
           "the columns are capped at 1, whatever the limit is.",
           lambda w, c: w * np.minimum(1.0, _over(1.0, _length(w)))),
    *_both("cut_to_one",
           "a column above the limit comes out with length 1. It should come out as long as the "
           "limit.",
           lambda w, c: w * np.where(_length(w) > c, _over(1.0, _length(w)), 1.0)),
    *_both("by_value",
           "each weight is clipped by itself, so a column's direction turns and its length can still "
           "be above the limit. A column is shortened as a whole.",
           lambda w, c: np.clip(w, -c, c)),
    *_both("epsilon",
           "this is Keras's formula, or close to it, and the cap is right. But the small number in "
           "the divisor shortens the columns below the cap too: {run} the result should be "
           "{expected}, but it is {given}. Once is little. After each update it adds up.",
           *(_keras(epsilon) for epsilon in (1e-7, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3))),
    *_both("zero_column",
           "a column of zeros becomes NaN: its norm is 0, and 0 / 0 is not a number. It is below "
           "every limit.",
           lambda w, c: w * np.minimum(_length(w), c) / _length(w),
           lambda w, c: w / _length(w) * np.minimum(_length(w), c)),
    *_both("squared",
           "the squared norm is held against the limit: the root is missing, or the limit is "
           "not squared.",
           _capped(lambda w: np.sum(w**2, axis=0))),
    *_both("sum_of_sizes",
           "a column's length is taken to be the sum of its absolute values. The norm here is the "
           "Euclidean one.",
           _capped(lambda w: np.sum(np.abs(w), axis=0))),
    *_both("largest_entry",
           "a column's length is taken to be its largest absolute value. The norm here is the "
           "Euclidean one.",
           _capped(lambda w: np.max(np.abs(w), axis=0)),
           _capped(lambda w: np.max(w, axis=0))),
    *_both("mean_square",
           "a column's length is divided by its number of weights, or by the root of it. The cap is "
           "on the norm itself.",
           _capped(lambda w: _length(w) / np.sqrt(w.shape[0])),
           _capped(lambda w: _length(w) / w.shape[0])),
    *_both("wrong_way_round",
           "columns below the limit are lengthened to it, and longer ones are left alone. It "
           "should be the other way round: a smaller and a larger have changed places.",
           lambda w, c: w * np.maximum(1.0, _over(c, _length(w))),
           lambda w, c: w * np.maximum(1.0, c / _length(w)),
           lambda w, c: w * np.maximum(_length(w), c) / _length(w)),
    *_both("inverted",
           "the factor is upside down: a column that is twice as long as the limit needs one half, "
           "and gets two.",
           lambda w, c: w * np.maximum(1.0, _length(w) / c),
           lambda w, c: w * _length(w) / c,
           lambda w, c: w * np.minimum(1.0, _length(w) / c)),
    *_both("longest_only",
           "the longest column is capped and no other. Every column above the limit has to be.",
           _longest_only),
    *_both("removed",
           "a column above the limit is set to zero. It should keep its direction, and come out as "
           "long as the limit.",
           lambda w, c: w * (_length(w) <= c),
           lambda w, c: w * (_length(w) < c)),
    *_both("soft",
           "every column is shortened a little, the short ones too, as a penalty would. A "
           "constraint does nothing to what is within the limit.",
           lambda w, c: w * c / (c + _length(w)),
           lambda w, c: w * np.tanh(_length(w) / c) * _over(c, _length(w))),
    *_both("half_way",
           "a column above the limit is shortened, but is still above it. A constraint goes all "
           "the way, at once.",
           lambda w, c: w * (0.5 + 0.5 * np.minimum(1.0, _over(c, _length(w))))),
    *_both("subtracted",
           "what a column has too much of length is subtracted from each of its weights, which "
           "turns it. It should keep its direction.",
           lambda w, c: w - np.maximum(_length(w) - c, 0.0)),
)  # fmt: skip

PASSED = (
    "columns above the limit come out as long as the limit, in their direction. Those below it, "
    "and a column of zeros, come back as they were."
)

IN_PLACE = Finding(
    "in_place",
    "it writes into w. A JAX array cannot be changed in place, and whoever calls a constraint may "
    "still need the old weights: return new ones.",
)

compare = Comparison(
    cases=CASES,
    right=_capped(_length),
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    known=in_numpy,
)


def judge(answered: Answered) -> Finding:
    """Finds what an answer, which should be ``max_norm(w, limit)``, gets wrong."""
    error = answered.seen[0].error if answered.seen else None
    if error is not None and ("immutable" in error or "read-only" in error):
        return IN_PLACE
    return compare(answered)


EXERCISE = Exercise(
    "max_norm",
    probe="returned_of_jax",
    cases=CASES,
    judge=judge,
    partial={"epsilon": 0.8, "zero_column": 0.8, "half_way": 0.2},
)
