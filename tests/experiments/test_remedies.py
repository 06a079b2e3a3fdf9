"""Test the experiment on the seven remedies, and its records."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from experiments.remedies import long_steps as long_runs
from experiments.remedies import run
from sccbook.models import remedies
from sccbook.records import load

RECORD, LONG_STEPS = load("remedies"), load("long_steps")


def test_a_match_has_the_steps_of_its_clip():
    for arm, of in (("median of clip", "median_step"), ("mean of clip", "mean_step")):
        for limit in run.MATCHED_CLIPS:
            for cell in RECORD.cells(arm=f"{arm} {limit:g}"):
                clip = RECORD.cell(
                    arm="grid", remedy="clip", limit=limit, optimizer="sgd", rate=cell.rate
                )
                expected = np.median(getattr(clip, of))
                np.testing.assert_allclose(cell.median_step, expected, rtol=0.01)
                np.testing.assert_allclose(cell.longest_step, expected, rtol=0.01)


@pytest.mark.slow
def test_only_the_chosen_step_is_changed(monkeypatch) -> None:
    monkeypatch.setattr(long_runs, "STEPS", 4)
    with jax.enable_x64(True):
        begun = jax.vmap(remedies.start)(np.arange(2))
        clipped, same = long_runs.train(begun, long_runs.CLIP)
        for toward in (0, 1, 2):
            seen = long_runs.train(begun, long_runs.CLIP, at=[1, 2], length=3.0, toward=toward)[1]
            agree = seen["norm"] == same["norm"]
            np.testing.assert_array_equal(agree.sum(axis=1), [2, 3])  # until it shows
        once = long_runs.train(begun, long_runs.CLIP, at=[3, 3], length=3.0, toward=1)[0]
    # the last step: 0.1 downhill in one, 3 uphill in the other, so 3.1 apart
    apart = np.linalg.norm(once.params - clipped.params, axis=1)
    np.testing.assert_allclose(apart, 3.1, rtol=1e-6)


def test_every_changed_step_is_as_large_as_its_arm_says():
    for arm in ("against", "uphill", "random", "ordinary"):
        cell = LONG_STEPS.cell(arm=arm, setting=3.0)
        assert set(cell.longest) == {3.0}
        assert len(cell.after) == 64
