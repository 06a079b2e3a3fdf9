"""Two shards: the numbers against formulas by hand, the words at the corners."""

import numpy as np
import pytest

from sccbook.figures.two_shards.figure import ONE, TWO

pytestmark = pytest.mark.slow

SETTINGS = [
    {"one": one, "two": two, "c": c}
    for one, two in ((ONE, TWO), ((-0.9, 1.2), (3.0, -0.4)), ((0.3, 0.2), (-0.3, -0.2)))
    for c in (0.5, 1.0, 3.2)
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
