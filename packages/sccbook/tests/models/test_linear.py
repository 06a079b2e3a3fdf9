"""Linear recurrences against NumPy, exact fractions and finite differences."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorax.compiler import compile
from sccbook.models import recurrent
from sccbook.models.linear import (
    geometric_sum,
    jacobians,
    products,
    recurrence,
    singular_values,
    spectral_radius,
    total_coefficient,
    with_spectral_radius,
)

pytestmark = pytest.mark.usefixtures("x64")

RANDOM = np.random.default_rng(0)
A = RANDOM.normal(size=(3, 3))
sum_of = jax.jit(geometric_sum)
total = jax.jit(total_coefficient, static_argnums=0)


# The recurrence


def test_states_are_those_of_a_loop():
    drives, h = RANDOM.normal(size=(5, 3)), RANDOM.normal(size=3)
    expected = [h]
    for drive in drives:
        expected.append(A @ expected[-1] + drive)
    np.testing.assert_allclose(recurrence(A, drives, h), expected, rtol=1e-13)


@pytest.mark.slow
def test_a_scalar_recurrence_has_a_closed_form():
    states = recurrence(0.5, np.ones(20), 3.0)
    expected = [3 * 0.5**k + 2 * (1 - 0.5**k) for k in range(21)]
    np.testing.assert_allclose(states, expected, rtol=1e-15)
    assert recurrence(2, np.ones(3, int), 1).tolist() == [1, 3, 7, 15]


@pytest.mark.parametrize(
    ("matrix", "drives", "initial"),
    [
        (np.eye(2), np.ones(3), np.ones(2)),
        (np.eye(2), np.ones((3, 2)), 1.0),
        (np.ones((2, 3)), np.ones((3, 2)), np.ones(2)),
        (1.0, 1.0, 1.0),
    ],
)
def test_shapes_that_do_not_fit_are_refused(matrix, drives, initial):
    with pytest.raises(ValueError, match=r"takes a matrix \[D, D\], .* were given"):
        recurrence(matrix, drives, initial)


# Geometric sums


def exact_sum(ratio, terms):
    q = Fraction(float(ratio))
    return Fraction(terms) if q == 1 else (1 - q**terms) / (1 - q)


RATIOS = [
    0.0,
    1e-30,
    0.25,
    0.5,
    1 - 1e-3,
    1 - 1e-9,
    1 - 2**-53,
    1.0,
    1 + 2**-52,
    1 + 1e-6,
    1.5,
    2.0,
]
NEGATIVE = [-0.5, -1 + 2**-53, -1.0, -1 - 2**-52, -2.0]


@pytest.mark.parametrize("ratio", RATIOS + NEGATIVE)
def test_a_geometric_sum_is_exact_to_rounding(ratio):
    for terms in (0, 1, 2, 3, 10, 50, 501):
        expected = float(exact_sum(ratio, terms))
        np.testing.assert_allclose(sum_of(ratio, terms), expected, rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.floats(-3, 3), st.integers(0, 60))
def test_one_more_term_is_one_more_power(ratio, terms):
    expected = float(exact_sum(ratio, terms) + Fraction(ratio) ** terms)
    assert float(sum_of(ratio, terms + 1)) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_a_geometric_sum_of_very_many_terms():
    assert float(sum_of(1.0, 10**12)) == 1e12
    assert float(sum_of(0.5, 10**12)) == 2.0
    assert float(sum_of(2.0, 10**12)) == np.inf
    near = 1 - 1e-12  # n log q is -1: the sum is (1 - 1/e) / (1 - q)
    expected = -np.expm1(1e12 * np.log1p(near - 1)) / (1 - near)
    assert float(sum_of(near, 10**12)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_a_geometric_sum_broadcasts_and_keeps_nan():
    assert geometric_sum(np.ones((2, 1)), np.arange(3)).shape == (2, 3)
    assert np.isnan(sum_of(np.nan, 3))


def test_a_geometric_sum_has_its_derivative_at_zero_and_one_too():
    slopes = jax.jit(jax.vmap(jax.grad(geometric_sum)))(
        np.array([0.0, 0.5, 1.0, 2.0, 0.0]), np.array([5, 5, 5, 5, 1])
    )
    expected = [sum(i * q ** (i - 1) for i in range(1, 5)) for q in (0, 0.5, 1, 2)]
    np.testing.assert_allclose(slopes, [*expected, 0.0], rtol=1e-12)


@pytest.mark.slow
def test_without_64_bits_one_is_not_nan():
    with jax.enable_x64(False):
        found = geometric_sum(np.array([0.0, 0.5, 1.0, 2.0]), 3)
    assert found.dtype == jnp.float32
    np.testing.assert_allclose(found, [1.0, 1.75, 3.0, 7.0], rtol=1e-6)


# T(K)


def exact_total(steps, r):
    """The double sum over losses k and applications j <= k, in fractions."""
    return sum(r ** (k - j) for k in range(1, steps + 1) for j in range(1, k + 1)) / Fraction(steps)


@pytest.mark.parametrize("steps", [1, 5, 10, 50])
@pytest.mark.parametrize(
    "r", [Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(2)]
)
def test_the_total_coefficient_is_the_double_sum(steps, r):
    expected = float(exact_total(steps, r))
    assert float(total(steps, float(r))) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_the_total_coefficient_is_bounded_while_r_is_below_one():
    r = np.linspace(0, 0.999, 500)
    for steps in (2, 10, 50, 200):
        found = np.asarray(total(steps, r))
        assert np.all(found >= 1 - 1e-12)
        assert np.all(found[1:] < 1 / (1 - r[1:]))
        assert np.all(np.diff(found) > 0)


@pytest.mark.slow
def test_the_total_coefficient_keeps_the_shape_of_its_products():
    assert total_coefficient(3, np.ones((2, 4))).shape == (2, 4)
    with pytest.raises(ValueError, match="steps must be 1 or more, but 0"):
        total_coefficient(0, 0.5)


@pytest.mark.slow
def test_a_page_can_run_the_closed_forms(run_in_node):
    both = lambda r: (geometric_sum(r, 7), total_coefficient(10, r))
    program = compile(both, 0.5)
    ratios = [0.0, 0.5, 1.0, 2.0, -0.5]
    for ratio, found in zip(
        ratios, run_in_node(program.javascript, [[r] for r in ratios]), strict=True
    ):
        np.testing.assert_allclose(np.ravel(found), both(ratio), rtol=1e-12)


# Jacobians along an unroll


@partial(jax.jit, static_argnums=0)
def jacobians_of(step, params, state, inputs):
    return jacobians(step, params, state, inputs)


@pytest.mark.slow
def test_jacobians_multiply_to_that_of_the_whole_unroll():
    params = recurrent.init_tanh(jax.random.key(0), 2, 3, 1, radius=1.5)
    h, inputs = jnp.asarray(A[0]), jnp.asarray(RANDOM.normal(size=(4, 2)))
    factors = jacobians_of(recurrent.tanh_step, params, h, inputs)
    found = products(factors)
    whole = jax.jit(jax.jacobian(lambda h: recurrent.run(recurrent.tanh_step, params, h, inputs)))
    np.testing.assert_allclose(found, whole(h), rtol=1e-12, atol=1e-15)

    run = jax.jit(lambda h: recurrent.run(recurrent.tanh_step, params, h, inputs)[-1])
    slopes = [(run(h + 1e-6 * e) - run(h - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(found[-1], np.transpose(slopes), rtol=1e-7, atol=1e-9)

    scaled = products(factors, 0.5)
    np.testing.assert_allclose(scaled, found * 0.5 ** np.arange(1, 5)[:, None, None], rtol=1e-14)


def test_a_state_of_several_leaves_is_one_vector_and_counters_have_no_column():
    def step(params, state, x):
        return {"c": state["c"] * x, "h": params * state["h"] + state["c"], "n": state["n"] + 1}

    state = {"c": 2.0, "h": jnp.ones(2), "n": 0}
    found = jacobians(step, 3.0, state, jnp.array([5.0, 7.0]))
    expected = [[[x, 0, 0], [1, 3, 0], [1, 0, 3]] for x in (5, 7)]
    np.testing.assert_array_equal(found, expected)


def test_the_jacobian_of_a_linear_step_is_its_matrix():
    found = jacobians(lambda a, h, x: a @ h + x, A, np.ones(3), np.zeros((2, 3)))
    np.testing.assert_array_equal(found, [A, A])


# What a matrix does to lengths


def test_singular_values_and_radius_are_those_of_numpy():
    stack = np.stack([A, 2 * A.T])
    np.testing.assert_allclose(
        singular_values(stack), np.linalg.svd(stack, compute_uv=False), rtol=1e-12
    )
    radii = np.abs(np.linalg.eigvals(stack)).max(-1)
    np.testing.assert_allclose(spectral_radius(stack), radii, rtol=1e-12)
    assert np.all(radii <= np.asarray(singular_values(stack))[:, 0])


@pytest.mark.slow
def test_a_radius_of_nine_tenths_can_grow_first():
    shear = np.array([[0.9, 3.0], [0.0, 0.9]])
    assert float(spectral_radius(shear)) == pytest.approx(0.9)
    sizes = np.asarray(singular_values(products(np.tile(shear, (100, 1, 1)))))[:, 0]
    assert sizes[0] > 3
    assert sizes.max() > 10
    assert sizes[-1] < 0.01


@pytest.mark.slow
def test_a_matrix_is_brought_to_a_radius():
    found = with_spectral_radius(A, 0.7)
    assert float(spectral_radius(found)) == pytest.approx(0.7, rel=1e-12)
    np.testing.assert_allclose(np.asarray(found) / A, np.full((3, 3), found[0, 0] / A[0, 0]))
    assert not np.any(with_spectral_radius(A, 0.0))


@pytest.mark.parametrize("matrix", [np.zeros((2, 2)), np.array([[0.0, 1.0], [0.0, 0.0]])])
def test_a_radius_of_zero_cannot_be_changed(matrix):
    with pytest.raises(ValueError, match="eigenvalues are all 0; expected one"):
        with_spectral_radius(matrix, 0.9)
    assert not np.any(np.isfinite(jax.jit(with_spectral_radius)(matrix, 0.9)[0, 1]))
