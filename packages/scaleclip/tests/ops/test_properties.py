"""Properties of the operators that bound a norm, over the whole range of each dtype."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ops.operators import SHORTEN
from tests.ops.reference import FLOATS, assert_close, bits, norm64, rounding, shortened

from scaleclip.ops import unit_norm

N = 6
quickly = settings(max_examples=60, deadline=None, derandomize=True, database=None)

pytestmark = pytest.mark.slow


every = jax.jit(lambda g, c: {name: f(g, c) for name, f in SHORTEN.items()})


@pytest.fixture(params=FLOATS, ids=lambda dtype: dtype.__name__, scope="module")
def dtype(request):
    return request.param


@st.composite
def vectors(draw, dtype):
    """Vectors of all magnitudes that a dtype has as normal numbers, and zeros among them.

    Their norms are numbers of float64, in which the reference computes them.
    """
    limits = jnp.finfo(dtype)
    lowest, highest = int(limits.minexp), min(int(limits.maxexp) - 1, 1020)
    top = draw(st.integers(lowest, highest))
    exponents = draw(st.lists(st.integers(max(lowest, top - 20), top), min_size=N, max_size=N))
    mantissas = draw(
        st.lists(
            st.one_of(st.sampled_from([0.0, -0.0]), st.floats(1.0, 1.9), st.floats(-1.9, -1.0)),
            min_size=N,
            max_size=N,
        )
    )
    return jnp.asarray(np.ldexp(mantissas, exponents).astype(dtype))


@st.composite
def cases(draw, dtype):
    """A vector and a limit, from far below its norm to far above."""
    g = draw(vectors(dtype))
    n = float(norm64(g)) or 1.0
    working = jnp.finfo(jnp.float64 if dtype == jnp.float64 else jnp.float32)
    c = n * 2.0 ** draw(st.floats(-8, 2))
    # The factor N is room for clip_by_average_norm.
    return g, float(np.clip(c, 4 * N * float(working.tiny), float(working.max) / 4))


def test_the_result_is_the_formulas_in_float64(dtype):
    @quickly
    @given(cases(dtype))
    def check(case):
        g, c = case
        for name, y in every(g, float(c)).items():
            assert_close(y, shortened(g, c), dtype, name)

    check()


def test_below_the_limit_it_is_the_identity_bit_for_bit(dtype):
    @quickly
    @given(vectors(dtype), st.floats(1.0001, 1e3))
    def check(g, more):
        c = norm64(g) * more + 1e-30
        for name, y in every(g, float(c)).items():
            assert bits(y) == bits(g), name

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
