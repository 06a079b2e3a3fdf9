"""What gradlab.ops.clipping.clip_by_value claims."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.ops import clip_by_value
from tests.ops.ops_reference import FLOATS, bits

clip = jax.jit(clip_by_value)
slope = jax.jit(jax.vmap(jax.grad(clip_by_value), (0, None, None)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_every_entry_is_cut_to_the_interval_and_the_dtype_kept(dtype):
    g = jnp.array([-3, -0.5, -0.0, 0.25, 7, np.inf, -np.inf, np.nan], dtype)
    for f in (clip, clip_by_value):
        y = f(g, -1.0, 2.0)
        assert y.dtype == dtype
        np.testing.assert_array_equal(
            np.asarray(y, np.float64), [-1, -0.5, -0.0, 0.25, 2, 2, -1, np.nan]
        )


@pytest.mark.parametrize("dtype", FLOATS)
def test_within_the_interval_and_at_its_ends_the_result_is_the_input_bit_for_bit(dtype):
    limits = jnp.finfo(dtype)
    g = jnp.array([-1, 2, -0.0, 0.0, 0.1, limits.tiny, -limits.eps], dtype)
    for ends in ((-1.0, 2.0), (-1e4, 1e4), (-np.inf, np.inf), (-1.0, np.inf)):
        assert bits(clip(g, *ends)) == bits(g)


def test_the_interval_need_not_hold_zero():
    np.testing.assert_array_equal(clip_by_value(jnp.array([-1.0, 0.0, 4.0]), 2, 3), [2.0, 2.0, 3.0])


def test_an_interval_of_one_point_gives_that_point():
    np.testing.assert_array_equal(clip(jnp.array([-1.0, 0.0, 4.0]), 0.0, 0.0), np.zeros(3))


def test_the_derivative_is_one_within_and_at_the_ends_and_zero_beyond():
    g = jnp.array([-3.0, -1.0, -0.5, 0.0, 0.5, 2.0, 3.0])
    expected = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    np.testing.assert_array_equal(slope(g, -1.0, 2.0), expected)
    _, forward = jax.jvp(lambda g: clip_by_value(g, -1.0, 2.0), (g,), (jnp.ones(7),))
    np.testing.assert_array_equal(forward, expected)
    np.testing.assert_array_equal(slope(jnp.array([0.0, 1.0]), 0.0, 0.0), [1.0, 0.0])


def test_second_derivatives_are_zero():
    second = jax.jit(jax.vmap(jax.grad(jax.grad(clip_by_value)), (0, None, None)))
    assert not np.any(second(jnp.array([-3.0, -1.0, 0.0, 2.0, 3.0]), -1.0, 2.0))


def test_a_limit_moves_what_lies_beyond_it():
    sums = jax.jit(jax.grad(lambda a, b, g: jnp.sum(clip_by_value(g, a, b)), argnums=(0, 1)))
    low, high = sums(-1.0, 2.0, jnp.array([-3.0, -2.0, -1.0, 0.0, 2.0, 3.0]))
    assert (low, high) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("minimum", "maximum", "error", "given"),
    [
        (1.0, -1.0, ValueError, r"minimum = 1\.0 and maximum = -1\.0"),
        (np.inf, -np.inf, ValueError, "must not be greater"),
        (np.nan, 1.0, ValueError, "minimum must be a number, but nan"),
        (-1.0, jnp.nan, ValueError, "maximum must be a number, but nan"),
        (-np.ones(2), 1.0, ValueError, r"minimum must be a scalar.*\(2,\)"),
        (None, 1.0, TypeError, "minimum must be one real number, but None"),
        (-1.0, "1", TypeError, r"'1' \(str\)"),
        (-1.0, 1j, TypeError, "complex"),
        (False, 1.0, TypeError, "False"),
    ],
)
def test_limits_that_make_no_interval_are_refused_where_they_are_known(
    minimum, maximum, error, given
):
    with pytest.raises(error, match=given):
        clip_by_value(jnp.ones(2), minimum, maximum)
    with pytest.raises(error, match=given):
        jax.jit(lambda g: clip_by_value(g, minimum, maximum))(jnp.ones(2))


@pytest.mark.parametrize("ends", [(1.0, -1.0), (np.nan, 1.0), (-1.0, np.nan), (np.inf, -np.inf)])
def test_limits_that_make_no_interval_make_nan_where_they_are_traced(ends):
    assert np.all(np.isnan(clip(jnp.array([-3.0, 0.0, 3.0]), *ends)))


def test_one_limit_may_be_traced_and_the_other_known():
    g = jnp.array([-3.0, 0.0, 3.0])
    below = jax.jit(lambda g, a: clip_by_value(g, a, 1.0))
    np.testing.assert_array_equal(below(g, -1), [-1.0, 0.0, 1.0])
    assert np.all(np.isnan(below(g, 2.0)))
    with pytest.raises(ValueError, match="maximum must be a number"):
        jax.jit(lambda g, a: clip_by_value(g, a, np.nan))(g, -1.0)


def test_limits_of_two_dtypes_keep_each_its_range():
    # In the narrower one 1e5 is inf, which is no limit.
    g = jnp.array([1e6, -5.0], jnp.float32)
    y = jax.jit(lambda g, a: clip_by_value(g, a, 1e5))(g, jnp.float16(-1))
    np.testing.assert_array_equal(y, [1e5, -1.0])
    y = jax.jit(clip_by_value)(g, jnp.float16(-1), jnp.float32(1e5))
    np.testing.assert_array_equal(y, [1e5, -1.0])


def test_limits_that_are_too_large_for_the_dtype_are_no_limits():
    g = jnp.array([-3.0, 4.0], jnp.float16)
    for size in (1e300, 10**10, 10**30, np.int64(2**40), np.float64(1e300)):
        assert bits(clip_by_value(g, -size, size)) == bits(g)
        with jax.enable_x64(False):
            assert bits(clip_by_value(g, -size, size)) == bits(g)


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_limit_is_rounded_to_the_leafs_dtype(dtype):
    y = clip_by_value(jnp.array([-1, 1], dtype), np.float64(-0.1), jnp.float32(0.1))
    assert y.tolist() == [float(dtype(-0.1)), float(dtype(jnp.float32(0.1)))]


def test_leaves_without_a_gradient_pass_through_untouched():
    float0 = np.zeros(2, jax.dtypes.float0)
    tree = {"n": None, "i": jnp.arange(3), "b": jnp.array([True]), "k": 7, "t": True, "z": float0}
    y = clip_by_value({**tree, "f": jnp.array([3.0]), "p": 4.0, "e": jnp.zeros((0, 2))}, -1, 1)
    for key, leaf in tree.items():
        assert y[key] is leaf
    assert y["f"].tolist() == [1.0]
    assert y["p"] == 1.0
    assert y["e"].shape == (0, 2)


def test_a_leaf_that_is_complex_or_no_number_is_refused_by_its_place():
    with pytest.raises(TypeError, match=r"grads\['a'\]\[0\].*complex128"):
        clip_by_value({"a": [jnp.array([1j])]}, -1, 1)
    with pytest.raises(TypeError, match=r"grads\['a'\] is 'two' \(str\)"):
        clip_by_value({"a": "two"}, -1, 1)
