"""Test the experiment on clips at matched step length, and its record."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.matched_clips import run
from sccbook.records import load

RECORD = load("matched_clips")


def test_mean_steps_match_and_equal_steps_are_exact():
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
