"""Assignment 4: write ``max_norm(w, limit)`` for a dense kernel ``[in, out]``.

An answer is observed by what it returns: for columns above the limit, below it, at it, for
a column of zeros, and for columns so short that a small number added to the norm shows.
"""

from functools import partial
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    in_numpy,
    require_not_in_place,
)

_norm = partial(np.linalg.norm, axis=0)


def _case(w: Any, limit: float, *, tiny: bool = False) -> Case:
    kernel = np.asarray(w, np.float64)
    return Case((kernel, limit), f"for w = {kernel.tolist()} and limit = {limit:g}", tiny)


CASES = (
    _case([[3.0, 0.3], [4.0, 0.4]], 2.0),
    _case([[1.0, 0.0, -6.0], [2.0, 0.5, 2.5], [-2.0, 0.0, 0.0]], 1.5),
    _case([[0.6, -2.0, 0.5, 0.0], [-0.8, 1.0, 0.25, -0.75]], 1.0),
    _case([[1.0, -2.0], [2.0, 0.5]], 4.0),
    _case([[0.0, 3.0], [0.0, -4.0]], 0.5),
    _case([[3e-6, 0.0], [4e-6, 2e-6]], 2.0, tiny=True),
)


def _capped(size: Function) -> Function:
    """Make the right formula with another size of a column."""
    return lambda w, c: w * np.minimum(1.0, c / size(w))


def _unit(w: np.ndarray) -> Any:
    """Give every column length 1, and leave one of zeros as it is."""
    return w / np.where(_norm(w) == 0, 1.0, _norm(w))


right = _capped(_norm)
EPSILONS = (1e-7, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3)

MISCONCEPTIONS = (
    Misconception("unchanged", "the weights come back as they were, however large a column is.",
        lambda w, c: w),
    Misconception("rows",
        "the rows are capped, not the columns. In a kernel [in, out] the weights into one unit are in one column.",
        lambda w, c: right(w.T, c).T),
    Misconception("whole_matrix",
        "the whole matrix is treated as one vector, so a large column shrinks the small ones too. Each column has a "
        "cap of its own.",
        _capped(np.linalg.norm)),
    Misconception("shared_factor",
        "every column is multiplied by the factor that the largest one needs. A column below the limit should stay as "
        "it is.",
        _capped(lambda w: np.max(_norm(w)))),
    Misconception("always_limit",
        "every column comes out with the limit as its norm, even a small one. A cap only scales down.",
        lambda w, c: c * _unit(w),
        lambda w, c: w * c / _norm(w)),
    Misconception("unit_norm",
        "every column comes out with norm 1, whatever the limit. That's another constraint, Keras's UnitNorm.",
        lambda w, c: _unit(w),
        lambda w, c: w / _norm(w)),
    Misconception("limit_ignored",
        "the columns are capped at 1, whatever the limit is.",
        lambda w, c: right(w, 1.0)),
    Misconception("cut_to_one",
        "a column above the limit comes out with norm 1. Its norm should be the limit.",
        lambda w, c: np.where(_norm(w) > c, _unit(w), w)),
    Misconception("by_value",
        "each weight is clipped by itself, so a column turns, and its norm can still be above the limit. A column "
        "should be scaled as a whole.",
        lambda w, c: np.clip(w, -c, c)),
    Misconception("epsilon",
        "this is Keras's formula, or close to it, and the cap is right. But the small number in the divisor shrinks "
        "the columns below the cap too: {run} the result should be {expected}, but it is {given}. Once, that's "
        "little, but it adds up over many updates.",
        *(lambda w, c, e=epsilon: w * np.clip(_norm(w), 0, c) / (e + _norm(w)) for epsilon in EPSILONS),
        *(lambda w, c, e=epsilon: w * np.minimum(_norm(w), c) / np.sqrt(_norm(w) ** 2 + e)
          for epsilon in EPSILONS)),
    Misconception("zero_column",
        "a column of zeros becomes NaN: its norm is 0, and 0 / 0 isn't a number. Such a column is below every limit.",
        lambda w, c: w * np.minimum(_norm(w), c) / _norm(w),
        lambda w, c: w / _norm(w) * np.minimum(_norm(w), c)),
    Misconception("squared",
        "the squared norm is compared with the limit: the root is missing, or the limit isn't squared.",
        _capped(lambda w: np.sum(w**2, axis=0))),
    Misconception("sum_of_sizes",
        "a column's norm is taken to be the sum of its absolute values. Use the Euclidean norm.",
        _capped(partial(_norm, ord=1))),
    Misconception("largest_entry",
        "a column's norm is taken to be its largest absolute value. Use the Euclidean norm.",
        _capped(partial(_norm, ord=np.inf)),
        _capped(lambda w: np.max(w, axis=0))),
    Misconception("mean_square",
        "a column's norm is divided by its number of weights, or by the root of that number. The cap is on the norm "
        "itself.",
        _capped(lambda w: _norm(w) / np.sqrt(w.shape[0])),
        _capped(lambda w: _norm(w) / w.shape[0])),
    Misconception("wrong_way_round",
        "columns below the limit are scaled up to it, and larger ones are left alone. It should be the other way "
        "round: which of two numbers is kept, the smaller or the larger?",
        lambda w, c: np.where(_norm(w) < c, c * _unit(w), w),
        lambda w, c: w * np.maximum(1.0, c / _norm(w)),
        lambda w, c: w * np.maximum(_norm(w), c) / _norm(w)),
    Misconception("inverted",
        "the factor is upside down: a column with a norm of twice the limit needs one half, and gets two.",
        lambda w, c: w * np.maximum(1.0, _norm(w) / c),
        lambda w, c: w * _norm(w) / c,
        lambda w, c: w * np.minimum(1.0, _norm(w) / c)),
    Misconception("longest_only",
        "only the largest column is capped. Every column above the limit has to be.",
        lambda w, c: np.where(_norm(w) == np.max(_norm(w)), right(w, c), w)),
    Misconception("removed",
        "a column above the limit is set to zero. It should keep its direction, with the limit as its norm.",
        lambda w, c: w * (_norm(w) <= c),
        lambda w, c: w * (_norm(w) < c)),
    Misconception("soft",
        "every column is scaled down a little, even a small one, as by a penalty. A constraint does nothing to a "
        "column within the limit.",
        lambda w, c: w * c / (c + _norm(w)),
        lambda w, c: c * np.tanh(_norm(w) / c) * _unit(w)),
    Misconception("half_way",
        "a column above the limit is scaled down, but is still above it. A constraint goes all the way at once.",
        lambda w, c: (w + right(w, c)) / 2),
    Misconception("subtracted",
        "the excess of a column's norm is subtracted from each of its weights, which turns the column. It should keep "
        "its direction.",
        lambda w, c: w - np.maximum(_norm(w) - c, 0.0)),
)  # fmt: skip

PASSED = (
    "columns above the limit are scaled down to it and keep their direction. Those below it, and a column of zeros, "
    "come back as they were."
)

IN_PLACE = (
    "it writes into w. A JAX array can't be changed in place, and the caller may still need the old weights: return "
    "new ones."
)

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    first=partial(require_not_in_place, message=IN_PLACE),
).exercise("max_norm", partial={"epsilon": 0.8, "zero_column": 0.8, "half_way": 0.2})
