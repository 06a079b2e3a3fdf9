"""Claims of scaleclip.ops.clipping on the clips by a norm, against references in float64."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.ops.operators import SHORTEN
from tests.ops.reference import EACH_FLOAT, FLOATS, assert_close, bits, norm64, normal, shortened

from scaleclip import transforms
from scaleclip.ops import (
    clip_adaptively,
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_per_example,
    global_norm,
)


def all_of_them(g, c):
    """Apply each to a vector, at a norm of c."""
    return {name: clip(g, c) for name, clip in SHORTEN.items()}


# One program for all of them: compiling is what takes the time here.
clipped_by_all = jax.jit(all_of_them)
slopes_of_all = {
    "reverse": jax.jit(jax.jacrev(all_of_them)),
    "forward": jax.jit(jax.jacfwd(all_of_them)),
}
curvature = jax.jit(jax.hessian(lambda g, c: jnp.sum(clip_by_global_norm(g, c)[0] ** 2)))


@pytest.mark.slow
def test_at_the_limit_the_result_is_the_input_at_every_limit():
    # Where c (1 / c) is not 1 Keras changes what is within the limit: at 41, 47, 55, ...
    g = jnp.array([3.0, 4.0], jnp.float32)
    clip = jax.jit(jax.vmap(lambda c: clip_by_norm(g * (c / 5), c)))
    limits = jnp.arange(5, 1000, 5).astype(jnp.float32)
    np.testing.assert_array_equal(clip(limits), g * (limits / 5)[:, None])


@pytest.mark.slow
@pytest.mark.parametrize("way", slopes_of_all)
def test_derivatives_within_and_beyond_the_limit(way):
    slopes = slopes_of_all[way]
    for g, limit in [
        *(([0.0, 0.0], limit) for limit in (0.0, 2.0, np.inf)),
        *(([3.0, 4.0], limit) for limit in (5.0, 6.0, 1e300, np.inf)),
    ]:
        for name, slope in slopes(jnp.array(g), limit).items():
            if (name, limit) != ("clip_by_rms", 5.0):  # the root of 2 is rounded
                np.testing.assert_array_equal(slope, np.eye(2), name)
    u = np.array([0.6, 0.8])
    off = np.eye(2) - np.outer(u, u)
    for name, slope in slopes(jnp.array([3.0, 4.0]), 2.0).items():
        np.testing.assert_allclose(slope, 2 / 5 * off, atol=1e-15, err_msg=name)
    for size in (3e38, 1e30, 1e-30, 1e-37):
        for name, slope in slopes(jnp.array(u * size, jnp.float32), size / 2).items():
            np.testing.assert_allclose(slope, off / 2, atol=1e-6, err_msg=name)


@pytest.mark.slow
def test_second_derivative_of_the_clipped_square():
    for limit in (0.0, 2.0, np.inf):
        np.testing.assert_array_equal(curvature(jnp.zeros(2), limit), 2 * np.eye(2))
    np.testing.assert_allclose(curvature(jnp.array([3.0, 4.0]), 2.0), np.zeros((2, 2)), atol=1e-15)


@EACH_FLOAT
@pytest.mark.slow
def test_a_limit_of_zero_gives_zeros(dtype):
    limits = jnp.finfo(dtype)
    for g in ([3, -4], [limits.max, -limits.max], [limits.tiny, 0]):
        for name, y in clipped_by_all(jnp.array(g).astype(dtype), 0.0).items():
            assert y.dtype == dtype
            assert not np.any(y), name


# Leaves, axes, divisors


@pytest.mark.slow
@pytest.mark.parametrize("axis", [None, -1, (), [2, 0]])
def test_clip_by_norm_shortens_each_leaf_or_slice(axis):
    tree = {"a": normal(3, 4, 5, dtype=jnp.float32), "b": [normal(2, 1, 3, seed=2)]}
    over = tuple(axis) if isinstance(axis, list) else axis
    clip = jax.jit(lambda tree, limit: clip_by_norm(tree, limit, axis))
    for limit in (0.3, 1.0, 3.0):
        jax.tree.map(
            lambda y, g, c=limit: assert_close(y, shortened(g, c, over), g.dtype),
            clip(tree, limit), tree,
        )  # fmt: skip


@pytest.mark.slow
def test_average_norm_and_rms_of_ones():
    ones, huge = jnp.ones(16), jnp.full(4, 3e38, jnp.float32)
    for clip, limit, most in ((clip_by_average_norm, 0.25, 2e38), (clip_by_rms, 1.0, 1e38)):
        assert bits(clip(ones, limit)) == bits(ones)
        np.testing.assert_allclose(clip(ones, limit / 2), ones / 2)
        # a limit times the count, or its root, may be too large for the dtype
        np.testing.assert_allclose(clip(huge, 1e38), np.full(4, most), rtol=1e-6)


# The global norm

jitted_global = jax.jit(clip_by_global_norm)


@pytest.mark.slow
def test_leaves_of_mixed_dtypes_share_one_norm():
    tree = [jnp.array([300.0], dtype) for dtype in FLOATS]
    clipped, norm = jitted_global(tree, 6.0)
    assert [leaf.dtype for leaf in clipped] == FLOATS
    assert [float(leaf[0]) for leaf in clipped] == [3.0] * 4
    assert (norm, norm.dtype) == (600.0, jnp.float64)
    assert jitted_global(tree[:3], 6.0)[1].dtype == jnp.float32


@pytest.mark.slow
def test_a_norm_that_is_given_is_used_and_returned():
    g = jnp.array([3.0, 4.0])
    clipped, norm = clip_by_global_norm(g, 5.0, 10)
    np.testing.assert_allclose(clipped, g / 2)
    assert norm == 10.0
    assert bits(clip_by_global_norm(g, 1.0, 0.5)[0]) == bits(g)
    with pytest.raises(ValueError, match="norm must be 0 or more"):
        clip_by_global_norm(g, 1.0, -1.0)
    clipped, norm = jitted_global(g, 1.0, -1.0)
    assert np.all(np.isnan([*clipped, norm]))


@pytest.mark.slow
def test_the_global_norm_of_nothing_is_zero():
    for tree in ({}, None, [None, 3, jnp.arange(3)], jnp.zeros((0, 3))):
        assert global_norm(tree) == clip_by_global_norm(tree, 1.0)[1] == 0.0


@pytest.mark.slow
def test_derivative_of_the_global_norm():
    np.testing.assert_allclose(jax.grad(global_norm)(jnp.array([3.0, 4.0])), [0.6, 0.8])
    for derivative in (jax.grad, jax.jacfwd, jax.hessian):
        assert not np.any(jax.jit(derivative(global_norm))(jnp.zeros(2)))


# Adaptive clipping


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [jnp.float16, jnp.float64])
def test_adaptive_clipping_guesses_a_units_axes_by_rank(dtype):
    guessed = {
        (): (),
        (5,): (0,),
        (5, 1): (0, 1),
        (4, 6): (0,),
        (3, 4, 5): (0,),
        (3, 3, 2, 4): (0, 1, 2),
        (2, 3, 2, 2, 4): (0, 1, 2, 3),
    }
    g = [normal(*shape, dtype=dtype) for shape in guessed]
    w = [normal(*shape, seed=2, dtype=dtype) / 10 for shape in guessed]
    clipped = jax.jit(lambda g, w: clip_adaptively(g, w, 0.1))(g, w)
    for leaf, gradient, weights, axes in zip(clipped, g, w, guessed.values(), strict=True):
        most = 0.1 * np.maximum(norm64(weights, axis=axes, keepdims=True), 1e-3)
        assert_close(leaf, shortened(gradient, most, axes), dtype)


G, HUGE = np.array([3.0, 4.0]), np.full(4, 3e38, np.float32)
ADAPTED = [  # gradients, weights, ratio, floor, result
    (G, 0 * G, 0.1, 0.5, G / 100),  # the floor lets weights that are zero move
    (G, 0 * G, 0.1, 0.0, 0 * G),
    (HUGE, HUGE, 0.01, 1e-3, HUGE / 100),  # the norm of the weights overflows
    (HUGE, HUGE, 0.0, 1e-3, 0 * HUGE),
    *((G, 0 * G, *no_limit, G) for no_limit in ((np.inf, 0.0), (np.inf, np.inf), (1.0, np.inf))),
    (G, 0 * G, 0.0, np.inf, 0 * G),
    (G, np.full(2, np.inf), 0.0, 1e-3, 0 * G),
    (G, np.full(2, np.nan), 0.0, 1e-3, np.nan * G),
]


@pytest.mark.slow
@pytest.mark.parametrize(("g", "w", "ratio", "floor", "expected"), ADAPTED)
def test_adaptive_clipping_at_the_ends(g, w, ratio, floor, expected):
    found = clip_adaptively(g, w, ratio, floor)
    np.testing.assert_allclose(found, expected, rtol=4 * np.finfo(g.dtype).eps)


def test_weights_of_another_shape_or_structure_are_refused():
    g = {"a": jnp.ones(3)}
    for params, given in (
        ({"a": jnp.ones(2)}, r"shape of grads\['a'\], \(3,\), but an array of shape \(2,\)"),
        ({"a": None}, "but None was given"),
        ({"a": jnp.arange(3)}, "dtype int64 was given"),
        ({"b": jnp.ones(3)}, "same structure, but"),
    ):
        with pytest.raises(ValueError, match=given):
            clip_adaptively(g, params, 0.1)
    assert clip_adaptively({"a": None}, {"a": jnp.ones(3)}, 0.1) == {"a": None}


# Examples


@pytest.mark.slow
def test_per_example_clipping_is_the_global_clip_of_each_example():
    tree = {"a": normal(6, 3, 2, dtype=jnp.bfloat16), "b": normal(6, seed=2, dtype=jnp.bfloat16)}
    clipped = jax.jit(lambda tree: clip_per_example(tree, 1.5))(tree)
    n = np.sqrt(norm64(tree["a"], axis=(1, 2)) ** 2 + np.asarray(tree["b"], np.float64) ** 2)
    assert_close(clipped["a"], shortened(tree["a"], 1.5, norm=n[:, None, None]), jnp.bfloat16)
    assert_close(clipped["b"], shortened(tree["b"], 1.5, norm=n), jnp.bfloat16)


def test_examples_must_lie_along_a_first_axis_of_one_length():
    for tree in ({"a": jnp.ones((3, 2)), "b": jnp.ones((2, 2))}, jnp.float32(1), [1.0]):
        with pytest.raises(ValueError, match="examples along the first axis"):
            clip_per_example(tree, 1.0)


@pytest.mark.slow
def test_a_leaf_adds_no_more_operations_to_a_clip_than_to_optaxs():
    def operations(clip, leaves):
        grads = {str(n): jnp.ones((4, 3), jnp.float32) for n in range(leaves)}
        update = jax.jit(lambda g: clip.update(g, optax.EmptyState())[0])
        return sum(" = " in line for line in update.lower(grads).as_text().splitlines())

    ours, theirs = (
        operations(make(1.0), 40) - operations(make(1.0), 20)
        for make in (transforms.clip_by_global_norm, optax.clip_by_global_norm)
    )
    assert ours <= theirs


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e25, 1e-25])
def test_many_equal_leaves_whose_squares_overflow_or_underflow(size):
    unit = {str(n): np.full((2, 3), n + 1.0) for n in range(20)}  # more than are read together
    grads = jax.tree.map(lambda leaf: jnp.float32(leaf * size), unit)
    clipped, norm = jax.jit(clip_by_global_norm)(grads, size)
    true = np.sqrt(sum((leaf**2).sum() for leaf in unit.values()))
    np.testing.assert_allclose(norm / np.float32(size), true, rtol=1e-6)
    for name, leaf in unit.items():
        np.testing.assert_allclose(clipped[name] / np.float32(size), leaf / true, rtol=2e-6)
