"""OptimizerSees: its numbers against the rules by hand, its words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures import OptimizerSees
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


@pytest.fixture(scope="module")
def figure():
    return OptimizerSees()


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


def test_the_lines_are_the_steps_at_each_divisor_and_begin_at_one(figure):
    figure.set(divisor=1.0, epsilon=1e-8)
    found = figure.value
    np.testing.assert_allclose(found["divisors"], DIVISORS)
    np.testing.assert_allclose([found[name][0] for name in RESULTS], 1.0, rtol=1e-15)
    for n, divisor in list(enumerate(DIVISORS))[::13]:
        for name, share in shares(divisor, 1e-8).items():
            np.testing.assert_allclose(found[name][n], share, rtol=1e-9)


def test_before_the_answer_adams_line_is_drawn_up_to_a_thousand(figure):
    figure.set(divisor=1e6, epsilon=1e-8)
    found = figure.value
    assert found["start"][-1] == 1e3
    np.testing.assert_array_equal(found["adam_start"], found["adam"][: found["start"].size])
    assert figure.spec.view.series[-1].until in figure.spec.prediction.concealed()


@pytest.mark.parametrize("epsilon", [1e-10, 1e-8, 1e-5])
def test_dividing_the_loss_is_a_change_of_epsilon_and_of_nothing_else(epsilon):
    divided = OptimizerSees(divisor=1e2, epsilon=epsilon).value
    whole = OptimizerSees(divisor=1.0, epsilon=100 * epsilon).value
    np.testing.assert_allclose(divided["step"], whole["step"], rtol=1e-12)


def test_adams_step_is_half_where_root_and_epsilon_are_equal(figure):
    figure.set(divisor=1.0, epsilon=1e-8)
    meets, unhindered = float(figure.value["meets"]), RATE * figure.value["mean"]
    figure.set(divisor=meets)
    found = figure.value
    np.testing.assert_allclose(found["root"], 1e-8, rtol=1e-9)
    np.testing.assert_allclose(found["step"], unhindered / (meets * found["root"]) / 2, rtol=1e-9)


def test_dragging_the_border_sets_the_epsilon_that_puts_it_there(figure):
    figure.set(divisor=1e3, epsilon=1e-8)
    place = 2e4
    figure.set(epsilon=float(figure.value["root_at_one"]) / place)
    np.testing.assert_allclose(figure.value["meets"], place, rtol=1e-12)


def test_sgd_and_momentum_fall_with_the_loss_and_adamws_decay_stays(figure):
    figure.set(divisor=1e9, epsilon=1e-8)
    found = figure.value
    np.testing.assert_allclose(found["shares"][:2], 1e-9, rtol=1e-9)
    np.testing.assert_allclose(found["now"][4] - found["now"][3], RATE * DECAY, rtol=1e-9)


def test_the_answer_to_the_prediction_is_about_half(figure):
    figure.set(**figure.spec.prediction.settings)
    assert figure.spec.prediction.options[int(figure.value["answer"])].startswith("about half")
    for divisor, answer in ((1.0, 3), (1e3, 3), (1e8, 1)):
        figure.set(divisor=divisor)
        assert figure.value["answer"] == answer


@pytest.mark.parametrize(("settings", "words"), [
    ({"divisor": 1.0, "epsilon": 1e-8}, "The loss is as it was"),
    ({"divisor": 1e3, "epsilon": 1e-8}, "stays as it was to within 2 %"),
    ({"divisor": 1e6, "epsilon": 1e-8}, "Adam’s is 49 % of what it was"),
    ({"divisor": 1e8, "epsilon": 1e-8}, "falls as fast"),
])  # fmt: skip
def test_the_sentence_says_what_becomes_of_adam(figure, settings, words):
    figure.set(**settings)
    assert words in figure.sentence


def test_the_table_names_the_five(figure):
    figure.set(divisor=1e6, epsilon=1e-8)
    rows = figure.table()
    assert rows[0] == ["", "at 1", "now", "now / at 1"]
    assert [row[0] for row in rows[1:]] == ["SGD", "momentum", "RMSProp", "Adam", "AdamW"]
    assert rows[4][1:] == ["0.00985", "0.00485", "0.492"]
