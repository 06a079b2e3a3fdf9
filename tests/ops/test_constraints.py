"""What gradlab.ops.constraints claims, against references in float64."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from gradlab.ops import constrained, max_norm, min_max_norm, non_negative, unit_norm
from tests.ops.ops_reference import SOME_SLOW, assert_close, bits, norm64, normal, shortened

# Brings every column of a matrix to the norm c, where it is longer.
TO_NORM = {
    "max_norm": lambda w, c: max_norm(w, c),
    "max_norm with epsilon": lambda w, c: max_norm(w, c, epsilon=1e-17 * c),
    "max_norm with epsilon 0": lambda w, c: max_norm(w, c, epsilon=0 * c),
    "min_max_norm": lambda w, c: min_max_norm(w, c / 2, c),
    "min_max_norm, all the way": lambda w, c: min_max_norm(w, 0.0, c, 1.0 + 0 * c),
    "unit_norm": lambda w, c: unit_norm(w) * c.astype(w.dtype),
}


@jax.jit
def all_of_them(w, c):
    return {name: f(w, jnp.asarray(c, float)) for name, f in TO_NORM.items()}


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_three_hundred_four_hundred_capped_at_five_is_three_four(dtype):
    for name, w in all_of_them(jnp.array([300, 400], dtype), 5.0).items():
        assert_close(w, [3, 4], dtype, name)


@pytest.mark.parametrize(("dtype", "size"), [(jnp.float32, 1e30), (jnp.float64, 1e300)])
def test_squares_that_overflow_or_underflow_do_no_harm(dtype, size):
    for scale in (size, 1 / size):
        w = (jnp.array([3.0, 4.0]) * scale).astype(dtype)
        for name, y in all_of_them(w, 0.5 * scale).items():
            if name != "unit_norm":
                assert_close(y / scale, [0.3, 0.4], dtype, name)
        assert_close(unit_norm(w), [0.6, 0.8], dtype)


def test_a_norm_that_is_itself_too_large_for_the_dtype_is_capped():
    w = jnp.array([3e38, -3e38], jnp.float32)
    for name, y in all_of_them(w, 1.0).items():
        assert_close(y, [0.5**0.5, -(0.5**0.5)], jnp.float32, name)
    half_way = min_max_norm(w, 0.0, 1.0, 0.5)
    np.testing.assert_allclose(half_way, w / 2, rtol=1e-6)
    assert bits(min_max_norm(w, 0.0, np.inf)) == bits(w)
    assert bits(max_norm(w, np.inf, epsilon=1e-7)) == bits(w)


# Max-norm


@pytest.mark.parametrize("dtype", SOME_SLOW)
@pytest.mark.parametrize("axis", [0, None])
def test_max_norm_cuts_the_columns_that_are_too_long(dtype, axis):
    w = normal(5, 8, dtype=dtype)
    cap = jax.jit(lambda w, c: max_norm(w, c, axis))
    for limit in (0.5, 2.0, 10.0):
        assert_close(cap(w, limit), shortened(w, limit, axis), dtype)


def test_the_columns_of_a_convolution_extend_over_three_axes():
    w = normal(3, 3, 4, 6)
    capped = max_norm(w, 2.0, (0, 1, 2))
    assert_close(capped, shortened(w, 2.0, (0, 1, 2)), jnp.float64)
    np.testing.assert_allclose(norm64(capped, axis=(0, 1, 2)), np.full(6, 2.0))


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_a_column_within_the_cap_is_never_moved(dtype):
    w = jnp.array([[3, 0.1, -0.0, 0], [4, -0.2, 0.0, 1e-3]], dtype)
    capped = jax.jit(max_norm)
    for limit in (5.0, 5.5, np.inf):
        out = w
        for _ in range(100):
            out = capped(out, limit)
        assert bits(out) == bits(w)
    assert bits(capped(w, 1.0)[:, 1:]) == bits(w[:, 1:])


def test_epsilon_shortens_every_column_each_time():
    w = jnp.array([0.6e-3, 0.8e-3])
    once = max_norm(w, 1.0, epsilon=1e-7)
    np.testing.assert_allclose(once, w * 1e-3 / (1e-3 + 1e-7), rtol=1e-14)
    assert not np.any(max_norm(0 * w, 1.0, epsilon=1e-7))
    slope = jax.jit(jax.jacrev(lambda w: max_norm(w, 1.0, epsilon=1e-7)))
    assert not np.any(slope(0 * w))  # |w| w / epsilon is flat there


def test_a_traced_epsilon_may_be_zero():
    w = jnp.array([[3.0, 0.1, 0.0], [4.0, 0.2, 0.0]])
    capped = jax.jit(lambda w, e: max_norm(w, 1.0, epsilon=e))
    np.testing.assert_allclose(capped(w, 0.0), max_norm(w, 1.0), rtol=1e-15)
    assert np.all(np.isnan(capped(w, -1.0)))
    assert np.all(np.isnan(capped(w, np.nan)))


def test_the_derivative_of_max_norm_is_the_identity_at_zero_within_and_at_the_cap():
    for jacobian in (jax.jacrev, jax.jacfwd):
        slope = jax.jit(jacobian(max_norm))
        for w in ([0.0, 0.0], [0.3, 0.4], [3.0, 4.0]):
            for limit in (5.0, np.inf):
                np.testing.assert_array_equal(slope(jnp.array(w), limit), np.eye(2))
        u = np.array([0.6, 0.8])
        expected = (np.eye(2) - np.outer(u, u)) / 5
        np.testing.assert_allclose(slope(jnp.array([3.0, 4.0]), 1.0), expected, atol=1e-16)


# Unit norm


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_unit_norm_brings_every_column_to_length_one_and_leaves_zero_at_zero(dtype):
    w = normal(5, 8, dtype=dtype).at[:, 3].set(0)
    n = norm64(w, axis=0)
    n[3] = 1
    assert_close(jax.jit(unit_norm)(w), np.asarray(w).astype(float) / n, dtype)


def test_a_column_of_length_one_is_kept_and_the_derivative_at_zero_is_the_identity():
    w = jnp.array([[1.0, 0.6], [0.0, 0.8]])
    assert bits(unit_norm(w)) == bits(w)
    for jacobian in (jax.jacrev, jax.jacfwd):
        np.testing.assert_array_equal(jax.jit(jacobian(unit_norm))(jnp.zeros(2)), np.eye(2))


# Between two norms


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_min_max_norm_moves_a_norm_towards_the_interval(rate):
    w = normal(5, 8) * np.logspace(-2, 1, 8)
    n = norm64(w, axis=0)
    target = rate * np.clip(n, 0.5, 2.0) + (1 - rate) * n
    for given in (min_max_norm(w, 0.5, 2.0, rate), jitted_min_max_norm(w, 0.5, 2.0, rate)):
        assert_close(given, np.asarray(w) / n * target, jnp.float64)
        inside = (n >= 0.5) & (n <= 2.0)
        assert 0 < np.sum(inside) < 8
        assert bits(given[:, inside]) == bits(w[:, inside])


jitted_min_max_norm = jax.jit(min_max_norm)


def test_a_zero_column_stays_zero_below_the_lower_norm():
    assert not np.any(min_max_norm(jnp.zeros((3, 2)), 1.0, 2.0))
    for jacobian in (jax.jacrev, jax.jacfwd):
        slope = jax.jit(jacobian(lambda w: min_max_norm(w, 1.0, 2.0)))(jnp.zeros(2))
        np.testing.assert_array_equal(slope, np.eye(2))


@pytest.mark.parametrize(
    ("low", "high", "rate", "given"),
    [
        (-1.0, 1.0, 1.0, "low must be 0 or more"),
        (np.nan, 1.0, 1.0, "low must be"),
        (0.0, np.nan, 1.0, "high must be"),
        (2.0, 1.0, 1.0, "low must not be greater than high"),
        (0.0, 1.0, -0.1, "rate must be from 0 to 1"),
        (0.0, 1.0, 1.1, "rate must be from 0 to 1"),
        (0.0, 1.0, np.nan, "rate must be from 0 to 1"),
    ],
)
def test_norms_out_of_range_are_refused_where_they_are_known_and_make_nan_where_not(
    low, high, rate, given
):
    with pytest.raises(ValueError, match=given):
        min_max_norm(jnp.ones(2), low, high, rate)
    with pytest.raises(ValueError, match=given):
        jax.jit(lambda w: min_max_norm(w, low, high, rate))(jnp.ones(2))
    for w in (normal(5, 8), jnp.zeros((5, 8))):
        assert np.all(np.isnan(jitted_min_max_norm(w, low, high, rate)))


@pytest.mark.parametrize("limit", [-1.0, np.nan])
def test_a_cap_or_epsilon_that_is_negative_or_nan_is_refused_where_known_and_makes_nan_where_not(
    limit,
):
    with pytest.raises(ValueError, match="limit must be 0 or more"):
        max_norm(jnp.ones(2), limit)
    with pytest.raises(ValueError, match="epsilon must be 0 or more"):
        max_norm(jnp.ones(2), 1.0, epsilon=limit)
    for name in ("max_norm", "max_norm with epsilon", "min_max_norm"):
        for w in ([3.0, 4.0], [0.0, 0.0], [3e200, 3e200]):
            assert np.all(np.isnan(all_of_them(jnp.array(w), limit)[name])), (name, w)


def test_a_cap_of_zero_gives_zeros():
    for w in ([3.0, 4.0], [1e300, 1e300], [1e-300, 0.0]):
        for name, y in all_of_them(jnp.array(w), 0.0).items():
            assert not np.any(y), name


# Entries


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_non_negative_sets_negative_entries_to_zero_and_keeps_the_rest(dtype):
    w = jnp.array([-np.inf, -2.0, -0.0, 0.0, 3.0, np.inf, np.nan], dtype)
    y = jax.jit(non_negative)(w)
    assert y.dtype == dtype
    assert bits(y[2:]) == bits(w[2:])
    assert y[:2].tolist() == [0.0, 0.0]
    slope = jax.jit(jax.vmap(jax.grad(non_negative)))(w[:6])
    assert slope.tolist() == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]


# Trees


ALL = {
    "max_norm": (lambda w: max_norm(w, 1.0)),
    "unit_norm": unit_norm,
    "min_max_norm": (lambda w: min_max_norm(w, 0.0, 1.0)),
    "non_negative": non_negative,
}


@pytest.mark.parametrize("name", ALL)
def test_leaves_that_are_no_floats_pass_through_untouched(name):
    tree = {"n": None, "i": jnp.arange(3), "b": jnp.array([True]), "k": 7}
    y = ALL[name]({**tree, "f": jnp.array([0.6, 0.8]), "e": jnp.zeros((3, 0))})
    for key, leaf in tree.items():
        assert y[key] is leaf
    np.testing.assert_allclose(y["f"], [0.6, 0.8])
    assert y["e"].shape == (3, 0)


@pytest.mark.parametrize("name", ALL)
def test_a_complex_leaf_is_refused(name):
    with pytest.raises(TypeError, match=r"w\['a'\].*complex128"):
        ALL[name]({"a": jnp.array([1j])})


def test_a_leaf_without_that_axis_is_refused_by_its_place():
    for f in (
        lambda w: max_norm(w, 1.0),
        unit_norm,
        lambda w: min_max_norm(w, 0.0, 1.0),
    ):
        with pytest.raises(ValueError, match=r"w\['b'\] has the shape \(\)"):
            f({"b": jnp.float64(3)})
        assert float(norm64(max_norm(jnp.float64(3), 1.0, axis=None))) == 1.0


# An optimizer that lands inside


def steps(optimizer, w, grads):
    state = optimizer.init(w)
    update = jax.jit(optimizer.update)
    for g in grads:
        updates, state = update(g, state, w)
        w = optax.apply_updates(w, updates)
    return w


def test_each_update_lands_where_the_projection_of_the_step_is():
    w, g = normal(4, 3), normal(4, 3, seed=2)
    sgd = constrained(optax.sgd(0.5), lambda w: max_norm(w, 1.0))
    np.testing.assert_allclose(steps(sgd, w, [g]), max_norm(w - 0.5 * g, 1.0), rtol=1e-14)


def test_the_optimizers_state_is_not_projected():
    w, g = normal(4, 3), normal(4, 3, seed=2)
    plain = optax.sgd(0.5, momentum=0.9)
    wrapped = constrained(plain, lambda w: max_norm(w, 1.0))
    _, state = plain.update(g, plain.init(w), w)
    _, other = wrapped.update(g, wrapped.init(w), w)
    jax.tree.map(np.testing.assert_array_equal, state, other)


def test_weights_stay_inside_over_many_steps_of_adam():
    w = {"kernel": normal(4, 3), "bias": normal(3), "frozen": None}
    grads = [jax.tree.map(lambda leaf, n=n: jnp.sin(10 * leaf + n), w) for n in range(20)]
    adam = constrained(optax.adam(0.3), lambda w: max_norm(w, 0.5))
    out = steps(adam, w, grads)
    assert np.all(norm64(out["kernel"], axis=0) <= 0.5 * (1 + 1e-14))
    assert norm64(out["bias"]) <= 0.5 * (1 + 1e-14)


def test_it_works_inside_optaxs_other_wrappers():
    w, g = {"a": normal(4, 3), "b": normal(3)}, {"a": normal(4, 3, seed=2), "b": normal(3, seed=3)}

    def inside(lr=0.5):
        return constrained(optax.sgd(lr), lambda w: max_norm(w, 1.0))

    expected = jax.tree.map(lambda w, g: max_norm(w - 0.5 * g, 1.0), w, g)
    masked = optax.masked(inside(), {"a": True, "b": False})
    out = steps(masked, w, [g])
    np.testing.assert_allclose(out["a"], expected["a"], rtol=1e-14)
    np.testing.assert_allclose(out["b"], w["b"] + g["b"], rtol=1e-14)  # the update passed through

    out = steps(optax.inject_hyperparams(inside)(lr=0.5), w, [g])
    jax.tree.map(lambda o, e: np.testing.assert_allclose(o, e, rtol=1e-14), out, expected)

    # (MultiSteps adds up in float32.)
    out = steps(optax.MultiSteps(inside(), 2), w, [g, g])
    jax.tree.map(lambda o, e: np.testing.assert_allclose(o, e, rtol=1e-4), out, expected)
    waiting = steps(optax.MultiSteps(inside(), 2), w, [g])
    jax.tree.map(np.testing.assert_array_equal, waiting, w)


def test_an_optimizer_with_extra_arguments_receives_them():
    inner = optax.GradientTransformationExtraArgs(
        lambda params: optax.EmptyState(),
        lambda grads, state, params=None, *, factor: (
            jax.tree.map(lambda g: factor * g, grads),
            state,
        ),
    )
    wrapped = constrained(inner, lambda w: max_norm(w, 1.0))
    updates, _ = wrapped.update(jnp.ones(2), wrapped.init(None), jnp.zeros(2), factor=0.25)
    np.testing.assert_allclose(updates, [0.25, 0.25])


def test_half_precision_weights_keep_their_dtype():
    w = jnp.array([3.0, 4.0], jnp.bfloat16)
    out = steps(constrained(optax.sgd(0.1), lambda w: max_norm(w, 1.0)), w, [jnp.ones_like(w)])
    assert out.dtype == jnp.bfloat16
    assert norm64(out) <= 1 + 2**-6


def test_what_is_no_optimizer_or_no_projection_is_refused():
    with pytest.raises(TypeError, match=r"optimizer must be an optax\.GradientTransformation"):
        constrained(0.1, lambda w: w)
    with pytest.raises(TypeError, match="projection must be a function"):
        constrained(optax.sgd(0.1), 2.0)
    wrapped = constrained(optax.sgd(0.1), lambda w: w[:1])
    with pytest.raises(ValueError, match=r"update\(grads, state, params\)"):
        wrapped.update(jnp.ones(2), wrapped.init(jnp.ones(2)))
    with pytest.raises(ValueError, match="projection must return a pytree like the weights"):
        wrapped.update(jnp.ones(2), wrapped.init(jnp.ones(2)), jnp.ones(2))
