"""Test the experiment on the seven remedies, and reproduce a part of its record."""

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
@pytest.mark.parametrize(
    ("remedy", "limit", "optimizer", "rate"),
    [("half", 0.5, "sgd", 0.01), ("clip", 0.1, "sgd", 0.1)],
)
def test_rows_are_reproduced(remedy: str, limit: float, optimizer: str, rate: float) -> None:
    """Two that settle: where a run is chaotic, another machine has another one."""
    wanted = {"remedy": remedy, "limit": limit, "optimizer": optimizer, "rate": rate}
    kept = RECORD.cell(arm="grid", **wanted)
    (found,) = run.train(remedy, [(optimizer, rate, limit)], seeds=range(3))
    np.testing.assert_allclose(found.right, kept.right[:3], atol=0.02)
    np.testing.assert_allclose(found.median_step, kept.median_step[:3], rtol=0.02)
    np.testing.assert_allclose(found.longest_step, kept.longest_step[:3], rtol=0.02)


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


def test_every_changed_step_is_recorded_once():
    cells = LONG_STEPS.cells()
    assert len({cell[:2] for cell in cells}) == len(cells) == 15
    assert {len(cell.end) for cell in cells} == {len(long_runs.SEEDS)}
    assert LONG_STEPS["provenance"]["seeds"] == list(long_runs.SEEDS)
    for arm in ("against", "uphill", "random", "ordinary"):
        cell = LONG_STEPS.cell(arm=arm, setting=3.0)
        assert set(cell.longest) == {3.0}
        assert len(cell.after) == 16
