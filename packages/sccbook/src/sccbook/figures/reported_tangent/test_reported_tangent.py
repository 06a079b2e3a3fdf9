"""Test that the reported tangent has the scaled slope."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.figures.reported_tangent.figure import curve


@pytest.mark.slow
def test_the_reported_tangent_has_the_scaled_slope_and_the_value_stays(at):
    for scale, x in [(0.5, 0.2), (-1.0, 1.3), (0.0, -0.7), (1.0, 0.0)]:
        values = at(scale=scale, x=x)
        with jax.enable_x64(True):
            slope, value = float(jax.grad(curve)(x)), float(curve(jnp.float64(x)))
        assert float(values["reported"]) == pytest.approx(scale * slope, rel=1e-12)
        assert float(values["value"]) == value
        np.testing.assert_array_equal(values["ordinates"], at()["ordinates"])


@pytest.mark.parametrize(("scale", "moves"), [(0.5, 0), (-1.0, 1), (0.0, 2)])
def test_only_a_negative_scale_makes_a_step_of_descent_climb(at, scale, moves):
    assert int(at(scale=scale)["moves"]) == moves
