"""The figure of three logs: its counts are the logs', its AutoClip and ZClip those of the book."""

import jax
import numpy as np
import pytest

from scaleclip import probe
from scaleclip.probe.adaptive import autoclip, zclip
from sccbook.figures.norm_log.figure import HIGH, LOW, RUNS, SLICE
from sccbook.records import load

LOGS = {name: np.array(log["norms"]) for name, log in load("norm_logs")["logs"].items()}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("limit", [0.3, 1.0, 1.75, 20.0])
def test_a_fixed_limit_agrees_with_the_probe(at, run, limit):
    norms = LOGS[run]
    recording, value = probe.load(norms), at(run=run, limit=limit)
    assert value["share_now"] == pytest.approx(100 * recording.share_clipped(limit))
    assert value["kept_now"] == pytest.approx(100 * recording.length_kept(limit))
    assert value["early_now"] == np.sum(norms[:100] > limit)
    assert value["late_now"] == np.sum(norms[-100:] > limit)


@pytest.mark.parametrize("run", RUNS)
def test_autoclip_and_zclip_are_those_of_scaleclip(at, run):
    norms = LOGS[run]
    with jax.enable_x64(True):
        begins, after = map(np.asarray, zclip(norms))
        lefts = {"autoclip": np.minimum(norms, autoclip(norms)), "zclip": after}
    for by, left in lefts.items():
        value = at(run=run, by=by)
        assert value["share_now"] == pytest.approx(100 * np.mean(left < norms))
        assert value["kept_now"] == pytest.approx(100 * left.sum() / norms.sum())
    np.testing.assert_allclose(value["level"], np.clip(begins[::SLICE], LOW, HIGH))
    slices = after.reshape(-1, SLICE)
    np.testing.assert_allclose(value["after"][1::2], np.clip(slices.max(axis=1), LOW, HIGH))


def test_the_answer_is_the_95th_percentile_and_half_of_the_clips_are_in_the_warm_up(at):
    norms, answer = LOGS["language"], float(at()["answer"])
    assert answer == pytest.approx(np.percentile(norms, 95))
    assert at(limit=answer)["share_now"] == pytest.approx(5.0, abs=0.1)
    above = norms > answer
    assert 0.5 <= above[:100].sum() / above.sum() < 0.55
    assert load("norm_logs")["provenance"]["warm_up"] == 100
