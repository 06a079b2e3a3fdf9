"""The clipped cloud: its numbers against NumPy's, its gradients against their formula, its words at the corners."""

from __future__ import annotations

import json

import jax
import numpy as np
import pytest

from sccbook.figures import ClippedCloud
from sccbook.figures.clipped_cloud.figure import BATCHES, CONTROLS, RARE, minibatch_gradients, rare_first

pytestmark = pytest.mark.slow


def clipped(c, by):
    g = rare_first()
    if by == "value":
        return np.clip(g, -c, c)
    return g * np.minimum(1, c / np.linalg.norm(g, axis=1, keepdims=True))


@pytest.mark.parametrize("by", ["norm", "value"])
@pytest.mark.parametrize("c", [0.1, 1.0, 2.5, 5.0, 20.0])
def test_the_means_are_those_of_the_formula(c, by):
    value, g, k = ClippedCloud(c=c, by=by).value, rare_first(), clipped(c, by)
    np.testing.assert_allclose(value["clipped"], k, rtol=1e-12, atol=1e-15)
    before, after = g.mean(0), k.mean(0)
    np.testing.assert_allclose(value["before"], before, rtol=1e-12)
    np.testing.assert_allclose(value["mean"], after, rtol=1e-12)
    lengths = np.linalg.norm(before), np.linalg.norm(after)
    cosine = np.clip(before @ after / lengths[0] / lengths[1], -1, 1)
    assert np.cos(np.radians(value["turn"])) == pytest.approx(cosine, abs=1e-12)
    assert value["kept"] == pytest.approx(100 * lengths[1] / lengths[0])


@pytest.mark.parametrize("by", ["norm", "value"])
def test_each_mean_of_all_lies_between_those_of_the_kinds_as_their_numbers_say(by):
    value, g, k = ClippedCloud(by=by).value, rare_first(), clipped(1.0, by)
    rare = g[:, 0] > 1
    with jax.enable_x64(True):
        drawn = jax.random.uniform(jax.random.split(jax.random.key(10), 3)[2], (BATCHES,)) < RARE
    np.testing.assert_array_equal(minibatch_gradients()[:, 0] > 1, drawn)
    np.testing.assert_array_equal(rare, np.arange(BATCHES) < rare.sum())
    labels = [
        mark["label"]
        for mark in ClippedCloud().describe()["view"]["marks"]
        if mark["kind"] == "cloud"
    ]
    assert labels == [f"{rare.sum()} rare", f"{(~rare).sum()} common"]
    for kinds, mean, of in (("kinds_before", "before", g), ("kinds", "mean", k)):
        np.testing.assert_allclose(value[kinds], [of[rare].mean(0), of[~rare].mean(0)], rtol=1e-12)
        np.testing.assert_allclose(
            np.array([rare.mean(), 1 - rare.mean()]) @ value[kinds], value[mean]
        )
    lengths = np.linalg.norm(value["kinds"], axis=1) / np.linalg.norm(value["kinds_before"], axis=1)
    np.testing.assert_allclose(value["kinds_kept"], 100 * lengths)
    assert value["kinds_kept"][0] < 50 < 90 < value["kinds_kept"][1] or by == "value"


def test_no_gradient_turns_by_norm_and_their_mean_does():
    value = ClippedCloud().value
    g, k = value["gradients"], value["clipped"]
    np.testing.assert_allclose(g[:, 0] * k[:, 1], g[:, 1] * k[:, 0], atol=1e-14)
    assert np.all(np.linalg.norm(k, axis=1) <= 1 + 1e-12)
    assert value["turn"] > 30
    assert value["kept"] < 90


def test_by_value_single_gradients_turn_and_stay_in_the_box():
    figure = ClippedCloud(by="value")
    value = figure.value
    g, k = value["gradients"], value["clipped"]
    assert np.max(np.abs(g[:, 0] * k[:, 1] - g[:, 1] * k[:, 0])) > 0.1
    assert np.max(np.abs(k)) == 1
    assert value["box"] == 1
    figure.by = "norm"
    assert figure.value["box"] == 0


def test_the_gradients_are_those_of_least_squares_and_long_ones_point_elsewhere():
    g = minibatch_gradients()
    with jax.enable_x64(False):  # whatever a reader has set
        minibatch_gradients.cache_clear()
        np.testing.assert_array_equal(minibatch_gradients(), g)
    assert g.shape == (200, 2)
    assert g.dtype == np.float64
    long = np.linalg.norm(g, axis=1) > 1.75
    assert 0.2 < long.mean() < 0.35
    assert np.all(g[long, 0] > 1)
    assert np.all(g[~long, 1] > 0)


def test_all_gradients_are_in_view_and_so_is_the_ring_that_clips_none():
    g, view = minibatch_gradients(), ClippedCloud().describe()["view"]
    for axis, (low, high) in enumerate((view["x"], view["y"])):
        assert low < g[:, axis].min()
        assert g[:, axis].max() < high
    assert np.linalg.norm(g, axis=1).max() < CONTROLS[0].maximum


def test_the_figure_says_when_nothing_is_cut_and_when_nothing_is_left():
    assert ClippedCloud().sentence.startswith("By norm, c = 1: ")
    assert ClippedCloud(by="value").sentence.startswith("By value, c = 1: ")
    for by in ("norm", "value"):
        assert "no gradient is clipped" in ClippedCloud(c=20.0, by=by).sentence
        nothing = ClippedCloud(c=0.0, by=by)
        assert "nothing is left" in nothing.sentence
        assert all(np.all(np.isfinite(result)) for result in nothing.value.values())


def test_the_prediction_asks_for_the_mean_and_hides_it():
    described = ClippedCloud().describe()
    asked = described["prediction"]
    assert asked["answer"] == "mean"
    assert asked["settings"] == {"c": 1.0, "by": "norm"}
    assert {"mean", "turn", "kept", "kinds", "kinds_kept"} == set(asked["conceals"])
    json.dumps(described)
