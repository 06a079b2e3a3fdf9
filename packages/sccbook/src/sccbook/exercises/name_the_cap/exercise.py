"""Chapter 10: write ``my_diagnosis(w, update, after, limit)``, which says what a program has capped.

A program adds the update u to the kernel w ``[in, out]``, and caps something at the limit; ``after`` are
the weights in the end. Their norms alone do not tell what was capped, so an answer has to compare with
the weights that each kind of cap would leave.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    in_numpy,
    one_of,
)

PLACES = ("columns", "rows", "whole", "entries", "unit", "before", "update")
"""What was capped. ``"whole"``: all weights as one vector. ``"entries"``: each weight. ``"unit"``: every
column was brought to the limit, the small ones too. ``"before"``: the columns, before the update was
added. ``"update"``: the columns of the update, and not the weights."""

COLUMNS, ROWS, WHOLE, ENTRIES, UNIT, BEFORE, UPDATE = PLACES
SHAPES = ((4, 3), (3, 5))


def _cap(w: Array, limit: float, axis: int | None = 0) -> Array:
    n = np.sqrt(np.sum(w**2, axis=axis, keepdims=True))
    capped: Array = w * np.minimum(1, limit / n)
    return capped


def after(place: str, w: Array, u: Array, limit: float) -> Array:
    """Return the weights after one step of a program that caps in that place."""
    moved = w + u
    made: dict[str, Array] = {
        COLUMNS: _cap(moved, limit),
        ROWS: _cap(moved, limit, 1),
        WHOLE: _cap(moved, limit, None),
        ENTRIES: np.clip(moved, -limit, limit),
        UNIT: moved * limit / np.linalg.norm(moved, axis=0),
        BEFORE: _cap(w, limit) + u,
        UPDATE: w + _cap(u, limit),
    }
    return made[place]


def _cases() -> Iterator[Case]:
    """Yield a case for each place and shape: one column of w + u is short, the others are long."""
    random = np.random.default_rng(3)
    number = 0
    for i, shape in enumerate(SHAPES):
        for j in range(len(PLACES)):
            place, limit, number = PLACES[(3 * j + i) % 7], (1.0, 2.5)[i], number + 1
            w, u = limit * random.normal(size=(2, *shape))
            w[:, 0] *= 0.1
            u[:, 0] *= 0.1
            given = w, u, after(place, w, u, limit), limit
            yield Case(given, f"for program {number}")


CASES = tuple(_cases())


def right(w: Array, u: Array, found: Array, limit: float) -> str:
    """Return the place that leaves these weights."""
    return next(
        place for place in PLACES if np.allclose(found, after(place, w, u, limit), rtol=1e-6)
    )


def _by_all_norms(
    order: Sequence[str], otherwise: str, w: Array, u: Array, found: Array, limit: float
) -> str:
    """Look at norms alone, of the whole, of columns, of rows and of entries, in some order."""
    norms = {
        WHOLE: np.linalg.norm(found),
        COLUMNS: np.linalg.norm(found, axis=0),
        ROWS: np.linalg.norm(found, axis=1),
        ENTRIES: np.abs(found),
    }
    if UNIT in order and np.allclose(norms[COLUMNS], limit):
        return UNIT
    asked = (n for n in order if n != UNIT)
    return next((n for n in asked if np.all(norms[n] <= 1.001 * limit)), otherwise)


def _by_candidates(sign: int, w: Array, u: Array, found: Array, limit: float) -> str:
    """Compare with caps of the old weights, plus sign times the update where they are capped together."""
    late = {place: after(place, w, sign * u, limit) for place in PLACES[:5]}
    early = {place: after(place, w, u if sign == 0 else sign * u, limit) for place in PLACES[5:]}
    left = late | early
    return min(left, key=lambda place: float(np.abs(left[place] - found).max()))


def _across(w: Array, u: Array, found: Array, limit: float) -> str:
    """Confuse rows and columns throughout."""
    left = {place: after(place, w.T, u.T, limit).T for place in PLACES}
    return min(left, key=lambda place: float(np.abs(left[place] - found).max()))


def _other_early(early: Function) -> Function:
    """Compare with other weights than those of ``before`` and ``update``."""

    def answer(w: Array, u: Array, found: Array, limit: float) -> str:
        left: dict[str, Array] = {place: after(place, w, u, limit) for place in PLACES}
        left |= early(w, u, limit)
        return min(left, key=lambda place: float(np.linalg.norm(left[place] - found)))

    return answer


MISCONCEPTIONS = (
    *always(PLACES, "program"),
    Misconception("changed_in_place",
        "the update is added to the old weights in place, as `w += update` does. After that `w` no longer has the old "
        "weights, which 'before' and 'update' need.",
        _other_early(lambda w, u, limit: {place: after(place, w + u, u, limit) for place in (BEFORE, UPDATE)})),
    Misconception("half_missing",
        "in 'before' and 'update' one of two parts is missing: the new weights are the sum of the old ones and the "
        "update, whichever was capped.",
        _other_early(lambda w, u, limit: {BEFORE: _cap(w, limit), UPDATE: _cap(u, limit)})),
    Misconception("norms_of_columns",
        "it looks at the columns' norms after the step. But other programs leave no column above the limit either. "
        "What would the right program have made of these weights?",
        *(partial(_by_all_norms, (COLUMNS,), name) for name in PLACES if name != COLUMNS)),
    Misconception("norms_alone",
        "its answers are those of someone who looks only at norms after the step, and not at the weights before it. "
        "A program that scales small columns up to the limit leaves none above it either.",
        *(partial(_by_all_norms, order, name)
          for order in (
              (WHOLE, COLUMNS, ROWS, ENTRIES), (COLUMNS, ROWS, WHOLE, ENTRIES), (COLUMNS, ROWS, ENTRIES),
              (WHOLE, ENTRIES, COLUMNS, ROWS),
              (UNIT, COLUMNS, ROWS, WHOLE, ENTRIES), (UNIT, COLUMNS, ROWS, ENTRIES), (UNIT, COLUMNS))
          for name in (UNIT, BEFORE, UPDATE))),
    Misconception("update_missed",
        "the caps are tried on the wrong weights: the program adds the update to the old weights, with the update's "
        "own sign.",
        partial(_by_candidates, 0), partial(_by_candidates, -1)),
    Misconception("short_ones_overlooked",
        "'unit' is called 'columns'. One of the columns was small. Is it still as it was?",
        {"unit": COLUMNS}),
    Misconception("whole_overlooked",
        "'whole' is called 'columns'. With one norm for all weights the small column shrinks too.",
        {"whole": COLUMNS}, {"whole": COLUMNS, "unit": COLUMNS}),
    Misconception("rows_and_columns",
        "'rows' and 'columns' are confused. In a kernel [in, out] the weights into one unit are in one column. Along "
        "which axis are their squares added up?",
        {"rows": COLUMNS, "columns": ROWS}, {"rows": COLUMNS}, {"columns": ROWS}, _across),
    Misconception("order_overlooked",
        "'before' and 'update' are confused. Both can leave columns above the limit. One of them caps the old "
        "weights, the other the update.",
        {"before": UPDATE, "update": BEFORE}, {"before": UPDATE}, {"update": BEFORE}),
    Misconception("order_not_asked",
        "it assumes that the new weights were capped. A program can also cap first and then add, so the new columns "
        "may be above the limit.",
        *({"before": a, "update": b} for a in PLACES[:5] for b in PLACES[:5])),
    Misconception("entries_overlooked",
        "'entries' isn't recognised: no weight is beyond the limit there, but columns may be.",
        *({"entries": name} for name in PLACES if name != ENTRIES)),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"your function identifies what each of the {len(CASES)} programs caps.",
    reference_probe=in_numpy,
    first=one_of(CASES, PLACES),
    quantity="the answer",
).exercise(
    "name_the_cap",
    partial={
        "changed_in_place": 0.5,
        "half_missing": 0.5,
        "short_ones_overlooked": 0.75,
        "whole_overlooked": 0.5,
        "rows_and_columns": 0.5,
        "order_overlooked": 0.5,
        "entries_overlooked": 0.75,
    },
)
"""An answer is called as ``answer(w, update, after, limit)`` and returns one of ``PLACES``."""
