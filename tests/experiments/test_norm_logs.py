"""What is recorded of norms and of spikes is what their experiment gives again."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.norm_logs import run
from sccbook.records import load

RECORD = load("norm_logs")
LOGS = RECORD["logs"]


def test_every_log_has_a_norm_for_each_step_and_all_are_finite():
    for log in LOGS.values():
        assert len(log["norms"]) == len(log["logged"]) == run.STEPS
        assert np.all(np.isfinite(log["norms"]))
        assert min(log["norms"]) >= 0
    assert list(LOGS) == [*run.RUNS, "language, clipped"]


def test_one_run_was_clipped_at_the_95th_percentile_of_another():
    assert [LOGS[name]["limit"] for name in run.RUNS] == [[]] * 3
    expected = np.percentile(LOGS["language"]["norms"], 95)
    assert LOGS["language, clipped"]["limit"] == [pytest.approx(expected, rel=5e-3)]


def test_every_optimizer_and_every_answer_has_its_seeds():
    spikes = RECORD["spikes"]
    assert list(spikes) == list(run.OPTIMIZERS)
    for by in spikes.values():
        assert list(by) == list(run.ANSWERS)
        assert all(np.shape(right) == (run.SEEDS, len(run.LOOKS)) for right in by.values())
        assert all(0 <= np.min(right) <= np.max(right) <= 1 for right in by.values())


def test_it_names_what_it_was_made_with_and_is_small():
    made = RECORD["provenance"]
    assert made["steps"] == run.STEPS
    assert made["warm_up"] == run.WARM_UP
    assert {"python", "jax", "optax", "commit", "dtype"} <= set(made)


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
