"""The ledger: its cells, their sums and mean are one set of numbers, the river's; its words at the corners."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from sccbook.figures import LinkedLedger, UnrolledFlow
from sccbook.figures.linked_ledger.figure import ALIGNED, MOST
from scaleclip.ledger import PLACEMENTS, coefficients

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
    np.testing.assert_allclose(found["entries"], through.sum(), atol=1e-12)


@pytest.mark.parametrize(("scale", "gain"), [(0.5, 1.0), (1.0, 1.0), (0.5, 2.0), (0.3, 0.9)])
def test_the_mean_is_the_closed_form_for_every_k(figure, scale, gain):
    rho = scale * gain
    for steps in range(1, MOST + 1):
        figure.set(scale=scale, gain=gain, steps=steps, placement="after_heads")
        reached = np.arange(1, steps + 1)
        closed = np.mean((1 - rho**reached) / (1 - rho) if rho != 1 else reached)
        assert figure.value["total"] == pytest.approx(closed, rel=1e-12)
        figure.set(placement="before_heads")
        assert figure.value["total"] == pytest.approx(scale * closed, rel=1e-12)


def test_mean_and_sums_stay_below_the_bound_while_there_is_one(figure):
    for scale, gain in ((0.5, 1.0), (0.9, 1.0), (0.5, 1.9)):
        means = []
        for steps in range(1, MOST + 1):
            figure.set(scale=scale, gain=gain, steps=steps, placement="after_heads")
            found = figure.value
            means.append(found["total"])
            for name in ("total", "sent", "received"):
                assert np.all(found[name] < found["bound"])
        assert np.all(np.diff(means) > 0)
    figure.set(scale=0.5, gain=2.0)
    assert figure.value["bound"] == np.inf


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_it_says_what_the_river_of_chapter_01_says(figure, settings):
    figure.set(**settings)
    river = UnrolledFlow(stage=3, **settings).value
    for name in ("total", "product", "bound"):
        np.testing.assert_allclose(figure.value[name], river[name], rtol=1e-12)
    for name in ("contributions", "sent", "received"):
        mine = figure.value[name]
        same = river[name][tuple(map(slice, mine.shape))]
        np.testing.assert_allclose(mine, same, rtol=1e-12)


@pytest.mark.parametrize(
    ("settings", "place"), [({}, 1), ({"scale": 1.0}, 3), ({"scale": 0.0}, 0), ({"scale": 0.57}, 2)]
)
def test_the_answer_is_the_nearest_of_the_options(settings, place):
    figure = LinkedLedger(steps=10, **settings)
    assert figure.value["answer"] == place
    assert figure.spec.prediction.options[place] == f"{ALIGNED[place]:g}"


@pytest.mark.parametrize(("settings", "words"), [
    ({}, "rows and columns add up to 1.67 on average. More losses bring them closer to 2,"),
    ({"scale": 0.01}, "add up to just below 1.01. No sum gets there"),
    ({"scale": 0.0}, "each loss reaches its own application alone"),
    ({"scale": 1.0}, "sρ\u00a0=\u00a01 leaves no bound"),
    ({"gain": 2.0, "scale": 0.6}, "grows geometrically with K, because sρ\u00a0=\u00a01.2"),
    ({"placement": "off"}, "With no scale, gain 1 and K = 6, rows"),
    ({"placement": "before_heads", "scale": 0.0}, "every cell is 0"),
])  # fmt: skip
def test_the_sentence_names_the_regime(settings, words):
    assert words in LinkedLedger(**settings).sentence


def test_no_sentence_names_a_mean_that_is_written_as_its_bound():
    figure = LinkedLedger()
    for scale in np.arange(0.01, 1.0, 0.07):
        for gain in (0.05, 0.5, 1.0):
            figure.set(scale=float(scale), gain=gain, steps=MOST)
            near = f"{figure.value['total']:.2f}" == f"{figure.value['bound']:.2f}"
            assert ("just below" in figure.sentence) == near
