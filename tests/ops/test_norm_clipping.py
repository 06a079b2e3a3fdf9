"""What gradlab.ops.clipping claims of the clips by a norm, against references in float64."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.ops import (
    clip_adaptively,
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_gradient_norm,
    clip_per_example,
    global_norm,
)
from tests.ops.ops_reference import FLOATS, SOME_SLOW, assert_close, bits, norm64, normal, shortened


def pulled(cotangent, limit):
    """What clip_gradient_norm makes of a cotangent."""
    x = jnp.zeros_like(cotangent)
    return jax.vjp(lambda x: clip_gradient_norm(x, limit), x)[1](cotangent)[0]


# Each shortens a vector of 2 entries; the second is what the limit must be for a norm of 1.
BY_NORM = {
    "clip_by_norm": (clip_by_norm, 1),
    "clip_by_average_norm": (clip_by_average_norm, 1 / 2),
    "clip_by_rms": (clip_by_rms, 1 / 2**0.5),
    "clip_by_global_norm": (lambda g, c: clip_by_global_norm(g, c)[0], 1),
    "clip_adaptively": (lambda g, c: clip_adaptively(g, jnp.zeros_like(g), c, 1.0), 1),
    "clip_per_example": (lambda g, c: clip_per_example(g[None], c)[0], 1),
    "clip_gradient_norm": (pulled, 1),
}
each = pytest.mark.parametrize("name", BY_NORM)


def all_of_them(g, c):
    """What each makes of a vector, at a norm of c."""
    return {name: clip(g, jnp.asarray(c, float) * unit) for name, (clip, unit) in BY_NORM.items()}


# One program for all of them: compiling is what takes the time here.
clipped_by_all = jax.jit(all_of_them)
slopes_of_all = jax.jit(jax.jacrev(all_of_them))
forward_slopes_of_all = jax.jit(jax.jacfwd(all_of_them))
curvature = jax.jit(jax.hessian(lambda g, c: jnp.sum(clip_by_global_norm(g, c)[0] ** 2)))


# All of them


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_three_hundred_four_hundred_clipped_to_five_is_three_four(dtype):
    for name, g in clipped_by_all(jnp.array([300, 400], dtype), 5.0).items():
        assert_close(g, [3, 4], dtype, name)
        if dtype == jnp.float16:
            assert g.tolist() == [3.0, 4.0], name


def test_without_jit_the_numbers_are_the_same():
    g = jnp.array([300, 400], jnp.float32)
    for name, y in all_of_them(g, 5.0).items():
        assert_close(y, [3, 4], jnp.float32, name)


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        (jnp.float32, 1e30),
        pytest.param(jnp.bfloat16, 1e38, marks=pytest.mark.slow),
        (jnp.float64, 1e300),
        (jnp.float16, 1e4),
    ],
)
def test_squares_that_overflow_do_no_harm(dtype, size):
    g = jnp.array([3e-1, 4e-1]) * size
    for name, y in clipped_by_all(g.astype(dtype), 1.0).items():
        assert_close(y, [0.6, 0.8], dtype, name)


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        (jnp.float32, 1e-30),
        pytest.param(jnp.bfloat16, 1e-36, marks=pytest.mark.slow),
        (jnp.float64, 1e-300),
        (jnp.float16, 1e-3),
    ],
)
def test_squares_that_underflow_do_no_harm(dtype, size):
    g = (jnp.array([3.0, 4.0]) * size).astype(dtype)
    for name, y in clipped_by_all(g, 5.1 * size).items():
        assert bits(y) == bits(g), name
    for name, y in clipped_by_all(g, 0.5 * size).items():
        assert_close(y / size, [0.3, 0.4], dtype, name)


def test_a_norm_that_is_itself_too_large_for_the_dtype_is_clipped():
    g = jnp.array([3e38, -3e38], jnp.float32)
    assert norm64(g) > jnp.finfo(jnp.float32).max
    for name, y in clipped_by_all(g, 2.5e38).items():
        assert_close(y, [2.5e38 / 2**0.5, -2.5e38 / 2**0.5], jnp.float32, name)


def test_small_entries_survive_beside_large_ones():
    for name, y in clipped_by_all(jnp.array([3e38, 1.0], jnp.float32), 1e38).items():
        assert_close(y, [1e38, 1 / 3], jnp.float32, name)


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_within_the_limit_the_result_is_the_input_bit_for_bit(dtype):
    for g in ([3.0, -4.0], [-0.0, 0.0], [0.1, -0.0]):
        g = jnp.array(g, dtype)
        for c in (5.01, 1e4, np.inf):
            for name, y in clipped_by_all(g, c).items():
                assert bits(y) == bits(g), name


def test_at_the_limit_the_result_is_the_input_at_every_limit():
    # Where c (1 / c) is not 1 Keras changes what is within the limit: at 41, 47, 55, ...
    g = jnp.array([3.0, 4.0], jnp.float32)
    clip = jax.jit(jax.vmap(lambda c: clip_by_norm(g * (c / 5), c)))
    limits = jnp.arange(5, 1000, 5).astype(jnp.float32)
    np.testing.assert_array_equal(clip(limits), g * (limits / 5)[:, None])


@pytest.mark.parametrize("limit", [0.0, 2.0, np.inf])
def test_zero_stays_zero_and_the_derivative_there_is_the_identity(limit):
    g = jnp.zeros(2)
    for name, y in clipped_by_all(g, limit).items():
        assert bits(y) == bits(g), name
    for slopes in (slopes_of_all, forward_slopes_of_all):
        for name, slope in slopes(g, limit).items():
            np.testing.assert_array_equal(slope, np.eye(2), name)
    np.testing.assert_array_equal(curvature(g, limit), 2 * np.eye(2))


@pytest.mark.parametrize("limit", [5.0, 6.0, 1e300, np.inf])
def test_the_derivative_within_the_limit_is_the_identity_and_at_the_limit_too(limit):
    for slopes in (slopes_of_all, forward_slopes_of_all):
        for name, slope in slopes(jnp.array([3.0, 4.0]), limit).items():
            if (name, limit) != ("clip_by_rms", 5.0):  # the root of 2 is rounded
                np.testing.assert_array_equal(slope, np.eye(2), name)


def test_beyond_the_limit_the_derivative_is_the_projection_off_the_direction():
    g, u = jnp.array([3.0, 4.0]), np.array([0.6, 0.8])
    off = np.eye(2) - np.outer(u, u)
    for slopes in (slopes_of_all, forward_slopes_of_all):
        for name, slope in slopes(g, 2.0).items():
            np.testing.assert_allclose(slope, 2 / 5 * off, atol=1e-15, err_msg=name)
    # The length is that of the limit, and so the square of it is flat.
    np.testing.assert_allclose(curvature(g, 2.0), np.zeros((2, 2)), atol=1e-15)


@pytest.mark.parametrize("size", [3e38, 1e30, 1e-30, 1e-37])
def test_a_derivative_survives_where_the_norm_is_very_large_or_small(size):
    u = np.array([0.6, 0.8])
    expected = (np.eye(2) - np.outer(u, u)) / 2
    g = jnp.array(u * size, jnp.float32)
    for slopes in (slopes_of_all, forward_slopes_of_all):
        for name, slope in slopes(g, size / 2).items():
            np.testing.assert_allclose(slope, expected, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_a_limit_of_zero_gives_zeros(dtype):
    limits = jnp.finfo(dtype)
    for g in ([3, -4], [limits.max, -limits.max], [limits.tiny, 0]):
        for name, y in clipped_by_all(jnp.array(g).astype(dtype), 0.0).items():
            assert y.dtype == dtype
            assert not np.any(y), name


@each
@pytest.mark.parametrize("limit", [-1.0, np.nan, -np.inf, np.float32(-1), jnp.array(-2), -(2**40)])
def test_a_limit_that_is_negative_or_nan_is_refused_where_it_is_known(name, limit):
    clip, _ = BY_NORM[name]
    with pytest.raises(ValueError, match="must be 0 or more"):
        clip(jnp.ones(2), limit)
    with pytest.raises(ValueError, match="must be 0 or more"):
        jax.jit(lambda g: clip(g, limit))(jnp.ones(2))


@pytest.mark.parametrize("limit", [-1.0, np.nan, -np.inf])
def test_a_limit_that_is_negative_or_nan_makes_nan_where_it_is_traced(limit):
    for g in ([3.0, 4.0], [0.0, 0.0]):
        for name, y in clipped_by_all(jnp.array(g), limit).items():
            assert np.all(np.isnan(y)), name


@pytest.mark.parametrize(
    "limit",
    [2, np.int32(2), np.float16(2), np.float64(2), np.array(2), jnp.int8(2), jnp.bfloat16(2)],
)
def test_the_limit_may_be_any_real_scalar_and_the_dtype_is_kept(limit):
    g = jnp.array([3, 4], jnp.float16)
    for clip in (clip_by_norm, jax.jit(clip_by_norm)):
        y = clip(g, limit)
        assert y.dtype == jnp.float16
        np.testing.assert_allclose(y, [1.2, 1.6], rtol=1e-3)


@pytest.mark.parametrize(
    "limit", [1e300, 10**10, 10**30, np.float64(1e300), np.int64(2**40), np.array(1e300)]
)
def test_a_limit_that_is_too_large_for_the_dtype_is_no_limit(limit):
    with jax.enable_x64(False):
        g = jnp.array([3.0, 4.0])
        assert g.dtype == jnp.float32
        for clip, _ in BY_NORM.values():
            assert bits(clip(g, limit)) == bits(g)


@each
@pytest.mark.parametrize(
    ("limit", "error"),
    [
        (np.ones(2), ValueError),
        ("1", TypeError),
        (None, TypeError),
        (True, TypeError),
        (1j, TypeError),
        ([1.0], TypeError),
    ],
)
def test_a_limit_that_is_no_real_scalar_is_refused(name, limit, error):
    clip, _ = BY_NORM[name]
    with pytest.raises(error, match=r"must be (one real number|a scalar)"):
        clip(jnp.ones(2), limit)


# Values of each, against the reference


@pytest.mark.parametrize(
    ("dtype", "axis"),
    [(jnp.float16, -1), *((jnp.float32, axis) for axis in (None, -1, (), [2, 0]))],
)
def test_clip_by_norm_shortens_each_leaf_or_slice(dtype, axis):
    tree = {"a": normal(3, 4, 5, dtype=dtype), "b": [normal(2, 1, 3, seed=2, dtype=dtype)]}
    over = tuple(axis) if isinstance(axis, list) else axis
    clip = jax.jit(lambda tree, limit: clip_by_norm(tree, limit, axis))
    for limit in (0.3, 1.0, 3.0):
        given = clip(tree, limit)
        expected = jax.tree.map(lambda g, c=limit: shortened(g, c, over), tree)
        jax.tree.map(lambda g, e: assert_close(g, e, dtype), given, expected)


def test_no_axes_at_all_is_a_clip_by_value():
    g = normal(20)
    np.testing.assert_array_equal(clip_by_norm(g, 0.5, ()), jnp.clip(g, -0.5, 0.5))


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_average_norm_and_rms_divide_by_the_count_and_by_its_root(dtype):
    g = normal(5, 7, dtype=dtype)
    assert_close(clip_by_average_norm(g, 0.05), shortened(g, 0.05 * 35), dtype)
    assert_close(clip_by_rms(g, 0.5), shortened(g, 0.5 * 35**0.5), dtype)


def test_the_average_norm_of_ones_is_one_over_the_root_of_their_number_and_their_rms_is_one():
    ones = jnp.ones(16)
    assert bits(clip_by_average_norm(ones, 0.25)) == bits(ones)
    np.testing.assert_allclose(clip_by_average_norm(ones, 0.125), ones / 2)
    assert bits(clip_by_rms(ones, 1.0)) == bits(ones)
    np.testing.assert_allclose(clip_by_rms(ones, 0.5), ones / 2)


@pytest.mark.parametrize("clip", [clip_by_rms, clip_by_average_norm])
def test_a_limit_times_the_count_may_be_too_large_for_the_dtype(clip):
    g = jnp.full(4, 3e38, jnp.float32)
    limit = 1e38
    expected = limit if clip is clip_by_rms else 2 * limit
    np.testing.assert_allclose(clip(g, limit), np.full(4, expected), rtol=1e-6)


jitted_global = jax.jit(clip_by_global_norm)


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_the_global_norm_is_that_of_all_leaves_together(dtype):
    tree = {"a": normal(3, 4, dtype=dtype), "b": (normal(6, seed=2, dtype=dtype),)}
    n = norm64(*jax.tree.leaves(tree))
    for limit in (0.5, 2.0, 100.0):
        clipped, norm = jitted_global(tree, limit)
        assert_close(norm, n, jnp.result_type(jnp.float32, dtype))
        jax.tree.map(
            lambda g, t, c=limit: assert_close(g, shortened(t, c, norm=n), dtype), clipped, tree
        )


def test_leaves_of_different_dtypes_share_one_norm_and_keep_their_dtypes():
    tree = [jnp.array([300.0], dtype) for dtype in FLOATS]
    clipped, norm = clip_by_global_norm(tree, 6.0)
    assert [leaf.dtype for leaf in clipped] == FLOATS
    assert [float(leaf[0]) for leaf in clipped] == [3.0] * 4
    assert norm == 600.0
    assert norm.dtype == jnp.float64


def test_the_seeds_worked_example():
    t = jnp.array([1.0, 1, 3, 4, 2, 2, 1, 4, 2, 3])
    clipped, norm = clip_by_global_norm(t, 5)
    assert norm == 65**0.5
    np.testing.assert_allclose(clipped, t * 5 / 65**0.5, rtol=1e-15)
    assert norm64(clipped) == pytest.approx(5, rel=1e-15)


def test_a_norm_that_is_given_is_gone_by_and_returned():
    g = jnp.array([3.0, 4.0])
    clipped, norm = clip_by_global_norm(g, 5.0, 10)
    np.testing.assert_allclose(clipped, g / 2)
    assert norm == 10.0
    assert bits(clip_by_global_norm(g, 1.0, 0.5)[0]) == bits(g)


def test_shards_are_clipped_as_the_whole_by_the_norm_of_their_norms():
    g = normal(40)

    @jax.jit
    def by_shards(*shards):
        norm = global_norm([global_norm(shard) for shard in shards])
        return jnp.concatenate([clip_by_global_norm(shard, 1.0, norm)[0] for shard in shards])

    np.testing.assert_allclose(
        by_shards(g[:10], g[10:]), clip_by_global_norm(g, 1.0)[0], rtol=1e-14
    )


def test_the_norm_that_is_given_is_refused_where_it_is_known_to_be_negative_and_nan_where_not():
    with pytest.raises(ValueError, match="norm must be 0 or more"):
        clip_by_global_norm(jnp.ones(2), 1.0, -1.0)
    clipped, norm = jax.jit(clip_by_global_norm)(jnp.ones(2), 1.0, -1.0)
    assert np.all(np.isnan(clipped))
    assert np.isnan(norm)
    with pytest.raises(TypeError, match="norm must be one real number"):
        clip_by_global_norm(jnp.ones(2), 1.0, "1")


def test_the_global_norm_of_nothing_is_zero():
    for tree in ({}, None, [None, 3, jnp.arange(3)], jnp.zeros((0, 3))):
        assert global_norm(tree) == 0.0
        assert clip_by_global_norm(tree, 1.0)[1] == 0.0


def test_the_derivative_of_the_global_norm_is_the_direction_and_zero_at_zero():
    np.testing.assert_allclose(jax.grad(global_norm)(jnp.array([3.0, 4.0])), [0.6, 0.8])
    for derivative in (jax.grad, jax.jacfwd, jax.hessian):
        assert not np.any(jax.jit(derivative(global_norm))(jnp.zeros(2)))


@pytest.mark.parametrize("dtype", [jnp.float16, pytest.param(jnp.float64, marks=pytest.mark.slow)])
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
    given = jax.jit(lambda g, w: clip_adaptively(g, w, 0.1))(g, w)
    for one, gradient, weights, axes in zip(given, g, w, guessed.values(), strict=True):
        most = 0.1 * np.maximum(norm64(weights, axis=axes, keepdims=True), 1e-3)
        assert_close(one, shortened(gradient, most, axes), dtype)


def test_adaptive_clipping_takes_the_axes_that_it_is_given():
    g, w = normal(4, 6), normal(4, 6, seed=2)
    given = clip_adaptively(g, w, 0.1, axis=1)
    most = 0.1 * norm64(w, axis=1, keepdims=True)
    assert_close(given, shortened(g, most, 1), jnp.float64)


def test_the_floor_lets_weights_that_are_zero_move():
    g = jnp.array([3.0, 4.0])
    np.testing.assert_allclose(clip_adaptively(g, 0 * g, 0.1, 0.5), g / 100)
    assert not np.any(clip_adaptively(g, 0 * g, 0.1, 0.0))


def test_adaptive_clipping_works_where_the_norm_of_the_weights_is_too_large_for_the_dtype():
    huge = jnp.full(4, 3e38, jnp.float32)
    np.testing.assert_allclose(clip_adaptively(huge, huge, 0.01), np.full(4, 3e36), rtol=1e-6)
    assert not np.any(clip_adaptively(huge, huge, 0.0))


def test_a_ratio_or_a_floor_of_infinity_is_no_limit_and_a_ratio_of_zero_wins():
    g, w = jnp.array([3.0, 4.0]), jnp.zeros(2)
    for ratio, floor in ((np.inf, 0.0), (np.inf, np.inf), (1.0, np.inf)):
        assert bits(clip_adaptively(g, w, ratio, floor)) == bits(g)
    assert not np.any(clip_adaptively(g, w, 0.0, np.inf))
    assert not np.any(clip_adaptively(g, jnp.full(2, np.inf), 0.0))
    assert np.all(np.isnan(clip_adaptively(g, jnp.full(2, np.nan), 0.0)))


def test_weights_of_another_shape_or_structure_are_refused():
    g = {"a": jnp.ones(3)}
    for params, given in (
        ({"a": jnp.ones(2)}, r"shape of grads\['a'\], \(3,\), but an array of shape \(2,\)"),
        ({"a": None}, "but None was given"),
        ({"a": jnp.arange(3)}, "dtype int64 was given"),
        ({"b": jnp.ones(3)}, "structure|mismatch"),
    ):
        with pytest.raises(ValueError, match=given):
            clip_adaptively(g, params, 0.1)
    assert clip_adaptively({"a": None}, {"a": jnp.ones(3)}, 0.1) == {"a": None}


@pytest.mark.parametrize("dtype", [jnp.bfloat16, pytest.param(jnp.float32, marks=pytest.mark.slow)])
def test_per_example_clipping_is_the_global_clip_of_each_example(dtype):
    tree = {"a": normal(6, 3, 2, dtype=dtype), "b": normal(6, seed=2, dtype=dtype)}
    given = jax.jit(lambda tree: clip_per_example(tree, 1.5))(tree)
    n = np.sqrt(norm64(tree["a"], axis=(1, 2)) ** 2 + np.asarray(tree["b"], np.float64) ** 2)
    assert_close(given["a"], shortened(tree["a"], 1.5, norm=n[:, None, None]), dtype)
    assert_close(given["b"], shortened(tree["b"], 1.5, norm=n), dtype)


def test_one_example_cannot_move_the_mean_of_clipped_gradients_far():
    g = normal(8, 5)
    mean = jax.jit(lambda g: clip_per_example(g, 1.0).mean(0))
    assert norm64(mean(g.at[3].multiply(1e6)) - mean(g)) <= 2 / 8


def test_examples_must_lie_along_a_first_axis_of_one_length():
    for tree in ({"a": jnp.ones((3, 2)), "b": jnp.ones((2, 2))}, jnp.float32(1), [1.0]):
        with pytest.raises(ValueError, match="examples along the first axis"):
            clip_per_example(tree, 1.0)


# At a tensor


@pytest.mark.parametrize(("dtype", "axis"), [*zip(FLOATS, (None, -1, (0, 1), 0), strict=True)])
def test_clip_gradient_norm_keeps_the_value_and_shortens_the_cotangent(dtype, axis):
    x = normal(3, 4, dtype=dtype).at[0, 0].set(jnp.nan)
    cotangent = normal(3, 4, seed=2, dtype=dtype)

    @jax.jit
    def both(x, cotangent):
        y, pull = jax.vjp(lambda x: clip_gradient_norm(x, 1.2, axis), x)
        return y, pull(cotangent)[0]

    y, x_bar = both(x, cotangent)
    assert bits(y) == bits(x)
    assert_close(x_bar, shortened(cotangent, 1.2, axis), dtype)


def test_with_the_last_axis_an_examples_gradient_does_not_depend_on_the_batch():
    x = normal(5, 3)

    @jax.jit
    def gradients(x):
        return [
            jax.grad(lambda x, a=axis: jnp.sum(clip_gradient_norm(x, 1.0, a) ** 2))(x)
            for axis in (-1, None)
        ]

    together = gradients(x)
    alone = [gradients(x[n : n + 1]) for n in range(5)]
    by_example, by_batch = (jnp.concatenate(parts) for parts in zip(*alone, strict=True))
    np.testing.assert_allclose(together[0], by_example, rtol=1e-15)
    assert np.all(np.abs(together[1] - by_batch) > 0.01 * np.abs(by_batch))


def test_each_leaf_at_a_tensor_has_a_norm_of_its_own():
    tree = {"a": jnp.array([30.0, 40.0]), "b": jnp.array([0.3, 0.4]), "n": None, "i": jnp.arange(2)}
    y, pull = jax.vjp(
        lambda a, b: clip_gradient_norm({**tree, "a": a, "b": b}, 1.0)["a"], *[tree["a"], tree["b"]]
    )
    np.testing.assert_allclose(pull(tree["a"])[0], [0.6, 0.8])
    y = clip_gradient_norm(tree, 1.0)
    assert y["n"] is None
    assert y["i"] is tree["i"]


def test_a_second_derivative_is_that_of_the_shortened_gradient():
    def loss(x):
        return jnp.sum(clip_gradient_norm(x, 1.0) ** 2) / 2

    def as_written(x):
        return clip_by_norm(x, 1.0)

    second = jax.jit(lambda x: (jax.hessian(loss)(x), jax.jacfwd(as_written)(x)))
    for x in (jnp.array([3.0, 4.0]), jnp.array([0.3, 0.4]), jnp.array([0.6, 0.8]), jnp.zeros(2)):
        np.testing.assert_allclose(*second(x), atol=1e-16)


def test_at_a_tensor_there_is_no_forward_mode_and_no_gradient_for_the_limit():
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(lambda x: clip_gradient_norm(x, 1.0), (1.0,), (1.0,))
    assert jax.grad(lambda c: clip_gradient_norm(3.0, c))(1.0) == 0.0


# Trees


TREES = {
    "clip_by_norm": lambda t: clip_by_norm(t, 1.0),
    "clip_by_average_norm": lambda t: clip_by_average_norm(t, 1.0),
    "clip_by_rms": lambda t: clip_by_rms(t, 1.0),
    "clip_by_global_norm": lambda t: clip_by_global_norm(t, 1.0)[0],
    "clip_adaptively": lambda t: clip_adaptively(t, t, 1.0),
    "clip_gradient_norm": lambda t: clip_gradient_norm(t, 1.0),
}


@pytest.mark.parametrize("name", TREES)
def test_leaves_without_a_gradient_pass_through_untouched(name):
    float0 = np.zeros(2, jax.dtypes.float0)
    tree = {"n": None, "i": jnp.arange(3), "b": jnp.array([True]), "k": 7, "t": True, "z": float0}
    out = TREES[name]({**tree, "f": jnp.array([0.3, 0.4]), "p": 0.5, "e": jnp.zeros((0, 2))})
    for key, leaf in tree.items():
        assert out[key] is leaf
    assert out["f"].tolist() == [0.3, 0.4]
    assert out["p"] == 0.5
    assert out["e"].shape == (0, 2)


@pytest.mark.parametrize("name", TREES)
def test_a_leaf_that_is_complex_or_no_number_is_refused_by_its_place(name):
    with pytest.raises(TypeError, match=r"\['a'\]\[0\].*complex128"):
        TREES[name]({"a": [jnp.array([1j])]})
    with pytest.raises(TypeError, match=r"\['a'\] is 'two' \(str\)"):
        TREES[name]({"a": "two"})


@pytest.mark.parametrize("axis", [2, -3, (0, 2)])
def test_an_axis_that_a_leaf_does_not_have_is_refused(axis):
    tree = {"a": jnp.ones((2, 2))}
    for clip in (clip_by_norm, clip_gradient_norm):
        with pytest.raises(ValueError, match=r"\['a'\] has the shape \(2, 2\)"):
            clip(tree, 1.0, axis)
    with pytest.raises(ValueError, match=r"\['a'\] has the shape \(2, 2\)"):
        clip_adaptively(tree, tree, 1.0, axis=axis)


@pytest.mark.parametrize(
    ("axis", "error"),
    [((0, -2), ValueError), (0.5, TypeError), ("0", TypeError), (True, TypeError)],
)
def test_an_axis_that_is_named_twice_or_no_integer_is_refused(axis, error):
    with pytest.raises(error, match="axis"):
        clip_by_norm(jnp.ones((2, 2)), 1.0, axis)


def test_slices_without_entries_are_returned():
    for shape, axis in (((0, 3), 0), ((3, 0), 0), ((0,), None), ((2, 0, 3), (0, 1))):
        g = jnp.zeros(shape)
        assert clip_by_norm(g, 1.0, axis).shape == shape
    assert jax.jit(jax.grad(lambda g: jnp.sum(clip_by_norm(g, 1.0, 0))))(g).shape == shape
    assert clip_per_example({}, 1.0) == {}
