"""What is recorded of clips at matched step length is what their experiment gives again."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.matched_clips import run
from sccbook.records import load

RECORD = load("matched_clips")


def test_every_arm_of_the_protocol_is_recorded_once():
    cells = RECORD.cells()
    assert len({cell[:3] for cell in cells}) == len(cells) == 18
    for target in run.TARGETS:
        for direction in run.DIRECTIONS:
            found = RECORD.cells(direction=direction, target=target)
            wanted = ["own"] if direction == "global" else ["own", "equal"]
            assert [cell.lengths for cell in found] == wanted
    assert all(len(cell.loss) == len(run.SEEDS) for cell in cells)


def test_it_names_what_it_was_made_with():
    made = RECORD["provenance"]
    assert made["seeds"] == list(run.SEEDS)
    assert (made["steps"], made["last"], made["dtype"]) == (run.STEPS, run.LAST, "float64")


def test_mean_steps_are_matched_and_equal_ones_are_all_of_the_targets_length():
    for cell in RECORD.cells():
        apart = 0.045 if (cell.direction, cell.lengths) != ("plain", "own") else 0.05
        assert np.median(cell.mean_step) == pytest.approx(cell.target, rel=apart)
        if cell.lengths == "equal":
            np.testing.assert_allclose(cell.longest_step, cell.target, rtol=1e-3)
        if cell.direction in ("plain", "global"):
            assert max(cell.turn) < 1e-3


def test_a_polar_factor_has_singular_values_of_one():
    m = jnp.array(np.random.default_rng(0).normal(size=(4, 3)), jnp.float32)
    np.testing.assert_allclose(jnp.linalg.svd(run.polar(m))[1], 1, rtol=1e-5)
    np.testing.assert_allclose(jnp.linalg.norm(run.polar(m[:, 0])), 1, rtol=1e-5)


@pytest.mark.exhaustive
def test_a_row_that_settles_is_reproduced():
    kept = RECORD.cell(direction="global", target=0.06)
    found = run.train("global", False, 0.06, kept.rate, seeds=range(2))
    np.testing.assert_allclose(found.right, kept.right[:2], atol=0.02)
    np.testing.assert_allclose(found.mean_step, kept.mean_step[:2], rtol=0.08)
