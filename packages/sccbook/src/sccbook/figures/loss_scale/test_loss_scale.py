"""The loss scale: its steps against a loop, its words at the corners."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sccbook.figures import LossScale
from sccbook.figures.loss_scale.figure import BAND, STEPS, ceiling

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figure():
    return LossScale()


def by_a_loop(start, interval):
    """As PyTorch's GradScaler has it, step by step."""
    power, good, powers, skipped = start, 0, [], []
    for step, most in enumerate(ceiling()):
        powers.append(power)
        if power > most:
            skipped.append(step)
            power, good = power - 1, 0
            continue
        good += 1
        if good == interval:
            power, good = power + 1, 0
    return powers, skipped


@pytest.mark.parametrize(("start", "interval"), [(40, 10), (0, 10), (46, 2), (16, 100), (35, 3)])
def test_the_scale_is_doubled_after_good_steps_and_halved_after_a_skip(figure, start, interval):
    figure.set(start=start, interval=interval)
    found = figure.value
    powers, skipped = by_a_loop(start, interval)
    np.testing.assert_array_equal(found["power"], powers)
    assert found["skipped"] == len(skipped)
    assert found["settled"] == sum(step >= 20 for step in skipped)
    assert found["small"] == np.sum(np.array(powers) < ceiling() - BAND)


def test_each_skipped_step_has_a_mark_and_no_other_has(figure):
    figure.set(start=40, interval=10)
    found = figure.value
    _, skipped = by_a_loop(40, 10)
    assert sorted(set(found["lost_at"])) == skipped
    for at, power in zip(found["lost_at"], found["lost"], strict=True):
        assert found["power"][int(at)] == power


def test_what_fits_rises_slowly_and_falls_at_a_spike():
    most = ceiling()
    assert len(most) == STEPS
    assert np.median(most[:20]) < np.median(most[-20:]) < np.median(most[:20]) + 4
    assert np.flatnonzero(most < 30).tolist() == [70, 71, 72]


@pytest.mark.parametrize(("start", "interval", "words"), [
    (40, 10, "13 of 120 steps overflow and are skipped, 6 of them after the first 20."),
    (0, 10, "No step is skipped. At 117 the scale is too small, and rounding turns the gradient."),
    (16, 100, "No step is skipped, and none has too small a scale."),
    (8, 2, " steps overflow and are skipped, "),
])  # fmt: skip
def test_the_sentence_counts_what_is_lost(figure, start, interval, words):
    figure.set(start=start, interval=interval)
    assert words in figure.sentence
    assert ("too small" in figure.sentence) == (figure.value["small"] > 0 or interval == 100)


def test_the_prediction_hides_the_scale(figure):
    asked = figure.describe()["prediction"]
    assert asked["answer"] == "skipped"
    assert {"skipped", "power", "lost", "settled", "case"} <= set(asked["conceals"])
    json.dumps(asked)
