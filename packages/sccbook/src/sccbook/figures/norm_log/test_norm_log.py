"""The figure of three logs: its counts are the logs', its AutoClip and ZClip those of the book."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from scaleclip import probe
from sccbook.figures import NormLog
from sccbook.figures.norm_log.figure import HIGH, LOW, NORMS, RUNS, SLICE
from scaleclip.probe.adaptive import autoclip, zclip
from sccbook.records import norm_logs
from tests.figure_settings import assert_page_agrees

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("x64")]


@pytest.fixture
def x64():
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("limit", [0.3, 1.0, 1.75, 20.0])
def test_share_and_length_of_a_fixed_limit_are_those_that_the_probe_replays(run, limit):
    norms = norm_logs.norms(run)
    recording = probe.load(norms)
    value = NormLog(run=run, limit=limit).value
    assert value["share_now"] == pytest.approx(100 * recording.share_clipped(limit))
    assert value["kept_now"] == pytest.approx(100 * recording.length_kept(limit))
    assert value["early_now"] == np.sum(norms[:100] > limit)
    assert value["late_now"] == np.sum(norms[-100:] > limit)


@pytest.mark.parametrize("run", RUNS)
def test_the_limits_that_set_themselves_are_the_books(run):
    norms = norm_logs.norms(run)
    left = {"autoclip": np.minimum(norms, autoclip(norms)), "zclip": zclip(norms)[1]}
    for by, after in left.items():
        value = NormLog(run=run, by=by).value
        assert value["share_now"] == pytest.approx(100 * np.mean(after < norms))
        assert value["kept_now"] == pytest.approx(100 * after.sum() / norms.sum())
    begins, after = zclip(norms)
    value = NormLog(run=run, by="zclip").value
    np.testing.assert_allclose(value["level"], np.clip(begins[::SLICE], LOW, HIGH))
    slices = after.reshape(-1, SLICE)
    np.testing.assert_allclose(value["after"][1::2], np.clip(slices.max(axis=1), LOW, HIGH))


def test_the_answer_is_the_95th_percentile_and_half_of_what_is_above_it_is_the_warm_up():
    norms = norm_logs.norms("language")
    value = NormLog().value
    assert value["answer"] == pytest.approx(np.percentile(norms, 95))
    assert NormLog(limit=float(value["answer"])).value["share_now"] == pytest.approx(5.0, abs=0.1)
    above = norms > value["answer"]
    assert 0.5 <= above[:100].sum() / above.sum() < 0.55
    assert norm_logs.provenance()["warm_up"] == 100


def test_of_each_ten_steps_the_shortest_and_the_longest_are_drawn():
    value = NormLog(run="recurrent").value
    slices = NORMS[1].reshape(-1, SLICE)
    np.testing.assert_allclose(value["before"][::2], np.clip(slices.min(axis=1), LOW, HIGH))
    np.testing.assert_allclose(value["before"][1::2], np.clip(slices.max(axis=1), LOW, HIGH))


def test_the_page_computes_what_jax_does(run_in_node):
    settings = [
        {"run": run, "by": by, "limit": limit}
        for run in RUNS
        for by, limit in (("fixed", 0.7), ("autoclip", 1.0), ("zclip", 30.0))
    ]
    assert_page_agrees(NormLog(), settings, run_in_node)
