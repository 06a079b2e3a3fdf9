"""The clipped cloud: its numbers against NumPy's, its gradients against their formula, its words at the corners."""

import jax
import numpy as np
import pytest

from sccbook.figures.clipped_cloud.figure import (
    BATCHES,
    RARE,
    minibatch_gradients,
    rare_first,
)

pytestmark = pytest.mark.slow


def clipped(c, by):
    g = rare_first()
    if by == "value":
        return np.clip(g, -c, c)
    return g * np.minimum(1, c / np.linalg.norm(g, axis=1, keepdims=True))


@pytest.mark.parametrize("by", ["norm", "value"])
@pytest.mark.parametrize("c", [0.1, 1.0, 2.5, 5.0, 20.0])
def test_the_means_are_those_of_the_formula(at, c, by):
    value, g, k = at(c=c, by=by), rare_first(), clipped(c, by)
    np.testing.assert_allclose(value["clipped"], k, rtol=1e-12, atol=1e-15)
    before, after = g.mean(0), k.mean(0)
    np.testing.assert_allclose([value["before"], value["mean"]], [before, after], rtol=1e-12)
    lengths = np.linalg.norm([before, after], axis=1)
    cosine = np.clip(before @ after / lengths.prod(), -1, 1)
    assert np.cos(np.radians(value["turn"])) == pytest.approx(cosine, abs=1e-12)
    assert value["kept"] == pytest.approx(100 * lengths[1] / lengths[0])


@pytest.mark.parametrize("by", ["norm", "value"])
def test_the_mean_is_the_weighted_mean_of_both_kinds(figure, at, by):
    value, g, k = at(by=by), rare_first(), clipped(1.0, by)
    rare = g[:, 0] > 1
    with jax.enable_x64(True):
        drawn = jax.random.uniform(jax.random.split(jax.random.key(10), 3)[2], (BATCHES,)) < RARE
    np.testing.assert_array_equal(minibatch_gradients()[:, 0] > 1, drawn)
    np.testing.assert_array_equal(rare, np.arange(BATCHES) < rare.sum())
    marks = figure.describe()["view"]["marks"]
    labels = [mark["label"] for mark in marks if mark["kind"] == "cloud"]
    assert labels == [f"{rare.sum()} rare", f"{(~rare).sum()} common"]
    for kinds, mean, of in (("kinds_before", "before", g), ("kinds", "mean", k)):
        np.testing.assert_allclose(value[kinds], [of[rare].mean(0), of[~rare].mean(0)], rtol=1e-12)
        np.testing.assert_allclose([rare.mean(), 1 - rare.mean()] @ value[kinds], value[mean])
    before, after = (np.linalg.norm(value[name], axis=1) for name in ("kinds_before", "kinds"))
    np.testing.assert_allclose(value["kinds_kept"], 100 * after / before)
    assert value["kinds_kept"][0] < 50 < 90 < value["kinds_kept"][1] or by == "value"


def test_the_gradients_are_the_same_whatever_a_reader_has_set():
    g = minibatch_gradients()
    with jax.enable_x64(False):
        minibatch_gradients.cache_clear()
        np.testing.assert_array_equal(minibatch_gradients(), g)


def test_below_half_nearly_all_are_cut_and_the_mean_turns_no_further(figure, at):
    assert f"turns by {at(c=1.0)['turn']:.0f}°" in figure.spec.prediction.question
    assert at(c=0.3)["turn"] - at(c=0.5)["turn"] < 1
    assert np.mean(np.linalg.norm(rare_first(), axis=1) > 0.5) > 0.9


def test_all_gradients_are_in_view_and_so_is_the_ring_that_clips_none(figure):
    g, view = minibatch_gradients(), figure.describe()["view"]
    for axis, (low, high) in enumerate((view["x"], view["y"])):
        assert low < g[:, axis].min() < g[:, axis].max() < high
    assert np.linalg.norm(g, axis=1).max() < figure.spec.controls[0].maximum
