"""What is recorded of norms and of spikes is what their experiment gives again."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.norm_logs import run
from sccbook.records import norm_logs

LOGS = (*norm_logs.NAMES, "language, clipped")


def test_every_log_has_a_norm_for_each_step_and_all_are_finite():
    for name in LOGS:
        norms = norm_logs.norms(name)
        assert norms.shape == norm_logs.logged(name).shape == (run.STEPS,)
        assert np.all(np.isfinite(norms))
        assert np.all(norms >= 0)
    assert tuple(run.RUNS) == norm_logs.NAMES


def test_one_run_was_clipped_at_the_95th_percentile_of_another():
    assert [norm_logs.limit(name) for name in norm_logs.NAMES] == [np.inf] * 3
    expected = np.percentile(norm_logs.norms("language"), 95)
    assert norm_logs.limit("language, clipped") == pytest.approx(expected, rel=5e-3)


def test_every_optimizer_and_every_answer_has_its_seeds():
    spikes = norm_logs.spikes()
    assert list(spikes) == list(run.OPTIMIZERS)
    for by in spikes.values():
        assert list(by) == list(run.ANSWERS)
        assert all(right.shape == (run.SEEDS, len(run.LOOKS)) for right in by.values())
        assert all(np.all((right >= 0) & (right <= 1)) for right in by.values())


def test_it_names_what_it_was_made_with_and_is_small():
    made = norm_logs.provenance()
    assert made["steps"] == run.STEPS
    assert made["warm_up"] == run.WARM_UP
    assert {"python", "jax", "optax", "commit", "dtype"} <= set(made)
    assert norm_logs.PATH.stat().st_size < 60_000


def test_logs_are_read_as_they_were_written():
    text = norm_logs.written(
        norm_logs.provenance(),
        {"policy": {"norms": [1.0], "logged": [0.5], "limit": []}},
        {"SGD": {"clip": [[0.5, 1.0]]}},
    )
    assert text.startswith('{"provenance"')
    assert '"policy": {"norms":[1.0],"logged":[0.5],"limit":[]}' in text
    with pytest.raises(ValueError, match="There is no log 'vision'; expected one of 'language'"):
        norm_logs.norms("vision")


@pytest.mark.exhaustive
def test_the_first_norms_of_two_runs_are_reproduced():
    for name in ("recurrent", "policy"):
        norms, _ = run.train(name, steps=20)
        np.testing.assert_allclose(norms[:8], norm_logs.norms(name)[:8], rtol=0.02)


@pytest.mark.exhaustive
def test_the_transformers_first_norms_are_reproduced():
    norms, _ = run.train("language", steps=30)
    np.testing.assert_allclose(norms[:10], norm_logs.norms("language")[:10], rtol=0.05)


@pytest.mark.exhaustive
def test_a_spike_that_adam_sees_and_one_that_is_clipped_are_reproduced():
    for answer in ("nothing", "clip"):
        found = run.spiked("Adam, beta2 = 0.999", answer, seeds=3)
        kept = norm_logs.spikes()["Adam, beta2 = 0.999"][answer][:3]
        np.testing.assert_allclose(found, kept, atol=0.05)
