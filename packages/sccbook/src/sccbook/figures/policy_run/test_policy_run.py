"""The policy gradient that is trained in the page: as JAX trains it, and its words as the runs end."""

import numpy as np
import pytest
from tests.figure_settings import assert_steps_agree, ended

from sccbook.models import policy

pytestmark = pytest.mark.slow


def test_one_step_from_any_carry_on_the_way_is_that_of_jax(figure, run_in_node):
    runs = [
        {
            "surrogate": surrogate,
            "clip": clip,
            "rate": 0.5,
            "epochs": epochs,
            "optimizer": optimizer,
        }
        for surrogate in policy.SURROGATES
        for clip, optimizer, epochs in (("off", "sgd", 16), ("on", "adam", 5))
    ]
    assert_steps_agree(figure, runs, run_in_node, steps=4, every=2)


@pytest.mark.parametrize(("surrogate", "outcome"), [("ppo", 1), ("cispo", 2)])
def test_questions_have_clear_answers(figure, surrogate, outcome):
    found = ended(figure, surrogate=surrogate)
    assert found["last_outcome"] == outcome
    assert found["last_reward"] > 95
    assert min(abs(np.log(found["last_largest"] / bound)) for bound in (1.2, 100.0)) > 0.5


def test_the_policy_that_is_drawn_earns_what_is_said(figure):
    found = ended(figure, surrogate="ppo")
    rows = [f"last_policy_{n + 1}" for n in range(policy.CONTEXTS)]
    likely = np.array([[found[f"{row}_{j + 1}"] for j in range(policy.ACTIONS)] for row in rows])
    np.testing.assert_allclose(likely.sum(axis=1), 1)
    earned = np.mean(np.sum(likely * policy.REWARDS, axis=1))
    best = np.mean(policy.REWARDS.max(axis=1))
    assert 100 * earned / best == pytest.approx(found["last_reward"])
