"""What the operators do with inf and NaN, by the keyword ``nonfinite``."""

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
    clip_by_value,
    clip_gradient,
    clip_gradient_norm,
    clip_per_example,
    max_norm,
    min_max_norm,
    non_negative,
    unit_norm,
)
from tests.ops.ops_reference import bits


def pulled(operator, *limits):
    """What an operator at a tensor makes of a cotangent."""

    def pull(cotangent, **how):
        return jax.vjp(lambda x: operator(x, *limits, **how), jnp.zeros_like(cotangent))[1](
            cotangent
        )[0]

    return pull


BY_NORM = {
    "clip_by_norm": lambda g, **how: clip_by_norm(g, 1.0, **how),
    "clip_by_average_norm": lambda g, **how: clip_by_average_norm(g, 1.0, **how),
    "clip_by_rms": lambda g, **how: clip_by_rms(g, 1.0, **how),
    "clip_by_global_norm": lambda g, **how: clip_by_global_norm(g, 1.0, **how)[0],
    "clip_adaptively": lambda g, **how: clip_adaptively(g, jnp.ones_like(g), 1.0, **how),
    "clip_per_example": lambda g, **how: clip_per_example(g[None], 1.0, **how)[0],
    "clip_gradient_norm": pulled(clip_gradient_norm, 1.0),
    "max_norm": lambda g, **how: max_norm(g, 1.0, **how),
    "max_norm with epsilon": lambda g, **how: max_norm(g, 1.0, epsilon=1e-7, **how),
    "unit_norm": unit_norm,
    "min_max_norm": lambda g, **how: min_max_norm(g, 0.5, 1.0, **how),
}
BY_ENTRY = {
    "clip_by_value": lambda g, **how: clip_by_value(g, -1.0, 2.0, **how),
    "clip_gradient": pulled(clip_gradient, -1.0, 2.0),
    "non_negative": non_negative,
}
ALL = {**BY_NORM, **BY_ENTRY}


def wrong():
    """Vectors with one entry that is inf or NaN."""
    return [jnp.array([bad, 0.25, -30.0]) for bad in (np.inf, -np.inf, np.nan)]


all_propagating = jax.jit(lambda g: {name: f(g) for name, f in BY_NORM.items()})
all_zeroing = jax.jit(lambda g: {name: f(g, nonfinite="zero") for name, f in ALL.items()})


def test_by_default_a_nonfinite_entry_makes_nan_of_all_that_share_its_norm():
    for g in wrong():
        for name, y in all_propagating(g).items():
            assert np.all(np.isnan(y)), name


def test_it_makes_nan_of_no_others():
    g = jnp.array([[np.inf, 3.0], [1.0, 4.0]])
    for y in (
        clip_by_norm(g, 1.0, axis=0),
        max_norm(g, 1.0),
        unit_norm(g),
        clip_per_example(g.T, 1.0).T,
        clip_adaptively(g, jnp.ones_like(g) / 2**0.5, 1.0),
    ):
        np.testing.assert_allclose(y, [[np.nan, 0.6], [np.nan, 0.8]], rtol=1e-15)
    y = clip_by_norm([g[:, 0], g[:, 1]], 1.0)
    assert np.all(np.isnan(y[0]))
    np.testing.assert_allclose(y[1], [0.6, 0.8], rtol=1e-15)


def test_a_global_norm_makes_nan_of_all_leaves_and_says_so():
    clipped, norm = clip_by_global_norm([jnp.array([np.inf]), jnp.array([1.0])], 1.0)
    assert norm == np.inf
    assert np.all(np.isnan(clipped))


def test_a_value_clip_makes_the_limit_of_infinity_and_leaves_nan():
    g = jnp.array([np.inf, -np.inf, np.nan])
    for name, expected in {
        "clip_by_value": [2.0, -1.0, np.nan],
        "clip_gradient": [2.0, -1.0, np.nan],
        "non_negative": [np.inf, 0.0, np.nan],
    }.items():
        np.testing.assert_array_equal(BY_ENTRY[name](g), expected, name)


def test_a_limit_of_infinity_lets_infinity_through():
    g = jnp.array([np.inf, 1.0, -2.0])
    assert bits(clip_by_norm(g, np.inf)) == bits(g)
    assert bits(max_norm(g, np.inf)) == bits(g)
    assert np.all(np.isnan(clip_by_norm(g.at[1].set(np.nan), np.inf)))


def test_zero_puts_zero_in_their_place_before_anything_else():
    expected = all_zeroing(jnp.array([0.0, 0.25, -30.0]))
    for g in wrong():
        for name, y in all_zeroing(g).items():
            np.testing.assert_array_equal(y, expected[name], name)
            assert np.all(np.isfinite(y))


def test_zero_stops_the_derivative_of_what_it_replaced():
    slopes = jax.jit(jax.jacrev(lambda g: clip_by_norm(g, 1.0, nonfinite="zero")))
    for g in wrong():
        slope = slopes(g)
        assert np.all(np.isfinite(slope))
        assert not np.any(slope[:, 0])


def test_zero_before_a_global_norm_leaves_the_norm_finite():
    clipped, norm = clip_by_global_norm([jnp.array([np.nan, 3.0, 4.0])], 1.0, nonfinite="zero")
    assert norm == 5.0
    np.testing.assert_allclose(clipped[0], [0.0, 0.6, 0.8])


@pytest.mark.parametrize("name", ALL)
def test_raise_says_how_many_entries_and_where(name):
    for g in wrong():
        with pytest.raises(FloatingPointError, match="1 of 3 entries that are inf or NaN"):
            ALL[name](g, nonfinite="raise")
    fine = jnp.array([0.0, 0.25, -30.0])
    assert bits(ALL[name](fine, nonfinite="raise")) == bits(ALL[name](fine))


def test_raise_names_the_leaf():
    tree = {"w": [jnp.ones(2), jnp.array([np.nan, np.inf])], "n": None, "i": jnp.arange(2)}
    for f, name in (
        (lambda t: clip_by_norm(t, 1.0, nonfinite="raise"), "grads"),
        (lambda t: clip_by_global_norm(t, 1.0, nonfinite="raise"), "grads"),
        (lambda t: clip_by_value(t, -1, 1, nonfinite="raise"), "grads"),
        (lambda t: max_norm(t, 1.0, nonfinite="raise"), "w"),
        (lambda t: non_negative(t, nonfinite="raise"), "w"),
    ):
        with pytest.raises(FloatingPointError, match=rf"^{name}\['w'\]\[1\] has 2 of 2"):
            f(tree)


@pytest.mark.parametrize("name", ALL)
def test_raise_is_refused_where_the_numbers_are_not_known(name):
    def f(g):
        return ALL[name](g, nonfinite="raise")

    for traced in (jax.jit(f), jax.vmap(f), lambda g: jax.lax.map(f, g)):
        with pytest.raises(ValueError, match="must see the numbers"):
            traced(jnp.ones((2, 2)))


def test_raise_is_allowed_while_a_gradient_is_taken():
    def f(g):
        return jnp.sum(clip_by_norm(g, 1.0, nonfinite="raise") ** 2)

    assert np.all(np.isfinite(jax.grad(f)(jnp.array([0.3, 0.4]))))
    with pytest.raises(FloatingPointError):
        jax.grad(f)(jnp.array([0.3, np.nan]))


def test_the_value_at_a_tensor_may_be_nonfinite_whatever_the_choice():
    x = jnp.array([np.inf, np.nan, 1.0])
    for how in ("propagate", "zero", "raise"):
        for operator in (
            lambda x, n: clip_gradient(x, -1, 1, nonfinite=n),
            lambda x, n: clip_gradient_norm(x, 1, nonfinite=n),
        ):
            assert bits(operator(x, how)) == bits(x)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("choice", ["ignore", None, True, "Zero"])
def test_another_choice_is_refused(name, choice):
    with pytest.raises(ValueError, match="nonfinite must be one of 'propagate', 'zero', 'raise'"):
        ALL[name](jnp.ones(2), nonfinite=choice)
