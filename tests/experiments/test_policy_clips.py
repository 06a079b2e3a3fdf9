"""Test the experiment on the clipped policy gradient, and reproduce a part of its record."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.policy_clips import run
from sccbook.models import policy
from sccbook.records import load

RECORD = load("policy_clips")


@pytest.mark.exhaustive
def test_a_row_that_settles_is_reproduced():
    kept = RECORD.cell(surrogate="ppo", limit=0.0, optimizer="sgd", rate=3.0)
    found = run.train("ppo", 0.0, "sgd", 3.0, policy.EPOCHS, seeds=range(2))
    np.testing.assert_allclose(found.reward, kept.reward[:2], atol=0.5)
    np.testing.assert_allclose(found.largest, kept.largest[:2], rtol=0.05)
