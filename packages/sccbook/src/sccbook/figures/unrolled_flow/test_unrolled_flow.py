"""The book's figures as Python sees them: settings, errors, outputs, and their mathematics."""

import jax
import numpy as np
import pytest

from scaleclip.ops.scaling import scale_gradient
from sccbook.figures import UnrolledFlow


def toy(theta, *, scale, gain, steps, placement, weight):
    """The toy as the page states it, a line a step."""
    h, total = 1.0, 0.0
    for j in range(1, steps + 1):
        if placement == "every_input" or (placement == "after_heads" and j > 1):
            h = scale_gradient(h, scale)
        h = gain * h + theta
        if placement == "before_heads":
            h = scale_gradient(h, scale)
        total = total + weight * h
    return total


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["1/K", "1"])
@pytest.mark.parametrize("placement", ["after_heads", "every_input", "before_heads", "off"])
def test_the_diamonds_and_the_total_are_the_gradient_of_the_stated_toy(at, placement, weights):
    for scale, gain, steps in [(0.5, 1.0, 6), (0.3, 1.7, 12), (1.0, 0.4, 1), (0.0, 2.0, 5)]:
        settings = {"scale": scale, "gain": gain, "steps": steps, "placement": placement}
        values = at(**settings, weights=weights)
        weight = 1 / steps if weights == "1/K" else 1.0
        with jax.enable_x64(True):
            expected = float(jax.grad(toy)(0.0, **settings, weight=weight))
        diamonds = float(np.sum(values["received"])) * weight
        np.testing.assert_allclose([values["total"], diamonds], expected, rtol=1e-12)


def test_drawing_losses_at_their_weight_keeps_the_total(at):
    plain, weighted = at(steps=6), at(steps=6, weighted=True)
    assert plain["total"] == weighted["total"]
    np.testing.assert_allclose(weighted["received"], plain["received"] / 6)
    assert float(np.sum(weighted["received"])) == pytest.approx(1.671875)


def test_only_the_gain_moves_the_states(at):
    still = at()["states"]
    for settings in ({"scale": 0.1}, {"placement": "before_heads"}, {"clip": True, "limit": 0.2}):
        np.testing.assert_array_equal(at(**settings)["states"], still)
    assert not np.array_equal(at(gain=1.1)["states"], still)


@pytest.mark.parametrize(
    ("settings", "bound"),
    [
        ({"scale": 0.5}, 2),
        ({"scale": 0.5, "placement": "before_heads"}, 1),
        ({"scale": 1.0}, np.inf),
        ({"scale": 0.5, "gain": 2.0}, np.inf),
        ({"clip": True, "limit": 0.3}, np.inf),
    ],
)
def test_the_bound_is_the_limit_of_the_total_or_infinite(at, settings, bound):
    assert at(**settings)["bound"] == bound


def test_without_the_scale_the_stream_is_as_wide_as_the_outline(at):
    for settings in ({}, {"gain": 1.5, "steps": 12, "placement": "before_heads"}):
        there = at(**settings | {"scale": 1.0})
        assert np.all(np.isinf(there["unscaled"])), "it's the river itself"
        np.testing.assert_allclose(at(**settings)["unscaled"], there["received"])


def test_no_gain_of_1_is_written_where_the_gain_has_no_control():
    first, second = (UnrolledFlow(stage=stage).describe()["equation"][0] for stage in (1, 2))
    assert 'data-when="!gain=1"' in first
    assert "gain" not in second
    assert "gain" not in UnrolledFlow(scale=0.5).sentence
