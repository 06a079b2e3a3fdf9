"""The network that is trained in the page: as JAX trains it, and its words as the runs end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sccbook.figures import TrainItHere
from sccbook.figures.train_it_here.figure import LEARNT, OUTCOMES, REMEDIES, SEED, STUCK
from sccbook.models import remedies
from tests.figure_settings import assert_calls_agree

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figure() -> Any:
    return TrainItHere(2)


def ended(figure: Any, remedy: str, **settings: Any) -> dict[str, Any]:
    """The results of a run of a remedy at its own limit."""
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    program, values = figure.program, {"limit": limit, "seed": SEED, **settings}
    controls = figure.spec.controls
    found: dict[str, Any] = program(
        *(c.traced({"remedy": remedy, **values}.get(c.name, c.initial)) for c in controls)
    )
    return found


def test_one_step_from_any_carry_on_the_way_is_that_of_jax(figure: Any, run_in_node: Any) -> None:
    program, calls = figure.program, []
    for place, limit in enumerate(remedies.LIMITS):
        for optimizer in range(3):
            values = (place, limit, 0.1, optimizer, SEED)
            carry = program.start(*values)
            for n in range(24):
                if n % 8 == 0:
                    calls.append([carry, *values])
                carry = program.step(carry, *values)["carry"]
    assert_calls_agree(program.step, calls, run_in_node)


def test_with_nothing_done_it_learns_until_one_long_gradient_and_then_guesses(figure: Any) -> None:
    found = ended(figure, "nothing")
    longest = int(np.argmax(found["norm"]))
    assert np.max(found["right"][:longest]) > 60
    assert np.max(found["right"][-200:]) < 35
    assert found["norm"][longest] > 10 * np.median(found["norm"])
    assert found["last_outcome"] == 0


@pytest.mark.parametrize(
    ("remedy", "outcome"), [("clip", 2), ("clip_state", 2), ("normalise", 2), ("columns", 0)]
)
def test_what_the_questions_ask_has_one_answer(figure: Any, remedy: str, outcome: int) -> None:
    found = ended(figure, remedy)
    assert found["last_outcome"] == outcome
    right = found["last_right"] / 100
    assert min(abs(right - LEARNT), abs(right - STUCK)) > 0.04, "not by a hair"


def test_the_outcomes_are_shares_named_right(figure: Any) -> None:
    found = ended(figure, "clip")
    bounds = np.searchsorted([100 * STUCK, 100 * LEARNT], found["right"], side="left")
    np.testing.assert_array_equal(found["outcome"], bounds)
    assert len(OUTCOMES) == 3


def test_the_longest_is_the_longest_so_far(figure: Any) -> None:
    found = ended(figure, "clip")
    np.testing.assert_array_equal(found["longest"], np.maximum.accumulate(found["norm"]))
    np.testing.assert_array_equal(found["farthest"], np.maximum.accumulate(found["stride"]))
    assert found["last_farthest"] == pytest.approx(0.1, rel=1e-9)


def test_the_run_with_nothing_done_stands_behind_the_first(figure: Any) -> None:
    described = figure.describe()["run"]
    (before,) = described["before"]
    assert before["remedy"] == "nothing"
    assert before in [one["settings"] for one in described["recorded"]]


def test_every_question_keeps_the_runs_back_and_names_a_remedy():
    for name in ("", "columns", "normalise"):
        asked = TrainItHere(2, ask=name).describe()["prediction"]
        assert {"right", "right_at", "last_right", "case", "norm", "longest"} <= set(
            asked["conceals"]
        )
        assert asked["settings"]["remedy"] in REMEDIES
