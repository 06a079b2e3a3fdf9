"""Placements of the scale: coefficients by hand, by measurement, and values left alone."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaleclip.ledger import PLACEMENTS, coefficients, unroll_losses

K = 3
BY_HAND = {  # at s = 1/2, weights 1: rows loss k, columns step j; the root
    "after_heads": ([[1, 0, 0], [1 / 2, 1, 0], [1 / 4, 1 / 2, 1]], [1, 1 / 2, 1 / 4]),
    "every_input": ([[1, 0, 0], [1 / 2, 1, 0], [1 / 4, 1 / 2, 1]], [1 / 2, 1 / 4, 1 / 8]),
    "before_heads": (
        [[1 / 2, 0, 0], [1 / 4, 1 / 2, 0], [1 / 8, 1 / 4, 1 / 2]], [1 / 2, 1 / 4, 1 / 8]
    ),
    "off": ([[1, 0, 0], [1, 1, 0], [1, 1, 1]], [1, 1, 1]),
}  # fmt: skip


def step(params, h, x):
    return h + params[x]  # a parameter of its own for each step


def head(params, h, x):
    return h


measured = jax.jit(
    jax.jacrev(
        lambda params, state, scale, placement: unroll_losses(
            step, head, params, state, jnp.arange(K), scale=scale, placement=placement
        )[1],
        argnums=(0, 1),
    ),
    static_argnums=3,
)


@pytest.mark.slow
@pytest.mark.parametrize("placement", PLACEMENTS)
def test_coefficients_are_those_written_by_hand(placement):
    for found, expected in zip(
        coefficients(K, 0.5, placement, np.ones(K)), BY_HAND[placement], strict=True
    ):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.floats(-2, 2), st.sampled_from(PLACEMENTS))
def test_coefficients_are_what_an_unroll_of_gain_one_measures(scale, placement):
    expected = coefficients(K, scale, placement)
    through, root = measured(np.zeros(K), 0.0, scale, placement)
    np.testing.assert_allclose(through / K, expected[0], rtol=1e-13, atol=1e-300)
    np.testing.assert_allclose(root / K, expected[1], rtol=1e-13, atol=1e-300)


@pytest.mark.slow
def test_values_do_not_depend_on_the_scale():
    params, state = np.array([0.3, np.inf, 0.1]), -0.0
    plain = unroll_losses(step, head, params, state, jnp.arange(K))
    for placement in PLACEMENTS:
        for scale in (0.0, 0.1, -3.0, np.inf):
            found = unroll_losses(
                step, head, params, state, jnp.arange(K), scale=scale, placement=placement
            )
            np.testing.assert_array_equal(found[0], plain[0])
            np.testing.assert_array_equal(found[1], plain[1])


def test_states_have_h_0_in_front_and_the_structure_of_the_state():
    count = lambda p, state, x: {"h": state["h"] + p, "n": state["n"] + 1, "none": None}
    states, found = unroll_losses(
        count,
        lambda p, state, x: state["h"] * 2,
        1.5,
        {"h": 0.0, "n": 0, "none": None},
        jnp.ones(2),
    )
    np.testing.assert_array_equal(states["h"], [0.0, 1.5, 3.0])
    np.testing.assert_array_equal(states["n"], [0, 1, 2])
    assert states["none"] is None
    np.testing.assert_array_equal(found, [3.0, 6.0])


@pytest.mark.slow
def test_weights_are_one_kth_each_unless_given():
    np.testing.assert_array_equal(coefficients(4)[1], np.full(4, 0.25))
    through, root = coefficients(2, 0.5, weights=[3, 5])  # integers do not round the scale
    np.testing.assert_array_equal(through, [[3.0, 0.0], [2.5, 5.0]])
    np.testing.assert_array_equal(root, [3.0, 2.5])


def test_the_scale_may_be_traced_and_differentiated():
    slope = jax.jit(jax.grad(lambda s: coefficients(3, s, weights=np.ones(3))[1].sum()))
    np.testing.assert_allclose([slope(0.0), slope(0.5)], [1.0, 2.0], rtol=1e-14)  # 1 + s + s^2


def unrolled(placement):
    return unroll_losses(step, head, np.zeros(K), 0.0, jnp.arange(K), placement=placement)


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (coefficients, (3, 0.5, "P"), ValueError, "one of 'after_heads', .* 'P' was given"),
        (coefficients, (0,), ValueError, "steps must be 1 or more, but 0"),
        (coefficients, (3, np.ones(3)), ValueError, "scale must be a scalar"),
        (coefficients, (3, "half"), TypeError, "scale must be one real number"),
        (coefficients, (3, 0.5, "off", np.ones(2)), ValueError, r"K = 3 losses, shape \(3,\)"),
        (coefficients, (3, 0.5, "off", 1j * np.ones(3)), TypeError, "weights must be real"),
        *(
            (unrolled, (other,), ValueError, "placement must be one of")
            for other in (None, 0, ["off"], np.arange(2), "after heads")
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


def test_parameters_may_have_leaves_that_are_no_arrays():
    params = {"w": np.float64(0.5), "f": jnp.tanh}
    _, found = unroll_losses(lambda p, h, x: p["f"](p["w"] * h), head, params, 1.0, jnp.zeros(1))
    assert float(found[0]) == pytest.approx(np.tanh(0.5), rel=1e-15)
