"""The policy gradient that is trained in the page: as JAX trains it, and its words as the runs end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sccbook.figures import PolicyRun
from sccbook.figures.policy_run.figure import OUTCOMES, RATE, SEED
from sccbook.models import policy
from tests.figure_settings import assert_calls_agree

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figure() -> Any:
    return PolicyRun(2)


def ended(figure: Any, **settings: Any) -> dict[str, Any]:
    """The results of a run."""
    controls = figure.spec.controls
    found: dict[str, Any] = figure.program(
        *(c.traced(settings.get(c.name, c.initial)) for c in controls)
    )
    return found


def test_one_step_from_any_carry_on_the_way_is_that_of_jax(figure: Any, run_in_node: Any) -> None:
    program, calls = figure.program, []
    for surrogate in range(len(policy.SURROGATES)):
        for clip, optimizer, epochs in ((0, 0, 16), (1, 1, 5)):
            values = (surrogate, clip, 0.5, epochs, optimizer, SEED)
            carry = program.start(*values)
            for n in range(4):
                if n % 2 == 0:
                    calls.append([carry, *values])
                carry = program.step(carry, *values)["carry"]
    assert_calls_agree(program.step, calls, run_in_node)


def test_with_the_plain_ratio_it_climbs_and_falls_in_the_batch_of_the_largest_ratio(
    figure: Any,
) -> None:
    found = ended(figure)
    fall = int(np.argmin(np.diff(found["reward"]))) + 1
    assert found["reward"][fall - 1] > 85
    assert found["reward"][fall] < 45
    assert fall == np.argmax(found["ratio"])
    assert found["ratio"][fall] > 1000
    assert found["last_reward"] < 60


@pytest.mark.parametrize(("surrogate", "outcome"), [("ppo", 1), ("cispo", 2)])
def test_what_the_questions_ask_has_one_answer(figure: Any, surrogate: str, outcome: int) -> None:
    found = ended(figure, surrogate=surrogate)
    assert found["last_outcome"] == outcome
    assert found["last_reward"] > 95
    assert min(abs(np.log(found["last_largest"] / bound)) for bound in (1.2, 100.0)) > 0.5


def test_a_clip_of_the_norm_rescues_the_plain_ratio_and_never_acts_on_ppo(figure: Any) -> None:
    assert ended(figure, clip="on")["last_reward"] > 90
    both = [ended(figure, surrogate="ppo", clip=clip)["reward"] for clip in ("on", "off")]
    np.testing.assert_array_equal(*both)


def test_the_largest_is_the_largest_so_far(figure: Any) -> None:
    found = ended(figure)
    np.testing.assert_array_equal(found["largest"], np.maximum.accumulate(found["ratio"]))
    assert len(OUTCOMES) == 3


def test_every_question_keeps_the_runs_back_and_asks_at_the_rate_that_fails():
    for name, surrogate in (("", "ppo"), ("cispo", "cispo")):
        asked = PolicyRun(2, ask=name).describe()["prediction"]
        assert {"reward", "ratio", "last_ratio", "largest", "case"} <= set(asked["conceals"])
        assert asked["settings"]["surrogate"] == surrogate
        assert asked["settings"]["rate"] == RATE
