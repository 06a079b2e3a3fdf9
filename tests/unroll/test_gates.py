"""Where the gradient of a linear recurrence goes, against formulas and against jax.grad."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.unroll import PLACEMENTS
from gradlab.unroll.gates import flow, open_gates, place_gates, total_gradient, unroll

K = 6


@pytest.fixture(autouse=True)
def double():
    with jax.enable_x64(True):
        yield


@partial(jax.jit, static_argnames="clip_first")
def river(rho, placement, s, limit=jnp.inf, clip_first=False, weights=None):
    """The flow and the total, compiled once for all settings."""
    weights = jnp.ones(K) if weights is None else weights
    gates = place_gates(K, placement, s, limit, clip_first)
    return flow(rho, *gates, weights), total_gradient(rho, *gates, weights)


def coefficient(placement, s, k, j):
    """The published coefficient of loss k through application j, at gain 1."""
    return {0: s ** (k - j), 1: s ** (k - j), 2: s ** (k - j + 1), 3: 1.0}[placement]


def at_root(placement, s, k):
    return {0: s ** (k - 1), 1: s**k, 2: s**k, 3: 1.0}[placement]


@pytest.mark.parametrize("placement", range(len(PLACEMENTS)))
@pytest.mark.parametrize(("s", "rho"), [(0.5, 1.0), (0.3, 1.7), (0.0, 0.5), (1.5, 0.9)])
def test_contributions_are_the_published_coefficients(placement, s, rho):
    found, _ = river(rho, placement, s)
    expected = [
        [coefficient(placement, s, k, j) * rho ** (k - j) if j <= k else 0 for j in range(1, K + 1)]
        for k in range(1, K + 1)
    ]
    np.testing.assert_allclose(found.contributions, expected, rtol=1e-13)
    root = [at_root(placement, s, k) * rho**k for k in range(1, K + 1)]
    np.testing.assert_allclose(found.root, root, rtol=1e-13)
    np.testing.assert_allclose(found.arrivals, rho * found.contributions, rtol=1e-13)


@pytest.mark.parametrize("clip_first", [False, True])
@pytest.mark.parametrize("limit", [0.0, 0.4, 1.2, 3.0, jnp.inf])
@pytest.mark.parametrize("placement", range(len(PLACEMENTS)))
def test_contributions_add_up_to_the_whole_gradient(placement, limit, clip_first):
    weights = jnp.linspace(0.5, 1.5, K)
    found, total = river(1.3, placement, 0.8, limit, clip_first, weights)
    np.testing.assert_allclose(jnp.sum(found.contributions), total, rtol=1e-12, atol=1e-15)


def test_without_a_clip_the_total_is_the_closed_form():
    for s, rho, steps in [
        (0.5, 1.0, 1),
        (0.5, 1.0, 5),
        (0.5, 1.0, 10),
        (0.75, 1.0, 50),
        (0.5, 2.0, 7),
    ]:
        weights = jnp.full(steps, 1 / steps)
        total = total_gradient(rho, *place_gates(steps, 0, s), weights)
        r = s * rho
        terms = [
            steps - j + 1 if r == 1 else (1 - r ** (steps - j + 1)) / (1 - r)
            for j in range(1, steps + 1)
        ]
        assert float(total) == pytest.approx(sum(terms) / steps, rel=1e-12)


def test_half_of_six_is_less_than_two():
    weights = jnp.full(6, 1 / 6)
    assert round(float(total_gradient(1.0, *place_gates(6, 0, 0.5), weights)), 4) == 1.6719


def test_gates_leave_the_states_as_they_are():
    plain = unroll(0.1, 1.5, open_gates(K), open_gates(K))
    gated = unroll(0.1, 1.5, *place_gates(K, 2, 0.3, 0.1))
    np.testing.assert_array_equal(plain, gated)


def test_the_total_is_the_derivative_by_finite_differences():
    weights = jnp.linspace(0.5, 1.5, K)

    def loss(theta):
        return float(jnp.sum(weights * unroll(theta, 1.3, open_gates(K), open_gates(K))[1:]))

    slope = (loss(1e-4) - loss(-1e-4)) / 2e-4
    total = total_gradient(1.3, open_gates(K), open_gates(K), weights)
    assert float(total) == pytest.approx(slope, rel=1e-9)


def test_a_clip_keeps_every_passing_stream_within_its_limit():
    found, _ = river(1.4, 1, 1.0, 0.7)
    passing = jnp.sum(found.contributions, axis=0) - 1.0  # what came from later steps
    assert float(jnp.max(passing)) <= 0.7 + 1e-12
    assert float(jnp.sum(found.root)) == pytest.approx(0.7)


def test_order_matters_when_the_scale_is_not_one():
    _, after = river(1.5, 0, 0.5, 1.0, False)
    _, before = river(1.5, 0, 0.5, 1.0, True)
    assert float(before) < float(after)
