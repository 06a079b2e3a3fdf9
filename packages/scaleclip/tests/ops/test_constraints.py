"""Claims of scaleclip.ops.constraints, against references in float64."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.ops.reference import EACH_FLOAT, assert_close, bits, norm64, normal, shortened

from scaleclip.ops import constrained, max_norm, min_max_norm, non_negative, unit_norm

jitted_max_norm = jax.jit(max_norm, static_argnums=2)
jitted_min_max_norm = jax.jit(min_max_norm)


def slopes(f, *arguments):
    """The Jacobian of a constraint, in both modes."""
    return [jax.jit(jacobian(f))(*arguments) for jacobian in (jax.jacrev, jax.jacfwd)]


# Max-norm


@pytest.mark.parametrize("axis", [0, None, (0, 1, 2)])
def test_max_norm_cuts_the_columns_that_are_too_long(axis):
    w = normal(3, 3, 4, 6)
    for limit in (0.5, 2.0, 10.0):
        capped = jitted_max_norm(w, limit, axis)
        assert_close(capped, shortened(w, limit, axis), jnp.float64)
        assert np.all(norm64(capped, axis=axis) <= limit * (1 + 1e-15))


@pytest.mark.slow
@EACH_FLOAT
def test_a_column_within_the_cap_is_never_moved(dtype):
    w = jnp.array([[3, 0.1, -0.0, 0], [4, -0.2, 0.0, 1e-3]], dtype)
    for limit in (5.0, 5.5, np.inf):
        assert bits(jitted_max_norm(w, limit)) == bits(w)
    assert bits(jitted_max_norm(w, 1.0)[:, 1:]) == bits(w[:, 1:])


@pytest.mark.slow
def test_epsilon_shortens_every_column_each_time_unless_it_is_zero():
    w = jnp.array([0.6e-3, 0.8e-3])
    once = max_norm(w, 1.0, epsilon=1e-7)
    np.testing.assert_allclose(once, w * 1e-3 / (1e-3 + 1e-7), rtol=1e-14)
    assert not np.any(max_norm(0 * w, 1.0, epsilon=1e-7))
    for slope in slopes(lambda w: max_norm(w, 1.0, epsilon=1e-7), 0 * w):
        assert not np.any(slope)  # |w| w / epsilon is flat there
    traced = jax.jit(lambda w, e: max_norm(w, 1.0, epsilon=e))
    for column in ([3.0, 4.0], [0.1, 0.2], [0.0, 0.0]):
        v = jnp.array(column)
        np.testing.assert_allclose(traced(v, 0.0), max_norm(v, 1.0), rtol=1e-15)


@pytest.mark.slow
def test_with_epsilon_norms_neither_overflow_nor_underflow():
    capped = jax.jit(lambda w, c: max_norm(w, c, epsilon=1e-17 * c))
    for dtype, size in ((jnp.float32, 1e30), (jnp.float64, 1e300)):
        for scale in (size, 1 / size):
            w = (jnp.array([3.0, 4.0]) * scale).astype(dtype)
            assert_close(capped(w, 0.5 * scale) / scale, [0.3, 0.4], dtype)
    w = jnp.array([3e38, -3e38], jnp.float32)  # its norm is too large for the dtype
    assert_close(capped(w, 1.0), [0.5**0.5, -(0.5**0.5)], jnp.float32)
    assert bits(max_norm(w, np.inf, epsilon=1e-7)) == bits(w)
    assert not np.any(capped(w, 0.0))


# Unit norm


@pytest.mark.slow
def test_unit_norm_keeps_unit_columns():
    w = jnp.array([[1.0, 0.6], [0.0, 0.8]])
    assert bits(unit_norm(w)) == bits(w)


@pytest.mark.slow
@pytest.mark.parametrize("constrain", [unit_norm, lambda w: min_max_norm(w, 1.0, 2.0)])
def test_a_zero_column_stays_zero_and_has_the_identity_for_its_derivative(constrain):
    assert not np.any(constrain(jnp.zeros((3, 2))))
    for slope in slopes(constrain, jnp.zeros(2)):
        np.testing.assert_array_equal(slope, np.eye(2))


# Between two norms


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_min_max_norm_moves_a_norm_towards_the_interval(rate):
    w = normal(5, 8) * np.logspace(-2, 1, 8)
    n = norm64(w, axis=0)
    target = rate * np.clip(n, 0.5, 2.0) + (1 - rate) * n
    for moved in (min_max_norm(w, 0.5, 2.0, rate), jitted_min_max_norm(w, 0.5, 2.0, rate)):
        assert_close(moved, np.asarray(w) / n * target, jnp.float64)
        inside = (n >= 0.5) & (n <= 2.0)
        assert 0 < np.sum(inside) < 8
        assert bits(moved[:, inside]) == bits(w[:, inside])
    overflows = jnp.array([3e38, -3e38], jnp.float32)
    moved = min_max_norm(overflows, 0.0, 1e30, rate)
    np.testing.assert_allclose(moved, (1 - rate) * overflows, rtol=1e-6, atol=1e30)


@pytest.mark.parametrize("rate", [-0.1, 1.1, np.nan])
def test_rates_out_of_range_raise_or_if_traced_give_nan(rate):
    with pytest.raises(ValueError, match="rate must be from 0 to 1"):
        min_max_norm(jnp.ones(2), 0.0, 1.0, rate)
    for w in (normal(5, 8), jnp.zeros((5, 8))):
        assert np.all(np.isnan(jitted_min_max_norm(w, 0.0, 1.0, rate)))


# Entries


@pytest.mark.slow
@EACH_FLOAT
def test_non_negative_zeroes_negative_entries_only(dtype):
    w = jnp.array([-np.inf, -2.0, -0.0, 0.0, 3.0, np.inf, np.nan], dtype)
    y = jax.jit(non_negative)(w)
    assert y.dtype == dtype
    assert bits(y[2:]) == bits(w[2:])
    assert y[:2].tolist() == [0.0, 0.0]
    slope = jax.jit(jax.vmap(jax.grad(non_negative)))(w[:6])
    assert slope.tolist() == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]


# An optimizer that lands inside


def inside(lr=0.5, momentum=None):
    return constrained(optax.sgd(lr, momentum), lambda w: max_norm(w, 1.0))


def steps(optimizer, w, grads):
    state = optimizer.init(w)
    update = jax.jit(optimizer.update)
    for g in grads:
        updates, state = update(g, state, w)
        w = optax.apply_updates(w, updates)
    return w


def assert_trees(given, expected, rtol=1e-14):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=rtol), given, expected)


@pytest.mark.slow
def test_updates_land_on_the_projection_in_optax_wrappers_too():
    w, g = {"a": normal(4, 3), "b": normal(3)}, {"a": normal(4, 3, seed=2), "b": normal(3, seed=3)}
    expected = {"a": max_norm(w["a"] - 0.5 * g["a"], 1.0), "b": w["b"] - 0.5 * g["b"]}
    assert_trees(steps(inside(), w, [g]), expected)
    assert_trees(steps(optax.inject_hyperparams(inside)(lr=0.5), w, [g]), expected)
    masked = steps(optax.masked(inside(), {"a": True, "b": False}), w, [g])
    # the update of what is masked passed through
    assert_trees(masked, expected | {"b": w["b"] + g["b"]})
    several = optax.MultiSteps(inside(), 2)  # which adds up in float32
    assert_trees(steps(several, w, [g, g]), expected, rtol=1e-4)
    assert_trees(steps(several, w, [g]), w, rtol=0)
    plain, wrapped = optax.sgd(0.5, momentum=0.9), inside(momentum=0.9)
    states = [optimizer.update(g, optimizer.init(w), w)[1] for optimizer in (plain, wrapped)]
    assert_trees(*states, rtol=0)  # the optimizer's own state is not projected


def test_an_optimizer_with_extra_arguments_receives_them():
    inner = optax.GradientTransformationExtraArgs(
        lambda params: optax.EmptyState(),
        lambda grads, state, params=None, *, factor: (
            jax.tree.map(lambda g: factor * g, grads), state,
        ),
    )  # fmt: skip
    wrapped = constrained(inner, lambda w: max_norm(w, 1.0))
    updates, _ = wrapped.update(jnp.ones(2), wrapped.init(None), jnp.zeros(2), factor=0.25)
    np.testing.assert_allclose(updates, [0.25, 0.25])


@pytest.mark.parametrize(
    ("optimizer", "projection", "params", "error", "message"),
    [
        (0.1, np.sign, np.ones(2), TypeError, r"must be an optax\.GradientTransformation"),
        (optax.identity(), 2.0, np.ones(2), TypeError, "projection must be a function"),
        (optax.identity(), np.sign, None, ValueError, r"update\(grads, state, params\)"),
        (optax.identity(), lambda w: w[:1], np.ones(2), ValueError, "must return a pytree like"),
    ],
)
def test_what_cannot_be_constrained_is_refused(optimizer, projection, params, error, message):
    with pytest.raises(error, match=message):
        constrained(optimizer, projection).update(np.ones(2), optax.EmptyState(), params)
