"""The figure of recorded norms: its numbers are the recording's, for any limit and any number of steps."""

import math

import numpy as np
import pytest
from tests.figure_settings import assert_page_agrees

from scaleclip import probe
from scaleclip.figure import RecordedNorms, of

pytestmark = pytest.mark.slow

NORMS = np.exp(np.random.default_rng(0).normal(size=200))


@pytest.mark.parametrize("limit", [0.01, 0.5, 2.0, 1000.0])
def test_share_and_length_are_those_of_the_recording(limit):
    recording = probe.load(NORMS)
    value = RecordedNorms(recording, limit=limit).value
    assert value["share"] == pytest.approx(100 * recording.share_clipped(limit))
    assert value["kept"] == pytest.approx(100 * recording.length_kept(limit))
    np.testing.assert_allclose(value["after"], np.minimum(NORMS, limit))
    assert value["case"] == (1 if limit > NORMS.max() else 2 if value["share"] > 90 else 0)


def test_the_page_computes_what_jax_does(run_in_node):
    settings = [{"limit": c} for c in (1e-3, 0.3, 1.0, 2.5, 30.0)]
    assert_page_agrees(of(NORMS), settings, run_in_node)


def test_the_sentence_says_what_the_limit_does():
    figure = of([1.0, 2.0, 4.0, 1.0], limit=2.0)
    assert (
        figure.sentence
        == "At c = 2 the clip cuts 1 of 4 steps (25.0\N{NO-BREAK SPACE}%) and keeps 75.0\N{NO-BREAK SPACE}% of their total length."
    )
    figure.limit = 4.0
    assert figure.sentence == "No step is longer than c = 4: nothing is clipped. The longest is 4."
    figure.limit = 0.5
    assert figure.sentence.endswith("Under SGD that is nearly a fixed step length: rate × c.")


def test_of_many_steps_the_shortest_and_the_longest_of_each_stretch_are_drawn():
    norms = np.exp(np.random.default_rng(1).normal(size=4096))
    norms[1234] = 1e6
    figure = of(norms)
    drawn = figure.value
    assert len(drawn["before"]) <= 322
    assert 1e6 in drawn["before"]
    assert drawn["before"].min() == norms.min()
    assert drawn["share"] == pytest.approx(100 * np.mean(norms > figure.limit))
    assert "the shortest and the longest are drawn" in figure.spec.look


def test_it_starts_at_the_limit_in_force_or_at_the_95th_percentile():
    assert of(NORMS, limit=2.0).limit == 2.0
    assert of(NORMS).limit == pytest.approx(np.percentile(NORMS, 95), rel=1e-2)
    assert of(NORMS, limit=1e-9).limit == pytest.approx(np.percentile(NORMS, 95), rel=1e-2)


def test_what_is_not_finite_is_left_out_and_said():
    figure = of([1.0, math.nan, 3.0, math.inf, 0.0])
    np.testing.assert_array_equal(figure.value["before"], [1, 3])
    assert "3 norms that are 0, inf or NaN are left out" in figure.spec.note


def test_fewer_than_two_norms_are_no_figure():
    with pytest.raises(ValueError, match="has 1 norms that are finite and above 0; expected two"):
        of([1.0, math.nan])
    shown = RecordedNorms.display(probe.load([1.0, math.nan]))
    assert list(shown) == ["text/plain"]


def test_a_notebook_shows_a_recording_as_its_figure_and_its_table(monkeypatch):
    monkeypatch.setenv("EXPLORAX_OUTPUT", "site")
    recording = probe.load(NORMS)
    data, _ = RecordedNorms.display(recording)
    assert data["text/plain"] == repr(recording)
    assert len(data) == 2


def test_equal_norms_have_an_axis():
    figure = of([3.0, 3.0, 3.0], limit=4.0)
    assert figure.value["clipped"] == 0
    figure.limit = 2.5
    assert figure.value["clipped"] == 3
