"""The figure of three logs: its counts are the logs', its AutoClip and ZClip those of the book."""

import jax
import numpy as np
import pytest

from scaleclip import probe
from scaleclip.probe.adaptive import autoclip, zclip
from sccbook.figures.norm_log.figure import RUNS, SLICE, SPAN
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
    acts = np.any((after < norms).reshape(-1, SLICE), axis=1)
    np.testing.assert_array_equal(
        (value["cut"] > value["uncut"])[::2], acts & (value["level"] < SPAN[1])
    )
    assert np.all(value["level"] <= np.clip(begins.reshape(-1, SLICE).max(axis=1), *SPAN))


def test_a_block_reaches_from_the_smallest_norm_to_the_largest_and_is_shaded_above_the_limit(at):
    blocks, value = LOGS["recurrent"].reshape(-1, SLICE), at(run="recurrent", limit=2.0)
    low, high = (np.clip(f(blocks, axis=1), *SPAN) for f in (np.min, np.max))
    found = {name: value[name][::2] for name in ("low", "uncut", "cut")}
    np.testing.assert_allclose(found["low"], low)
    np.testing.assert_allclose(found["uncut"], np.minimum(high, np.maximum(low, 2.0)))
    np.testing.assert_allclose(found["cut"], np.maximum(high, found["uncut"]))
    np.testing.assert_allclose(value["median"], np.clip(np.median(blocks, axis=1), *SPAN))
