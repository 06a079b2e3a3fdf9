"""OptimizerSees: its numbers against the rules by hand, its words at the corners."""

import numpy as np
import pytest

from sccbook.figures.optimizer_sees.figure import (
    DECAY,
    INPUTS,
    RATE,
    STEPS,
    TARGETS,
)

SETTINGS = [
    {"divisor": divisor, "epsilon": epsilon}
    for divisor in (1.0, 1e3, 1e6, 1e9)
    for epsilon in (1e-11, 1e-8, 1e-3)
]


def gradients(divisor):
    """Of (w x - y)^2 / 2 over the divisor at w = 1, in minibatches of two."""
    each = (INPUTS - TARGETS) * INPUTS
    return np.tile(each.reshape(-1, 2).mean(axis=1), STEPS // 5) / divisor


def by_hand(divisor, epsilon):
    """The last step of each, in NumPy: a few lines for each rule."""
    trace = nu = m = v = 0.0
    for g in gradients(divisor):
        trace = 0.9 * trace + g
        nu = 0.9 * nu + 0.1 * g**2
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
    mean, root = m / (1 - 0.9**STEPS), np.sqrt(v / (1 - 0.999**STEPS))
    rule = mean / (root + epsilon)
    divided = g / np.sqrt(nu + epsilon)
    return RATE * np.array([g, trace, divided, rule, rule + DECAY])


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_step_is_what_the_rule_by_hand_gives(figure, settings):
    figure.set(**settings)
    found = figure.value
    expected, before = by_hand(**settings), by_hand(1.0, settings["epsilon"])
    np.testing.assert_allclose(found["now"], expected, rtol=1e-9)
    np.testing.assert_allclose(found["shares"], expected / before, rtol=1e-9)


def test_adams_step_is_half_where_root_equals_epsilon(at):
    whole = at(divisor=1.0)
    meets = float(whole["meets"])
    found = at(divisor=meets)
    np.testing.assert_allclose(found["root"], 1e-8, rtol=1e-9)
    half = RATE * whole["mean"] / (meets * found["root"]) / 2
    np.testing.assert_allclose(found["step"], half, rtol=1e-9)
    dragged = at(epsilon=float(whole["root_at_one"]) / 2e4)
    np.testing.assert_allclose(dragged["meets"], 2e4, rtol=1e-12)
