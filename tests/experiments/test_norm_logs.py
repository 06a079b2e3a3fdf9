"""Test the experiment on gradient norms and spikes, and reproduce a part of its record."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.norm_logs import run
from sccbook.records import load

RECORD = load("norm_logs")
LOGS = RECORD["logs"]


def test_one_run_was_clipped_at_the_95th_percentile_of_another():
    assert [LOGS[name]["limit"] for name in run.RUNS] == [[]] * 3
    expected = np.percentile(LOGS["language"]["norms"], 95)
    assert LOGS["language, clipped"]["limit"] == [pytest.approx(expected, rel=5e-3)]


@pytest.mark.exhaustive
def test_the_first_norms_of_two_runs_are_reproduced():
    for name in ("recurrent", "policy"):
        norms, _ = run.train(name, steps=20)
        np.testing.assert_allclose(norms[:8], LOGS[name]["norms"][:8], rtol=0.02)


@pytest.mark.exhaustive
def test_the_transformers_first_norms_are_reproduced():
    norms, _ = run.train("language", steps=30)
    np.testing.assert_allclose(norms[:10], LOGS["language"]["norms"][:10], rtol=0.05)


@pytest.mark.exhaustive
def test_a_spike_that_adam_sees_and_one_that_is_clipped_are_reproduced():
    for answer in ("nothing", "clip"):
        found = run.spiked("Adam, beta2 = 0.999", answer, seeds=3)
        kept = RECORD["spikes"]["Adam, beta2 = 0.999"][answer][:3]
        np.testing.assert_allclose(found, kept, atol=0.05)
