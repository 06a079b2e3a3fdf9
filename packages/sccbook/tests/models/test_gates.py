"""Gradients of a linear recurrence, by way, against formulas and against jax.grad."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import PLACEMENTS, coefficients
from sccbook.models.gates import flow, place_gates, total_gradient

pytestmark = pytest.mark.usefixtures("x64")

K = 6


@partial(jax.jit, static_argnames="clip_first")
def river(rho, placement, s, limit=jnp.inf, clip_first=False, weights=None):
    """The flow and the total, compiled once for all settings."""
    weights = jnp.ones(K) if weights is None else weights
    gates = place_gates(K, placement, s, limit, clip_first)
    return flow(rho, *gates, weights), total_gradient(rho, *gates, weights)


@pytest.mark.slow
@pytest.mark.parametrize("placement", range(len(PLACEMENTS)))
def test_contributions_are_the_published_coefficients(placement):
    lag = np.maximum(np.subtract.outer(np.arange(K), np.arange(K)), 0)
    for s, rho in ((0.5, 1.0), (0.3, 1.7), (0.0, 0.5), (1.5, 0.9)):
        found, _ = river(rho, placement, s)
        through, root = coefficients(K, s, PLACEMENTS[placement], np.ones(K))
        np.testing.assert_allclose(found.contributions, through * rho**lag, rtol=1e-13)
        np.testing.assert_allclose(found.root, root * rho ** np.arange(1, K + 1), rtol=1e-13)
        np.testing.assert_allclose(found.arrivals, rho * found.contributions, rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("clip_first", [False, True])
def test_contributions_add_up_to_the_whole_gradient(clip_first):
    weights = jnp.linspace(0.5, 1.5, K)
    for placement in range(len(PLACEMENTS)):
        for limit in (0.0, 0.4, 1.2, 3.0, jnp.inf):
            found, total = river(1.3, placement, 0.8, limit, clip_first, weights)
            np.testing.assert_allclose(
                jnp.sum(found.contributions), total, rtol=1e-12, atol=1e-15
            )  # fmt: skip


@pytest.mark.slow
def test_order_matters_when_the_scale_is_not_one():
    totals = [float(river(1.5, 0, 0.5, 1.0, clip_first)[1]) for clip_first in (True, False)]
    assert totals[0] < totals[1]
