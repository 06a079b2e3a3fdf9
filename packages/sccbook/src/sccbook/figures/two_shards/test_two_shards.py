"""Two shards: the numbers against formulas by hand, the words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures.two_shards.figure import ONE, TWO

pytestmark = pytest.mark.slow

SETTINGS = [
    {"one": one, "two": two, "c": c}
    for one, two in ((ONE, TWO), ((-0.9, 1.2), (3.0, -0.4)), ((0.3, 0.2), (-0.3, -0.2)))
    for c in (0.3, 1.0, 3.2)
]


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


def test_at_first_the_wrong_order_turns_the_step_by_36_degrees_and_halves_it(at):
    found = at(one=ONE, two=TWO, c=1.0)
    right, wrong = found["right"], found["wrong"]
    cosine = right @ wrong / np.linalg.norm(right) / np.linalg.norm(wrong)
    assert found["turn"] == pytest.approx(np.degrees(np.arccos(cosine)))
    assert round(float(found["turn"])) == 36
    assert round(float(found["wrong_length"]), 2) == 0.51
    assert np.linalg.norm(TWO) < 1 < np.linalg.norm(ONE)


def test_equally_long_gradients_are_shortened_and_not_turned(figure, at):
    (equal,) = (preset for preset in figure.spec.presets if preset.label == "equally long")
    found = at(**equal.settings)
    assert found["turn"] < 0.5
    assert found["wrong_length"] < 0.95 * found["right_length"]
