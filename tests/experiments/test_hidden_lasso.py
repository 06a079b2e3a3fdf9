"""Test the hidden lasso of Keras's MaxNorm: its two steps, and that rows of its record are reproduced."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.hidden_lasso import run
from sccbook.records import load

RECORD = load("hidden_lasso")

EPSILON, RAISED = run.EPSILON, run.RAISED


def norm_of(arm, weights, start):
    """The norm after a million steps in float32."""
    return RECORD.cell("dead", arm=arm, dtype="float32", weights=weights, start=start).norms[-1]


@pytest.mark.slow
def test_keras_takes_a_gradient_step_of_a_rounded_lasso_and_the_proximal_step_solves_its_problem():
    with jax.enable_x64(True):
        w = jnp.array(np.random.default_rng(0).normal(size=(5, 4)) * [1e-5, 1e-4, 0.1, 0.5])
        rounded = lambda n: RAISED * (n - RAISED * jnp.log1p(n / RAISED))
        slope = jax.grad(lambda w: jnp.sum(rounded(run.norms(w))))(w)
        np.testing.assert_allclose(run.as_keras(w, 9.0, RAISED), w - slope, rtol=1e-9, atol=1e-18)
        after, stays = run.shrink(w, RAISED), np.asarray(run.norms(w)) > RAISED
        assert np.array_equal(np.any(after != 0, axis=0), stays)
        left = after[:, stays]
        np.testing.assert_allclose(
            (w - after)[:, stays], RAISED * left / run.norms(left), rtol=1e-8
        )


@pytest.mark.slow
def test_keras_sees_the_epsilon_of_the_call_alone():
    import keras

    before = keras.config.epsilon()
    w = jnp.ones((1, 1))
    assert float(run.as_keras(w, 2.0, 0.5)[0, 0]) == pytest.approx(1 / 1.5)
    assert keras.config.epsilon() == before


@pytest.mark.parametrize("weights", [1, 256])
def test_in_float32_keras_stops_at_2_and_the_proximal_step_above_3(weights):
    for start in (2.1, 3.0, 4.0):
        assert norm_of("keras", weights, start) == np.float32(start) or weights > 1
        assert norm_of("keras", weights, start) == pytest.approx(start, rel=1e-7)
    assert norm_of("prox", weights, 4.0) == pytest.approx(4, rel=1e-7)
    for start in (2.1, 3.0):
        assert norm_of("prox", weights, start) < start - 0.1
    one = np.float32(1)
    for n in (3.3, 3.4):
        assert (one - np.float32(EPSILON) / np.float32(n) == one) == (n > EPSILON * 2**25)


@pytest.mark.slow
def test_a_column_that_dies_is_reproduced():
    for arm in ("prox", "keras"):
        for dtype, apart in (("float64", 1e-9), ("float32", 3e-6)):
            kept = RECORD.cell("dead", arm=arm, dtype=dtype, weights=1, start=1e-3)
            (found,) = run.shrunk(arm, dtype, 1, [1e-3])
            np.testing.assert_allclose(found.norms, kept.norms, atol=apart)
            assert abs(found.gone - kept.gone) <= (2 if dtype == "float64" else 50)
    assert run.silent([0]) == RECORD["provenance"]["silent"][:1]
