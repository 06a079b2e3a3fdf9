"""Properties of the operators that bound a norm, over the whole range of each dtype."""

from __future__ import annotations

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradlab.ops import (
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_by_value,
    clip_per_example,
    max_norm,
    non_negative,
    unit_norm,
)
from tests.ops.ops_reference import (
    SOME_SLOW,
    assert_close,
    bits,
    least,
    norm64,
    rounding,
    shortened,
)

N = 6
quickly = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def global_clip(g, c):
    clipped, _ = clip_by_global_norm({"a": g[:2], "b": [g[2:]]}, c)
    return jnp.concatenate([clipped["a"], clipped["b"][0]])


def rms_clip(g, c):
    # The limit is divided, as a user's might be, and so may be too small for the dtype.
    return clip_by_rms(g, c / N**0.5)


SHORTEN = {
    "clip_by_norm": clip_by_norm,
    "clip_by_global_norm": global_clip,
    "clip_by_rms": rms_clip,
    "clip_per_example": lambda g, c: clip_per_example(g[None], c)[0],
    "max_norm": max_norm,
}


@cache
def program():
    return jax.jit(lambda g, c: {name: f(g, c) for name, f in SHORTEN.items()})


def shorten(g, c):
    return program()(g, float(c)).items()


@pytest.fixture(params=SOME_SLOW, ids=lambda dtype: dtype.__name__, scope="module")
def dtype(request):
    return request.param


@st.composite
def vectors(draw, dtype, room=0):
    """Vectors of all magnitudes that a dtype has as normal numbers, and zeros among them.

    Args:
      draw: Hypothesis's.
      dtype: theirs.
      room: how many powers of two are left free at each end of the range.
    """
    limits = jnp.finfo(dtype)
    lowest, highest = int(limits.minexp) + room, int(limits.maxexp) - 1 - room
    top = draw(st.integers(lowest, highest))
    exponents = draw(st.lists(st.integers(max(lowest, top - 20), top), min_size=N, max_size=N))
    mantissas = draw(
        st.lists(
            st.one_of(st.just(0.0), st.floats(1.0, 1.9), st.floats(-1.9, -1.0)),
            min_size=N,
            max_size=N,
        )
    )
    return jnp.asarray(np.ldexp(mantissas, exponents).astype(dtype))


@st.composite
def cases(draw, dtype, room=0):
    """A vector and a limit, from far below its norm to far above."""
    g = draw(vectors(dtype, room))
    n = norm64(g) or 1.0
    working = jnp.finfo(jnp.float64 if dtype == jnp.float64 else jnp.float32)
    c = n * 2.0 ** draw(st.floats(-8, 2))
    # The root of N is room for clip_by_rms.
    return g, float(np.clip(c, 4 * float(working.tiny) * 2.0**room, float(working.max) / 4))


def test_the_result_is_the_formulas_in_float64(dtype):
    @quickly
    @given(cases(dtype))
    def check(case):
        g, c = case
        for name, y in shorten(g, c):
            assert_close(y, shortened(g, c), dtype, name)

    check()


def test_below_the_limit_it_is_the_identity_bit_for_bit(dtype):
    @quickly
    @given(vectors(dtype), st.floats(1.0001, 1e3))
    def check(g, more):
        c = norm64(g) * more + 1e-30
        for name, y in shorten(g, c):
            assert bits(y) == bits(g), name

    check()


def test_the_result_never_exceeds_the_limit_by_more_than_rounding(dtype):
    @quickly
    @given(cases(dtype))
    def check(case):
        g, c = case
        for name, y in shorten(g, c):
            assert norm64(y) <= c * (1 + rounding(dtype)) + N * least(dtype), name

    check()


def test_twice_is_once(dtype):
    @quickly
    @given(cases(dtype))
    def check(case):
        g, c = case
        for name, y in shorten(g, c):
            assert_close(program()(y, c)[name], y, dtype, name)

    check()


def test_the_direction_is_kept(dtype):
    @quickly
    @given(cases(dtype, room=2))
    def check(case):
        g, c = case
        wide, n = np.asarray(g, np.float64), norm64(g) or 1.0
        for name, y in shorten(g, c):
            y = np.asarray(y, np.float64)
            along = (y / (norm64(y) or 1.0)) * (norm64(y) > 0)
            if norm64(y) > 1e4 * least(dtype):
                np.testing.assert_allclose(along, wide / n, atol=rounding(dtype), err_msg=name)

    check()


def test_vector_and_limit_may_be_scaled_together(dtype):
    @quickly
    @given(cases(dtype, room=4), st.integers(-3, 3))
    def check(case, k):
        g, c = case
        whole = dict(shorten((g * 2.0**k).astype(dtype), c * 2.0**k))
        for name, y in shorten(g, c):
            part = np.asarray(y, np.float64) * 2.0**k
            np.testing.assert_allclose(
                np.asarray(whole[name], np.float64),
                part,
                rtol=rounding(dtype),
                atol=16 * least(dtype),
                err_msg=name,
            )

    check()


def test_a_permutation_goes_through(dtype):
    @quickly
    @given(cases(dtype), st.permutations(range(N)))
    def check(case, order):
        g, c = case
        order = np.array(order)
        moved = dict(shorten(g[order], c))
        for name, y in shorten(g, c):
            assert_close(moved[name], y[order], dtype, name)

    check()


def test_a_sign_goes_through_exactly(dtype):
    @quickly
    @given(cases(dtype))
    def check(case):
        g, c = case
        turned = dict(shorten(-g, c))
        for name, y in shorten(g, c):
            assert bits(turned[name]) == bits(-y), name

    check()


def test_a_larger_limit_lets_more_through(dtype):
    @quickly
    @given(cases(dtype), st.floats(1, 100))
    def check(case, more):
        g, c = case
        larger = dict(shorten(g, c * min(more, 3.0)))
        for name, y in shorten(g, c):
            assert norm64(y) <= norm64(larger[name]) * (1 + rounding(dtype)) + least(dtype), name

    check()


def test_two_points_come_no_further_apart(dtype):
    # It is the projection onto a ball, and projections onto convex sets are like that.
    @quickly
    @given(cases(dtype, room=2), vectors(dtype, room=2))
    def check(case, other):
        g, c = case
        apart = np.asarray(g, np.float64) - np.asarray(other, np.float64)
        seconds = dict(shorten(other, c))
        for name, y in shorten(g, c):
            after = np.asarray(y, np.float64) - np.asarray(seconds[name], np.float64)
            slack = rounding(dtype) * (norm64(y) + norm64(seconds[name])) + N * least(dtype)
            assert norm64(after) <= norm64(apart) + slack, name

    check()


def test_a_unit_column_has_length_one(dtype):
    unit = jax.jit(unit_norm)

    @quickly
    @given(vectors(dtype))
    def check(w):
        y = unit(w)
        if np.any(w):
            assert norm64(y) == pytest.approx(1, abs=rounding(dtype))
        else:
            assert bits(y) == bits(w)

    check()


def test_what_acts_on_entries_is_an_exact_projection(dtype):
    clip, floor = jax.jit(clip_by_value), jax.jit(non_negative)

    @quickly
    @given(vectors(dtype), vectors(dtype))
    def check(g, ends):
        low, high = float(ends.min()), float(ends.max())
        y = clip(g, low, high)
        np.testing.assert_array_equal(y, np.clip(np.asarray(g, np.float64), low, high))
        assert bits(clip(y, low, high)) == bits(y)
        np.testing.assert_array_equal(floor(g), np.maximum(np.asarray(g, np.float64), 0))

    check()
