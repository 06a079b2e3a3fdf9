"""Claims of scaleclip.ops.clipping.clip_by_value."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from tests.ops.reference import EACH_FLOAT, bits

from scaleclip.ops import clip_by_value

clip = jax.jit(clip_by_value)
slope = jax.jit(jax.vmap(jax.grad(clip_by_value), (0, None, None)))


@EACH_FLOAT
def test_entries_within_the_interval_keep_their_bits(dtype):
    limits = jnp.finfo(dtype)
    g = jnp.array([-1, 2, -0.0, 0.0, 0.1, limits.tiny, -limits.eps], dtype)
    for ends in ((-1.0, 2.0), (-1e4, 1e4), (-np.inf, np.inf), (-1.0, np.inf)):
        assert bits(clip(g, *ends)) == bits(g)
    # an interval need not hold zero, and may be one point
    assert clip(g[:3], 2.0, 3.0).tolist() == [2.0, 2.0, 2.0]
    assert clip(g[:3], 0.0, 0.0).tolist() == [0.0, 0.0, 0.0]


def test_the_derivative_is_one_within_and_at_the_ends_and_zero_beyond():
    g = jnp.array([-3.0, -1.0, -0.5, 0.0, 0.5, 2.0, 3.0])
    expected = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    np.testing.assert_array_equal(slope(g, -1.0, 2.0), expected)
    _, forward = jax.jvp(lambda g: clip_by_value(g, -1.0, 2.0), (g,), (jnp.ones(7),))
    np.testing.assert_array_equal(forward, expected)
    np.testing.assert_array_equal(slope(jnp.array([0.0, 1.0]), 0.0, 0.0), [1.0, 0.0])
    second = jax.jit(jax.vmap(jax.grad(jax.grad(clip_by_value)), (0, None, None)))
    assert not np.any(second(g, -1.0, 2.0))


def test_a_limit_moves_what_lies_beyond_it():
    sums = jax.jit(jax.grad(lambda a, b, g: jnp.sum(clip_by_value(g, a, b)), argnums=(0, 1)))
    low, high = sums(-1.0, 2.0, jnp.array([-3.0, -2.0, -1.0, 0.0, 2.0, 3.0]))
    assert (low, high) == (2.0, 1.0)


def test_limits_of_two_dtypes_keep_each_its_range():
    # In the narrower one 1e5 is inf, which is no limit.
    g = jnp.array([1e6, -5.0], jnp.float32)
    for high in (1e5, jnp.float32(1e5)):
        np.testing.assert_array_equal(clip(g, jnp.float16(-1), high), [1e5, -1.0])


@EACH_FLOAT
def test_a_limit_is_rounded_to_the_leafs_dtype(dtype):
    y = clip_by_value(jnp.array([-1, 1], dtype), np.float64(-0.1), jnp.float32(0.1))
    assert y.tolist() == [float(dtype(-0.1)), float(dtype(jnp.float32(0.1)))]
