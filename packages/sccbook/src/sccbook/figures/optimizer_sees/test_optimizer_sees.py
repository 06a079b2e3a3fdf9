"""OptimizerSees: its numbers against the rules by hand, its words at the corners."""

import numpy as np
import pytest

from sccbook.figures.optimizer_sees.figure import (
    DECAY,
    DIVISORS,
    INPUTS,
    RATE,
    RESULTS,
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
    return {
        "sgd": RATE * g,
        "momentum": RATE * trace,
        "rmsprop": RATE * g / np.sqrt(nu + epsilon),
        "adam": RATE * rule,
        "adamw": RATE * (rule + DECAY),
    }


def shares(divisor, epsilon):
    before = by_hand(1.0, epsilon)
    return {name: step / before[name] for name, step in by_hand(divisor, epsilon).items()}


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_step_is_what_the_rule_by_hand_gives(figure, settings):
    figure.set(**settings)
    found, expected = figure.value, shares(**settings)
    for name in RESULTS:
        np.testing.assert_allclose(found[f"{name}_now"], expected[name], rtol=1e-9)
    np.testing.assert_allclose(
        found["now"], [by_hand(**settings)[name] for name in RESULTS], rtol=1e-9
    )


def test_the_lines_are_the_steps_at_each_divisor_and_begin_at_one(at):
    found = at(divisor=1.0, epsilon=1e-8)
    np.testing.assert_allclose(found["divisors"], DIVISORS)
    np.testing.assert_allclose([found[name][0] for name in RESULTS], 1.0, rtol=1e-15)
    for n, divisor in list(enumerate(DIVISORS))[::13]:
        for name, share in shares(divisor, 1e-8).items():
            np.testing.assert_allclose(found[name][n], share, rtol=1e-9)


def test_adams_step_is_half_where_root_equals_epsilon(at):
    whole = at(divisor=1.0)
    meets = float(whole["meets"])
    found = at(divisor=meets)
    np.testing.assert_allclose(found["root"], 1e-8, rtol=1e-9)
    half = RATE * whole["mean"] / (meets * found["root"]) / 2
    np.testing.assert_allclose(found["step"], half, rtol=1e-9)
    dragged = at(epsilon=float(whole["root_at_one"]) / 2e4)
    np.testing.assert_allclose(dragged["meets"], 2e4, rtol=1e-12)
