"""Arguments that all operators take, pass through and refuse."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.operators import AT_TENSOR, TREES, pulled
from tests.ops.reference import EACH_FLOAT, bits

from scaleclip import ops

# ------------------------------------------------------------------------------ numbers

ONES = jnp.ones(2)
# every argument that is a real number, as a function of it
REAL = {
    "scale": lambda x, v: ops.scale_gradient(x, v),
    "strength": lambda x, v: ops.reverse_gradient(x, v),
    "rate": lambda x, v: ops.min_max_norm(x, 0.0, 1.0, v),
    "minimum": lambda x, v: ops.clip_by_value(x, v, 1.0),
    "maximum": lambda x, v: ops.clip_by_value(x, -1.0, v),
    "minimum at a tensor": lambda x, v: ops.clip_gradient(x, v, 1.0),
    "maximum at a tensor": lambda x, v: ops.clip_gradient(x, -1.0, v),
    "norm": lambda x, v: ops.clip_by_global_norm(x, 1.0, v),
}
# those of them that are sizes, from 0 to inf
SIZES = {
    "max_norm": lambda x, v: ops.clip_by_norm(x, v),
    "max_norm, average": lambda x, v: ops.clip_by_average_norm(x, v),
    "max_norm, global": lambda x, v: ops.clip_by_global_norm(x, v)[0],
    "max_norm, per example": lambda x, v: ops.clip_per_example(x, v),
    "max_norm at a tensor": lambda x, v: pulled(ops.clip_gradient_norm)(x, v),
    "max_rms": lambda x, v: ops.clip_by_rms(x, v),
    "ratio": lambda x, v: ops.clip_adaptively(x, x, v),
    "floor": lambda x, v: ops.clip_adaptively(x, x, 1.0, v),
    "limit": lambda x, v: ops.max_norm(x, v),
    "epsilon": lambda x, v: ops.max_norm(x, 1.0, epsilon=v),
    "low": lambda x, v: ops.min_max_norm(x, v, 1.0),
    "high": lambda x, v: ops.min_max_norm(x, 0.0, v),
}


@pytest.mark.parametrize("argument", [*REAL, *SIZES])
def test_arguments_that_are_not_real_scalars_are_refused(argument):
    name = argument.split(",")[0].split(" ")[0]
    for value, error, given in [
        (np.ones(3), ValueError, r"a scalar, but an array of shape \(3,\) and dtype float64"),
        ("0.5", TypeError, r"one real number, but '0\.5' \(str\)"),
        (None, TypeError, "one real number, but None"),
        (True, TypeError, r"one real number, but True \(bool\)"),
        (jnp.array(True), TypeError, "dtype bool"),
        (1j, TypeError, "complex"),
        (jnp.complex64(1), TypeError, "complex64"),
        ([0.5], TypeError, "list"),
        ({"a": 0.5}, TypeError, "dict"),
    ]:
        if (argument, value is None) == ("norm", True):
            continue  # its default
        with pytest.raises(error, match=f"{name} must be .*{given}"):
            (REAL | SIZES)[argument](ONES, value)


@pytest.mark.slow
@pytest.mark.parametrize("argument", SIZES)
def test_negative_or_nan_sizes_raise_or_if_traced_give_nan(
    argument,
):
    f, name = SIZES[argument], argument.split(",")[0].split(" ")[0]
    for value in (-1.0, np.nan, -np.inf, np.float32(-1), jnp.array(-2), -(2**40)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            f(ONES, value)
        with pytest.raises(ValueError, match=f"{name} must be"):
            jax.jit(lambda x, v=value: f(x, v))(ONES)
    traced = jax.jit(f)
    for value in (-1.0, np.nan, -np.inf):
        for x in ([3.0, 4.0], [0.0, 0.0]):
            assert np.all(np.isnan(traced(jnp.array(x), value))), (value, x)


@pytest.mark.slow
@pytest.mark.parametrize(
    "value", [2, np.int32(2), np.float16(2), np.array(2), jnp.int8(2), jnp.bfloat16(2)]
)
def test_a_number_may_be_any_real_scalar_and_the_leafs_dtype_is_kept(value):
    clipped = ops.clip_by_norm(jnp.array([3, 4], jnp.float16), value)
    assert clipped.dtype == jnp.float16
    np.testing.assert_allclose(clipped, [1.2, 1.6], rtol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("value", [1e300, 10**10, 10**30, np.float64(1e300), np.int64(2**40)])
def test_a_limit_that_is_too_large_for_the_dtype_is_no_limit(value):
    for x64, dtype in ((False, jnp.float32), (True, jnp.float16)):
        with jax.enable_x64(x64):
            g = jnp.array([-3.0, 4.0], dtype)
            for clip in (ops.clip_by_norm, ops.max_norm):
                assert bits(clip(g, value)) == bits(g)
            assert bits(ops.clip_by_value(g, -value, value)) == bits(g)


INTERVALS = {
    "clip_by_value": ops.clip_by_value,
    "clip_gradient": pulled(ops.clip_gradient),
    "min_max_norm": ops.min_max_norm,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", INTERVALS)
def test_empty_intervals_raise_or_if_traced_give_nan(name):
    f, traced = INTERVALS[name], jax.jit(INTERVALS[name])
    for ends, given in [
        ((2.0, 1.0), r"must not be greater than .* = 2\.0 and .* = 1\.0 were given"),
        ((np.nan, 1.0), "must be .*but nan"),
        ((1.0, jnp.nan), "must be .*but nan"),
    ]:
        with pytest.raises(ValueError, match=given):
            f(ONES, *ends)
        with pytest.raises(ValueError, match=given):
            jax.jit(lambda x, ends=ends: f(x, *ends))(ONES)
        assert np.all(np.isnan(traced(jnp.array([-3.0, 3.0]), *ends)))
    half = jax.jit(lambda x, low: f(x, low, 2.0))  # one end traced and the other known
    assert np.all(np.isnan(half(ONES, 3.0)))
    np.testing.assert_array_equal(half(ONES, 0.0), ONES)


# ------------------------------------------------------------------------------ pytrees


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_leaves_without_a_gradient_pass_through_untouched(name):
    float0 = np.zeros(2, jax.dtypes.float0)
    tree = {"n": None, "i": jnp.arange(3), "b": jnp.array([True]), "k": 7, "t": True, "z": float0}
    out = TREES[name]({**tree, "f": jnp.array([0.6, 0.8]), "p": 1.0, "e": jnp.zeros((0, 2))})
    for key, leaf in tree.items():
        assert out[key] is leaf
    np.testing.assert_allclose(
        out["f"], [0.6, 0.8] if name != "clip_by_global_norm" else np.array([0.6, 0.8]) / 2**0.5
    )
    assert out["e"].shape == (0, 2)


@pytest.mark.parametrize("name", TREES)
def test_a_leaf_that_is_no_number_is_refused(name):
    with pytest.raises(TypeError, match=r"'two' \(str\)"):
        TREES[name]({"a": "two"})


class Point(NamedTuple):
    x: Any
    y: Any


def test_any_pytree_will_do_and_numpys_arrays_are_leaves():
    tree = [Point(np.array([3.0]), None), (np.float32(4), jnp.arange(2))]
    clipped, norm = ops.clip_by_global_norm(tree, 1.0)
    assert norm == 5.0
    point, (number, integers) = clipped
    assert isinstance(point, Point)
    np.testing.assert_allclose([point.x[0], number], [0.6, 0.8], rtol=1e-7)
    assert (point.x.dtype, number.dtype, point.y) == (jnp.float64, jnp.float32, None)
    assert integers is tree[1][1]


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_TENSOR)
@EACH_FLOAT
def test_at_a_tensor_the_value_is_kept_bit_for_bit(name, dtype):
    x = jnp.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.5, 1e-4], dtype)
    for f in (AT_TENSOR[name], jax.jit(AT_TENSOR[name]), lambda x: jax.vjp(AT_TENSOR[name], x)[0]):
        y = f(x)
        assert y.dtype == dtype
        assert bits(y) == bits(x)


# --------------------------------------------------------------------------------- axes


@pytest.mark.parametrize("axis", [2, -3, (0, 2)])
def test_an_axis_that_a_leaf_does_not_have_is_refused_by_its_place(axis):
    tree = {"a": jnp.ones((2, 2))}
    for f in (
        lambda: ops.clip_by_norm(tree, 1.0, axis),
        lambda: ops.clip_gradient_norm(tree, 1.0, axis),
        lambda: ops.clip_adaptively(tree, tree, 1.0, axis=axis),
        lambda: ops.max_norm(tree, 1.0, axis),
        lambda: ops.unit_norm(tree, axis),
        lambda: ops.min_max_norm(tree, 0.0, 1.0, axis=axis),
    ):
        with pytest.raises(ValueError, match=r"\['a'\] has the shape \(2, 2\)"):
            f()


@pytest.mark.parametrize(
    ("axis", "error"),
    [((0, -2), ValueError), (0.5, TypeError), ("0", TypeError), (True, TypeError)],
)
def test_an_axis_that_is_named_twice_or_no_integer_is_refused(axis, error):
    with pytest.raises(error, match="axis"):
        ops.clip_by_norm(jnp.ones((2, 2)), 1.0, axis)
