"""The linked ledger: triangle, river and curve are one set of numbers; its words at the corners."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from gradlab.figures import LinkedLedger, UnrolledFlow
from gradlab.figures.linked_ledger import ALIGNED, MOST, REACH
from gradlab.unroll import PLACEMENTS, coefficients
from gradlab.unroll.linear import total_coefficient

pytestmark = pytest.mark.slow

SETTINGS = [
    {"scale": scale, "gain": gain, "steps": steps, "placement": placement}
    for placement in PLACEMENTS
    for scale, gain, steps in ((0.5, 1.0, 6), (0.5, 2.0, 10), (0.0, 1.0, 4), (0.8, 0.7, 1))
]


@pytest.fixture(scope="module")
def figure():
    return LinkedLedger()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_triangle_is_scale_and_gain_to_the_gates_on_the_way(figure, settings):
    figure.set(**settings)
    steps, found = settings["steps"], figure.value
    with jax.enable_x64(True):
        factors, _ = coefficients(steps, settings["scale"], settings["placement"], np.ones(steps))
    k = np.arange(steps)
    through = np.asarray(factors) * settings["gain"] ** np.maximum(k[:, None] - k, 0.0)
    np.testing.assert_allclose(found["contributions"][:steps, :steps], through, atol=1e-12)
    assert not found["contributions"][steps:].any()
    np.testing.assert_allclose(found["sent"][:steps], through.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(found["received"][:steps], through.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(found["total"], through.sum() / steps, atol=1e-12)
    np.testing.assert_allclose(found["curve"][steps - 1], found["total"], atol=1e-12)


@pytest.mark.parametrize(("scale", "gain"), [(0.5, 1.0), (1.0, 1.0), (0.5, 2.0), (0.3, 0.9)])
def test_the_curve_is_the_closed_form_for_every_k(figure, scale, gain):
    figure.set(scale=scale, gain=gain, steps=3, placement="after_heads")
    rho = scale * gain
    closed = [
        sum((K - lag) * rho**lag for lag in range(K)) / K for K in range(1, REACH + 1)
    ]  # lag l stands on K - l places of the triangle
    with jax.enable_x64(True):
        assert closed[-1] == pytest.approx(float(total_coefficient(REACH, rho)), rel=1e-12)
    np.testing.assert_allclose(figure.value["curve"], closed, rtol=1e-12)
    figure.set(placement="before_heads")
    np.testing.assert_allclose(figure.value["curve"], scale * np.array(closed), rtol=1e-12)


def test_the_curve_stays_below_its_bound_while_there_is_one(figure):
    for scale, gain in ((0.5, 1.0), (0.9, 1.0), (0.5, 1.9)):
        figure.set(scale=scale, gain=gain, steps=MOST, placement="after_heads")
        assert np.all(figure.value["curve"] < figure.value["bound"])
        assert np.all(np.diff(figure.value["curve"]) > 0)
    figure.set(scale=0.5, gain=2.0)
    assert figure.value["bound"] == np.inf


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_it_says_what_the_river_of_chapter_01_says(figure, settings):
    figure.set(**settings)
    river = UnrolledFlow(stage=3, **settings).value
    for name in ("total", "product", "bound", "reference", "case"):
        np.testing.assert_allclose(figure.value[name], river[name], rtol=1e-12)
    np.testing.assert_allclose(figure.value["arrivals"], river["arrivals"][:MOST, :MOST])
    np.testing.assert_allclose(figure.value["root"], river["root"][:MOST])


@pytest.mark.parametrize(
    ("settings", "place"), [({}, 1), ({"scale": 1.0}, 3), ({"scale": 0.0}, 0), ({"scale": 0.57}, 2)]
)
def test_the_answer_is_the_nearest_of_the_options(settings, place):
    figure = LinkedLedger(steps=MOST, **settings)
    assert figure.value["answer"] == place
    assert figure.spec.prediction.options[place].startswith(f"{ALIGNED[place]:g}")


@pytest.mark.parametrize(("settings", "words"), [
    ({}, "the rows add up to 1.67 on average, and so do the columns: less than 2,"),
    ({"scale": 0.0}, "each loss reaches only its own application"),
    ({"scale": 1.0}, "without bound"),
    ({"gain": 2.0, "scale": 0.6}, "grows geometrically with K: sρ\u00a0=\u00a01.2"),
    ({"placement": "off"}, "With no scale, gain 1 and K = 6"),
    ({"placement": "before_heads", "scale": 0.0}, "θ receives nothing"),
])  # fmt: skip
def test_the_sentence_names_the_regime(settings, words):
    assert words in LinkedLedger(**settings).sentence
