"""What is recorded of the policy gradient is what its experiment gives again."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.policy_clips import run
from sccbook.models import policy
from sccbook.records import load

RECORD = load("policy_clips")


def test_every_arm_of_the_protocol_is_recorded_once():
    cells = RECORD.cells()
    assert len({cell[:5] for cell in cells}) == len(cells) == 27
    for optimizer, rates in run.RATES.items():
        for surrogate in policy.SURROGATES:
            for limit in run.LIMITS:
                found = RECORD.cells(
                    surrogate=surrogate, limit=limit, optimizer=optimizer, epochs=policy.EPOCHS
                )
                assert [cell.rate for cell in found] == list(rates)
    assert len(RECORD.cells(epochs=1)) == len(policy.SURROGATES)


def test_it_names_what_it_was_made_with():
    made = RECORD["provenance"]
    assert made["seeds"] == list(run.SEEDS)
    assert (made["batches"], made["dtype"]) == (run.BATCHES, "float64")


@pytest.mark.exhaustive
def test_a_row_that_settles_is_reproduced():
    kept = RECORD.cell(surrogate="ppo", limit=0.0, optimizer="sgd", rate=3.0)
    found = run.train("ppo", 0.0, "sgd", 3.0, policy.EPOCHS, seeds=range(2))
    np.testing.assert_allclose(found.reward, kept.reward[:2], atol=0.5)
    np.testing.assert_allclose(found.largest, kept.largest[:2], rtol=0.05)
