"""Treatment of inf and NaN by the operators, by the keyword ``nonfinite``."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.operators import BY_ENTRY, BY_NORM, SHORTEN
from tests.ops.reference import bits

from scaleclip import ops

ALL = BY_NORM | BY_ENTRY
FINE = np.array([0.0, 0.25, -30.0])
WRONG = [np.array([bad, 0.25, -30.0]) for bad in (np.inf, -np.inf, np.nan)]


all_zeroing = jax.jit(lambda g: {name: f(g, nonfinite="zero") for name, f in ALL.items()})


@pytest.mark.slow
def test_a_global_norm_shows_inf():
    assert ops.clip_by_global_norm([jnp.array([np.inf]), jnp.array([1.0])], 1.0)[1] == np.inf
    clipped, norm = ops.clip_by_global_norm(jnp.array([np.nan, 3.0, 4.0]), 1.0, nonfinite="zero")
    assert norm == 5.0
    np.testing.assert_allclose(clipped, [0.0, 0.6, 0.8])


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORTEN)
def test_a_limit_of_infinity_changes_no_bit(name):
    for g in ([np.inf, 1.0], [np.nan, 1.0], [-np.inf, np.nan], [3.0, -0.0]):
        g = jnp.array(g)
        assert bits(SHORTEN[name](g, np.inf)) == bits(g)
        assert bits(jax.jit(SHORTEN[name])(g, np.inf)) == bits(g)


@pytest.mark.slow
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_nan_spreads_no_further_than_its_own_norm(bad):
    g = jnp.array([[bad, 3.0], [4.0, 4.0]])
    for clip, axis, expected in (
        (ops.clip_by_norm, 0, [[np.nan, 0.6], [np.nan, 0.8]]),
        (ops.clip_by_norm, None, np.full((2, 2), np.nan)),
        (ops.max_norm, 0, [[np.nan, 0.6], [np.nan, 0.8]]),
    ):
        np.testing.assert_allclose(clip(g, 1.0, axis), expected)


@pytest.mark.slow
def test_zero_puts_zero_in_their_place_before_anything_else():
    expected = all_zeroing(FINE)
    for g in WRONG:
        for name, y in all_zeroing(g).items():
            np.testing.assert_array_equal(y, expected[name], name)
            assert np.all(np.isfinite(y))


@pytest.mark.slow
def test_zero_stops_the_derivative_of_what_it_replaced():
    slopes = jax.jit(jax.jacrev(lambda g: ops.clip_by_norm(g, 1.0, nonfinite="zero")))
    for g in WRONG:
        assert np.all(np.isfinite(slopes(g)))
        assert not np.any(slopes(g)[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_raise_says_how_many_entries_and_where(name):
    for g in WRONG:
        with pytest.raises(FloatingPointError, match=r"1 of \d entries that are inf or NaN"):
            ALL[name](jnp.array(g), nonfinite="raise")
    fine = jnp.array(FINE)
    assert bits(ALL[name](fine, nonfinite="raise")) == bits(ALL[name](fine))


@pytest.mark.slow
def test_raise_names_the_leaf_while_a_gradient_is_taken_too():
    square = jax.grad(lambda g: jnp.sum(ops.clip_by_norm(g, 1.0, nonfinite="raise") ** 2))
    assert np.all(np.isfinite(square(jnp.array([0.3, 0.4]))))
    with pytest.raises(FloatingPointError):
        square(jnp.array([0.3, np.nan]))
    tree = {"w": [jnp.ones((2, 1)), jnp.array([[np.nan], [np.inf]])], "n": None, "i": jnp.arange(2)}
    for f, name in (
        (lambda t: ops.clip_by_norm(t, 1.0, nonfinite="raise"), "grads"),
        (lambda t: ops.clip_by_global_norm(t, 1.0, nonfinite="raise"), "grads"),
        (lambda t: ops.clip_by_value(t, -1, 1, nonfinite="raise"), "grads"),
        (lambda t: ops.max_norm(t, 1.0, nonfinite="raise"), "w"),
        (lambda t: ops.non_negative(t, nonfinite="raise"), "w"),
    ):
        with pytest.raises(FloatingPointError, match=rf"^{name}\['w'\]\[1\] has 2 of 2"):
            f(tree)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_nonfinite_raise_is_refused_under_tracing(name):
    def f(g):
        return ALL[name](g, nonfinite="raise")

    for traced in (jax.jit(f), jax.vmap(f), lambda g: jax.lax.map(f, g)):
        with pytest.raises(ValueError, match="must see the numbers"):
            traced(jnp.ones((2, 2)))
    for choice in ("ignore", None, True, "Zero"):
        with pytest.raises(
            ValueError, match="nonfinite must be one of 'propagate', 'zero', 'raise'"
        ):
            ALL[name](jnp.ones(2), nonfinite=choice)


@pytest.mark.parametrize("choice", ["propagate", "zero", "raise"])
def test_the_value_at_a_tensor_may_be_nonfinite_whatever_the_choice(choice):
    x = jnp.array([np.inf, np.nan, 1.0])
    assert bits(ops.clip_gradient(x, -1, 1, nonfinite=choice)) == bits(x)
    assert bits(ops.clip_gradient_norm(x, 1, nonfinite=choice)) == bits(x)
