"""The two paths: their numbers against plain arithmetic and JAX, their words at the corners."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.figures.two_paths.figure import HEAD_B, TARGET_B, W

B = np.array([-0.8, 1.6])
"""Gradient that head B sends: M^T (M w - t), by hand."""


def draws(n=40):
    source = np.random.default_rng(0)
    return [
        {
            "scale": source.uniform(-1, 1),
            "both": bool(source.integers(2)),
            "a": (round(source.uniform(-2, 2), 3), round(source.uniform(-1.5, 1.5), 3)),
        }
        for _ in range(n)
    ]


@pytest.mark.parametrize("settings", draws())
def test_the_sum_is_the_scaled_paths_added(at, settings):
    value, s, a = at(**settings), settings["scale"], np.array(settings["a"])
    on_a = s if settings["both"] else 1.0
    np.testing.assert_allclose(value["own"], on_a * a, atol=1e-12)
    np.testing.assert_allclose(value["through"], s * B, atol=1e-12)
    np.testing.assert_allclose(value["whole"], on_a * a + s * B, atol=1e-12)
    np.testing.assert_allclose(value["before"], a + B, atol=1e-12)
    before, whole = value["before"], value["whole"]
    cosine = before @ whole / (np.linalg.norm(before) * np.linalg.norm(whole))
    turned = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    assert value["turned"] == pytest.approx(turned, abs=1e-4)


@pytest.mark.slow
def test_the_sum_is_the_gradient_of_the_reweighted_loss_and_the_loss_stays(at):
    """For two separate heads the surrogate is a gradient after all: of l_A + s l_B."""
    with jax.enable_x64(True):
        w, a = jnp.array(W), jnp.array([2.0, 0.5])
        target_a = w - a

        def reweighted(w, s):
            error_b = jnp.array(HEAD_B) @ w - jnp.array(TARGET_B)
            return 0.5 * jnp.sum((w - target_a) ** 2) + 0.5 * s * jnp.sum(error_b**2)

        for s in (-1.0, 0.0, 0.3, 1.0):
            value = at(scale=s)
            np.testing.assert_allclose(value["whole"], jax.grad(reweighted)(w, s), atol=1e-12)
            assert float(value["loss"]) == pytest.approx(float(reweighted(w, 1.0)))


def test_one_scaled_path_turns_the_sum_away_from_it_and_two_do_not(at):
    turned = [float(at(scale=s)["turned"]) for s in (1.0, 0.5, 0.0, -0.5, -1.0)]
    assert turned == sorted(turned)
    assert turned[0] == pytest.approx(0, abs=1e-9)
    assert turned[1] > 20, "which the first state shows"
    for s in (1.0, 0.5, 0.1):
        assert at(scale=s, both=True)["turned"] == pytest.approx(0, abs=1e-9)
