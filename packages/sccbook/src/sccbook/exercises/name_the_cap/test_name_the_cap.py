"""A bank of answers to chapter 10's diagnosis, and what its programs leave."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest

from scaleclip.ops import max_norm
from sccbook.checking.comparisons import renamed
from sccbook.exercises.name_the_cap.exercise import CASES, PLACES, after, right

COLUMNS, ROWS, WHOLE, ENTRIES, UNIT, BEFORE, UPDATE = PLACES


def by_factors(w, u, after, limit):
    """What were the weights multiplied by, and is it one factor a column, a row, or one for all?"""
    factor = after / (w + u)
    if np.allclose(factor, factor[0, 0]):
        return "whole"
    if np.allclose(factor, factor[:1]):
        return "unit" if factor.max() > 1.001 else "columns"
    if np.allclose(factor, factor[:, :1]):
        return "rows"
    if np.all(np.abs(after) <= 1.001 * limit):
        return "entries"
    of_update = (after - w) / u
    return "update" if np.allclose(of_update, of_update[:1]) else "before"


def in_place(w, u, found, limit):
    left = {place: after(place, w, u, limit) for place in PLACES[:5]}
    left |= {place: after(place, w + u, u, limit) for place in PLACES[5:]}
    return min(left, key=lambda place: np.linalg.norm(left[place] - found))


def halves(w, u, found, limit):
    left = {place: after(place, w, u, limit) for place in PLACES[:5]}
    left |= {BEFORE: max_norm(w, limit), UPDATE: max_norm(u, limit)}
    return min(left, key=lambda place: np.linalg.norm(left[place] - found))


WRONG = {
    "changed_in_place": [in_place],
    "half_missing": [halves],
    "never_said": [renamed(right, {"whole": "rows"}), renamed(right, {"columns": "unit"})],
    "always_the_same": [lambda *_, name=name: name for name in PLACES],
    "short_ones_overlooked": [renamed(right, {"unit": "columns"})],
    "whole_overlooked": [
        renamed(right, {"whole": "columns"}),
        renamed(right, {"whole": "columns", "unit": "columns"}),
    ],
    "rows_and_columns": [
        renamed(right, {"rows": "columns", "columns": "rows"}),
        renamed(right, {"rows": "columns"}),
    ],
    "order_overlooked": [
        renamed(right, {"before": "update"}),
        renamed(right, {"update": "before", "before": "update"}),
    ],
    "entries_overlooked": [
        renamed(right, {"entries": "rows"}),
        renamed(right, {"entries": "before"}),
    ],
    "not_a_name": [lambda *_: "axis 0", lambda *given: right(*given).upper()],
    "structure_changed": [lambda *given: [right(*given)]],
    "returns_other": [lambda *_: 0, lambda w, u, after, limit: w],
    "not_callable": ["columns"],
    "raises": [lambda w: "columns"],
}

RIGHT = {
    "by factors": by_factors,
    "by the course's own, on JAX's arrays": lambda *given: right(*map(jnp.asarray, given)),
}


@pytest.mark.slow
def test_the_programs_agree_with_the_operators_and_optax():
    for case in CASES:
        w, u, found, limit = case.arguments
        left = {
            COLUMNS: max_norm(w + u, limit),
            ROWS: max_norm(w + u, limit, axis=1),
            WHOLE: optax.projections.projection_l2_ball(w + u, limit),
            ENTRIES: np.clip(w + u, -limit, limit),
            UNIT: limit * (w + u) / np.linalg.norm(w + u, axis=0),
            BEFORE: max_norm(w, limit) + u,
            UPDATE: w + max_norm(u, limit),
        }
        same = [name for name, made in left.items() if np.allclose(made, found, rtol=1e-4)]
        assert len(same) == 1
        np.testing.assert_allclose(found, after(same[0], w, u, limit), rtol=1e-12)
