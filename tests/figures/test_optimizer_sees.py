"""OptimizerSees: its numbers against the rules by hand, its words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from gradlab.figures import OptimizerSees
from gradlab.figures.optimizer_sees import (
    DECAY,
    FACTORS,
    INPUTS,
    RATE,
    RESULTS,
    STEPS,
    TARGETS,
)

SETTINGS = [
    {"factor": factor, "epsilon": epsilon}
    for factor in (1e-10, 1e-6, 1e-3, 1.0, 1e3)
    for epsilon in (1e-12, 1e-8, 1e-2)
]


@pytest.fixture(scope="module")
def figure():
    return OptimizerSees()


def gradients(factor):
    """Of factor (w x - y)^2 / 2 at w = 1, in minibatches of two."""
    each = (INPUTS - TARGETS) * INPUTS
    return factor * np.tile(each.reshape(-1, 2).mean(axis=1), STEPS // 5)


def by_hand(factor, epsilon):
    """The last step of each, in NumPy: a few lines for each rule."""
    trace = nu = m = v = 0.0
    for g in gradients(factor):
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


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_step_is_what_the_rule_by_hand_gives(figure, settings):
    figure.set(**settings)
    found, expected = figure.value, by_hand(**settings)
    for name in RESULTS:
        np.testing.assert_allclose(found[f"{name}_now"], expected[name], rtol=1e-9)
    np.testing.assert_allclose(found["now"], [expected[name] for name in RESULTS], rtol=1e-9)


def test_the_lines_are_the_steps_at_each_factor(figure):
    figure.set(factor=1.0, epsilon=1e-8)
    found = figure.value
    np.testing.assert_allclose(found["factors"], FACTORS)
    for n, factor in list(enumerate(FACTORS))[::13]:
        for name, length in by_hand(factor, 1e-8).items():
            np.testing.assert_allclose(found[name][n], length, rtol=1e-9)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-8, 1e-4])
def test_a_factor_is_a_change_of_epsilon_and_of_nothing_else(epsilon):
    scaled = OptimizerSees(factor=1e-2, epsilon=epsilon).value
    unscaled = OptimizerSees(factor=1.0, epsilon=100 * epsilon).value
    np.testing.assert_allclose(scaled["adam_now"], unscaled["adam_now"], rtol=1e-12)
    np.testing.assert_allclose(scaled["meets"], epsilon / unscaled["root"], rtol=1e-12)


def test_adams_step_is_half_where_root_and_epsilon_are_equal(figure):
    figure.set(factor=1.0, epsilon=1e-8)
    meets, unhindered = float(figure.value["meets"]), RATE * figure.value["mean"]
    figure.set(factor=meets)
    found = figure.value
    np.testing.assert_allclose(found["root"], 1e-8, rtol=1e-9)
    np.testing.assert_allclose(found["adam_now"], unhindered / found["root"] * meets / 2, rtol=1e-9)


def test_sgd_and_momentum_fall_with_the_factor_and_adamws_decay_stays(figure):
    figure.set(factor=1e-10, epsilon=1e-8)
    found = figure.value
    np.testing.assert_allclose(found["shares"][:2], 1e-10, rtol=1e-9)
    np.testing.assert_allclose(found["adamw_now"] - found["adam_now"], RATE * DECAY, rtol=1e-9)


def test_the_answer_to_the_prediction_is_about_half(figure):
    figure.set(**figure.spec.prediction.settings)
    assert figure.spec.prediction.options[int(figure.value["answer"])].startswith("about half")
    for factor, answer in ((1.0, 3), (1e-3, 3), (1e-8, 1)):
        figure.set(factor=factor)
        assert figure.value["answer"] == answer


@pytest.mark.parametrize(("settings", "words"), [
    ({"factor": 1.0, "epsilon": 1e-8}, "as at κ = 1 to within 2 %"),
    ({"factor": 1e-6, "epsilon": 1e-8}, "49 % of what it is at κ = 1"),
    ({"factor": 1e-9, "epsilon": 1e-8}, "it falls as SGD’s does"),
    ({"factor": 1e3, "epsilon": 1e-2}, "times what it is at κ = 1"),
])  # fmt: skip
def test_the_sentence_says_what_becomes_of_adam(figure, settings, words):
    figure.set(**settings)
    assert words in figure.sentence


def test_the_table_names_the_five(figure):
    figure.set(factor=1e-6, epsilon=1e-8)
    rows = figure.table()
    assert rows[0] == ["", "at κ = 1", "now", "now / at 1"]
    assert [row[0] for row in rows[1:]] == ["SGD", "momentum", "RMSProp", "Adam", "AdamW"]
    assert rows[4][1:] == ["0.00986", "0.00485", "0.492"]
