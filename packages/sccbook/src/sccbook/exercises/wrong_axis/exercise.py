"""Assignment 4: find a kernel that shows which axis a cap was taken over.

Asked for is ``wrong_axis(limit)``: a kernel ``[in, out]`` that a cap of its columns at ``limit``
leaves alone, and that a cap of its rows would change. Infinitely many answers are right.
"""

from functools import partial
from typing import Any

import numpy as np

from sccbook.checking.parts import Array, Case, Flaw, Mistake, Properties, require_floats

ROUNDING = 1e-5
"""The part of the limit by which a float32 norm may be off."""

CASES = tuple(
    Case((limit,), f"for limit = {limit:g}") for limit in (1.0, 2.0, 0.3, 7.5, 0.001, 40.0)
)


_columns = partial(np.linalg.norm, axis=0)
_rows = partial(np.linalg.norm, axis=1)


def _within(norms: Any, limit: float) -> bool:
    return bool(np.all(norms <= limit * (1 + ROUNDING)))


def _beyond(norms: Any, limit: float) -> bool:
    """Tell whether a norm is above the limit by more than rounding."""
    return bool(np.any(norms > limit * (1 + 10 * ROUNDING)))


def _read(value: Any, case: Case) -> Array:
    w = require_floats(value, case, "an array [in, out]")
    if w.ndim != 2 or w.size == 0:
        raise Mistake(
            "shape_changed",
            f"{case.words} it returned an array of shape {w.shape}. A kernel [in, out] has two axes.",
        )
    if not np.all(np.isfinite(w)):
        raise Mistake("not_finite", f"{case.words} not every weight that it returned is finite.")
    return w


FLAWS = (
    Flaw("zero", "a kernel of zeros is within every limit, over either axis, so it doesn't tell the axes apart.",
         lambda w, limit: not np.any(w)),
    Flaw("one_column",
         "{run} the kernel has one column, so each row has one weight, and its norm is never above the column's. You "
         "need more than one unit to tell the axes apart.",
         lambda w, limit: w.shape[1] == 1 and w.shape[0] > 1),
    Flaw("one_weight", "a kernel with one weight has one row and one column, of the same norm.",
         lambda w, limit: w.shape == (1, 1)),
    Flaw("limit_ignored",
         "the kernel would do if the limit were 1. It should be made for the limit given.",
         lambda w, limit: limit != 1 and _within(_columns(w), 1) and _beyond(_rows(w), 1)),
    Flaw("other_way_round",
         "{run} it is the other way round: a cap of the rows leaves this kernel alone, and a cap of "
         "the columns changes it. Which axis does a column run along?",
         lambda w, limit: _beyond(_columns(w), limit) and _within(_rows(w), limit)),
    Flaw("at_the_limit",
         "{run} the largest column is above the limit by a hair, so a cap would change it.",
         lambda w, limit: not _within(_columns(w), limit)
         and _within(_columns(w), 1.01 * limit) and _beyond(_rows(w), limit)),
    Flaw("entries",
         "{run} every weight by itself is within the limit, but not every column is: the cap is on a column's norm.",
         lambda w, limit: bool(np.all(np.abs(w) <= limit)) and _beyond(_columns(w), limit)),
    Flaw("both_change",
         "{run} a cap of the columns changes this kernel too, so it doesn't tell the axes apart.",
         lambda w, limit: _beyond(_columns(w), limit) and _beyond(_rows(w), limit)),
    Flaw("row_at_the_limit",
         "{run} the norm of the largest row is just the limit, so a cap of the rows leaves it alone.",
         lambda w, limit: bool(np.isclose(np.max(_rows(w)), limit, rtol=10 * ROUNDING))
         and bool(np.max(_columns(w)) < 0.99 * np.max(_rows(w)))),
    Flaw("whole_matrix",
         "{run} the kernel as a whole is above the limit, but no row is: a cap of the rows leaves it alone as well.",
         lambda w, limit: bool(np.linalg.norm(w) > limit)),
    Flaw("nothing_changes",
         "{run} a cap leaves this kernel alone over either axis: its weights are too small to tell the axes apart.",
         lambda w, limit: _within(_rows(w), limit)),
)  # fmt: skip

EXERCISE = Properties(
    cases=CASES,
    holds=lambda w, limit: _within(_columns(w), limit) and _beyond(_rows(w), limit),
    flaws=FLAWS,
    passed="a cap of the columns leaves this kernel alone, and a cap of the rows would change at least one.",
    read=_read,
    same="it returns the same kernel, {given}, whatever the limit is. The example should fit the limit given.",
    missed="{run} the kernel {given} doesn't have the property asked for.",
).exercise(
    "wrong_axis",
    partial={
        "limit_ignored": 0.33,
        "at_the_limit": 0.67,
        "row_at_the_limit": 0.67,
        "other_way_round": 0.33,
    },
)
