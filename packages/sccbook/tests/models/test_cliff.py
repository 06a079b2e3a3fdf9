"""The two-parameter recurrence: its wall against closed forms, its peak as a matter of the grid."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.models.cliff import (
    START,
    STEPS,
    TARGET,
    B,
    cliff_at,
    cliff_surface,
    wall,
    wall_norm,
)


def by_hand(w, b):
    """The loss and its gradient in NumPy: forward, and the derivatives of x carried along."""
    x, dw, db = START, 0.0, 0.0
    for _ in range(STEPS):
        y = 1 / (1 + np.exp(-x))
        gain = w * y * (1 - y)
        x, dw, db = w * y + b, y + gain * dw, 1 + gain * db
    y = 1 / (1 + np.exp(-x))
    out = 2 * (y - TARGET) * y * (1 - y)
    return (y - TARGET) ** 2, np.array([out * dw, out * db])


@pytest.mark.slow
@pytest.mark.parametrize(
    "place", [(6.0, -2.5), (4.5, -4.0), (7.5, -1.5), (5.2, -2.7), (4.6, -2.36)]
)
def test_loss_and_gradient_are_those_of_forward_mode_by_hand(place):
    loss, slope = by_hand(*place)
    found, gradient = cliff_at(place)
    assert found == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(gradient, slope, rtol=1e-9)


@pytest.mark.parametrize(
    ("n", "peak"),
    [
        (50, 0.65),
        (201, 391.2),
        (401, 4316.6),
        pytest.param(1001, 469_678, marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.slow
def test_the_median_is_stable_and_the_peak_depends_on_the_grid(n, peak):
    norms = cliff_surface(n)[1]
    assert round(float(np.median(norms)), 3) == (0.036 if n == 50 else 0.037)
    assert norms.max() == pytest.approx(peak, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("w", [4.3, 4.6, 5.0, 6.0, 7.0])
def test_on_the_line_the_gradient_has_its_closed_form(w):
    assert np.linalg.norm(cliff_at([w, wall(w)])[1]) == pytest.approx(wall_norm(w), rel=1e-3)


def test_a_cap_of_4_on_the_weight_takes_the_wall_away():
    b = np.linspace(*B, 10_001)
    norms = np.linalg.norm(cliff_at(np.stack([np.full_like(b, 4.0), b], axis=1))[1], axis=1)
    assert norms.max() < 10 < 1e-5 * wall_norm(6.0)


def test_the_surface_is_float64_in_any_setting_and_under_tracing():
    found = []
    for wide in (False, True):
        with jax.enable_x64(wide):
            found.append(cliff_surface(11))
    for one, other in zip(*found, strict=True):
        assert one.dtype == np.float64
        np.testing.assert_array_equal(one, other)
    traced = jax.jit(lambda x: x + jnp.asarray(cliff_surface(3)[0]).sum())
    assert np.isfinite(traced(1.0))
