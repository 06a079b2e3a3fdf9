"""Two shards: the numbers against formulas by hand, the words at the corners."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sccbook.figures import TwoShards
from sccbook.figures.two_shards.figure import ONE, TWO

pytestmark = pytest.mark.slow

SETTINGS = [
    {"one": one, "two": two, "c": c}
    for one, two in ((ONE, TWO), ((-0.9, 1.2), (3.0, -0.4)), ((0.3, 0.2), (-0.3, -0.2)))
    for c in (0.3, 1.0, 3.2)
]


@pytest.fixture(scope="module")
def figure():
    return TwoShards()


def clip(g, c):
    return g * min(1.0, c / max(np.linalg.norm(g), 1e-300))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_one_order_clips_the_mean_and_the_other_each_gradient(figure, settings):
    figure.set(**settings)
    found, c = figure.value, settings["c"]
    one, two = np.array(settings["one"]), np.array(settings["two"])
    np.testing.assert_allclose(found["mean"], (one + two) / 2, atol=1e-12)
    np.testing.assert_allclose(found["right"], clip((one + two) / 2, c), atol=1e-12)
    np.testing.assert_allclose(found["wrong"], (clip(one, c) + clip(two, c)) / 2, atol=1e-12)
    np.testing.assert_allclose(found["cuts"], [found["cut_one"], found["cut_two"]])
    for name in ("right", "wrong"):
        assert found[f"{name}_length"] == pytest.approx(np.linalg.norm(found[name]))


def test_at_first_the_wrong_order_turns_the_step_by_36_degrees_and_halves_it(figure):
    figure.set(one=ONE, two=TWO, c=1.0)
    found = figure.value
    right, wrong = found["right"], found["wrong"]
    cosine = right @ wrong / np.linalg.norm(right) / np.linalg.norm(wrong)
    assert found["turn"] == pytest.approx(np.degrees(np.arccos(cosine)))
    assert round(float(found["turn"])) == 36
    assert round(float(found["wrong_length"]), 2) == 0.51
    assert np.linalg.norm(TWO) < 1 < np.linalg.norm(ONE)


@pytest.mark.parametrize(("one", "two", "c", "words"), [
    (ONE, TWO, 1.0, "Averaged, then clipped, the step is 1.00 long. Clipped, then averaged, it is 0.51 long, and "
     "turned by 36° towards device 2."),
    (TWO, ONE, 1.0, "Averaged, then clipped, the step is 1.00 long. Clipped, then averaged, it is 0.51 long, and "
     "turned by 36° towards device 1."),
    (ONE, TWO, 3.2, "Neither gradient is longer than c = 3.2: both orders give the mean, 1.30 long."),
    (ONE, TWO, 2.0, "The mean is within c = 2, so a clip of it does nothing. Clipped, then averaged, it is "),
    ((2.4, 1.0), (2.4, 1.0), 1.0, "Averaged, then clipped, the step is 1.00 long. Clipped, then averaged, it is 1.00 "
     "long and points the same way."),
    ((1.5, 0.0), (-1.0, 0.0), 1.0, "The mean is within c = 1, so a clip of it does nothing. Clipped, then averaged, "
     "it is 0.00 long: the two cancel."),
])  # fmt: skip
def test_the_sentence_says_what_each_order_does(figure, one, two, c, words):
    figure.set(one=one, two=two, c=c)
    assert figure.sentence.startswith(words)


def test_equally_long_gradients_are_shortened_and_not_turned(figure):
    (equal,) = (preset for preset in figure.spec.presets if preset.label == "equally long")
    figure.set(**equal.settings)
    found = figure.value
    assert found["turn"] < 0.5
    assert found["wrong_length"] < 0.95 * found["right_length"]


def test_the_prediction_hides_all_that_tells(figure):
    asked = figure.describe()["prediction"]
    assert asked["answer"] == "wrong"
    assert {"wrong", "wrong_length", "turn", "cuts", "cut_one", "cut_two", "case"} <= set(
        asked["conceals"]
    )
    json.dumps(asked)
