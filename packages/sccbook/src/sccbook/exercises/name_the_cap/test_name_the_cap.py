"""A bank of answers to chapter 10's diagnosis, and what its programs leave."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.exercises.name_the_cap.exercise import CASES, PLACES, after
from scaleclip.ops import max_norm

COLUMNS, ROWS, WHOLE, ENTRIES, UNIT, BEFORE, UPDATE = PLACES


def norm(w, axis=0):
    return np.linalg.norm(w, axis=axis, keepdims=True)


def by_candidates(w, u, after, limit):
    """Make what each program would leave, and compare."""
    cap = lambda v, axis=0: v * np.minimum(1, limit / norm(v, axis))
    moved = w + u
    left = {
        "columns": cap(moved),
        "rows": cap(moved, axis=1),
        "whole": cap(moved, axis=None),
        "entries": np.clip(moved, -limit, limit),
        "unit": limit * moved / norm(moved),
        "before": cap(w) + u,
        "update": w + cap(u),
    }
    return min(left, key=lambda name: np.abs(left[name] - after).max())


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


def renamed(**names):
    def answer(*given):
        name = by_candidates(*given)
        return names.get(name, name)

    return answer


def norms_of_columns(w, u, after, limit):
    """The stub."""
    norms = np.linalg.norm(after, axis=0)
    return "columns" if np.all(norms < 1.001 * limit) else "rows"


def norms_alone(w, u, after, limit):
    small = lambda norms: np.all(norms < 1.001 * limit)
    if small(np.linalg.norm(after)):
        return "whole"
    if small(norm(after)):
        return "columns"
    if small(norm(after, 1)):
        return "rows"
    return "entries" if small(np.abs(after)) else "before"


def candidates(moved):
    """What each program would leave of other weights."""

    def answer(w, u, found, limit):
        late = {
            place: after(place, moved(w, u) / 2, moved(w, u) / 2, limit) for place in PLACES[:5]
        }
        early = {place: after(place, w, u, limit) for place in PLACES[5:]}
        left = late | early
        return min(left, key=lambda place: np.abs(left[place] - found).max())

    return answer


def factors_alone(w, u, found, limit):
    """What were the weights multiplied by? It knows no other order."""
    factor = found / (w + u)
    if np.allclose(factor, factor[0, 0]):
        return WHOLE
    if np.allclose(factor, factor[:1]):
        return COLUMNS
    return ROWS if np.allclose(factor, factor[:, :1]) else ENTRIES


def shorter_means_update(w, u, found, limit):
    """Of the two orders, it takes the one by how far the weights went."""
    place = by_candidates(w, u, found, limit)
    went = np.linalg.norm(found - w) < np.linalg.norm(u)
    return (UPDATE if went else BEFORE) if place in (BEFORE, UPDATE) else place


WRONG = {
    "update_missed": [candidates(lambda w, u: w), candidates(lambda w, u: w - u)],
    "order_not_asked": [
        lambda *given: {BEFORE: ROWS, UPDATE: COLUMNS}.get(n := by_candidates(*given), n)
    ],
    "never_said": [renamed(whole="rows"), renamed(columns="unit")],
    "always_the_same": [lambda *_, name=name: name for name in PLACES],
    "norms_of_columns": [norms_of_columns],
    "norms_alone": [norms_alone],
    "short_ones_overlooked": [renamed(unit="columns")],
    "whole_overlooked": [renamed(whole="columns"), renamed(whole="columns", unit="columns")],
    "rows_and_columns": [renamed(rows="columns", columns="rows"), renamed(rows="columns")],
    "order_overlooked": [renamed(before="update"), renamed(update="before", before="update")],
    "entries_overlooked": [renamed(entries="rows"), renamed(entries="before")],
    "not_a_name": [lambda *_: "axis 0", lambda *given: by_candidates(*given).upper()],
    "returns_other": [lambda *_: 0, lambda w, u, after, limit: w],
    "structure_changed": [lambda *given: [by_candidates(*given)]],
    "not_callable": ["columns"],
    "raises": [lambda w: "columns"],
}

IN_PART = {
    "order_not_asked": [factors_alone],
    "order_overlooked": [shorter_means_update],
}

RIGHT = {
    "by candidates": by_candidates,
    "by factors": by_factors,
    "of JAX": lambda w, u, after, limit: by_candidates(*map(jnp.asarray, (w, u, after)), limit),
}


@pytest.mark.slow
def test_the_programs_are_the_librarys_operators_and_optaxs_in_these_places():
    for case in CASES:
        w, u, found, limit = case.arguments
        left = {
            COLUMNS: max_norm(w + u, limit),
            ROWS: max_norm(w + u, limit, axis=1),
            WHOLE: optax.projections.projection_l2_ball(w + u, limit),
            ENTRIES: np.clip(w + u, -limit, limit),
            UNIT: limit * (w + u) / norm(w + u),
            BEFORE: max_norm(w, limit) + u,
            UPDATE: w + max_norm(u, limit),
        }
        same = [name for name, made in left.items() if np.allclose(made, found, rtol=1e-4)]
        assert len(same) == 1
        np.testing.assert_allclose(found, after(same[0], w, u, limit), rtol=1e-12)


def test_every_place_comes_in_every_shape_with_a_short_column_and_a_long_one():
    assert len(CASES) == 2 * len(PLACES)
    for case in CASES:
        w, u, _, limit = case.arguments
        short, *others = np.linalg.norm(w + u, axis=0)
        assert short < 0.7 * limit
        assert max(others) > 1.1 * limit
        assert np.linalg.norm(w, axis=0).max() > 1.1 * limit
        assert np.linalg.norm(u, axis=0).max() > 1.1 * limit
