"""The network that is trained in the page: as JAX trains it, and its words as the runs end."""

import jax
import numpy as np
import pytest
from tests.figure_settings import assert_steps_agree, ended

from sccbook.figures.train_it_here.figure import LEARNT, LOOKED, NOISE, STUCK, SYMBOLS, remembered
from sccbook.models import remedies
from tests.tiers import some_now

pytestmark = pytest.mark.slow

LIMITS = dict(zip(remedies.REMEDIES, remedies.LIMITS, strict=True))


def end_of(figure, remedy):
    """Train with a remedy at its own limit."""
    return ended(figure, remedy=remedy, limit=LIMITS[remedy])


@pytest.mark.parametrize("optimizer", some_now(remedies.OPTIMIZERS, "adam"))
def test_one_step_from_any_carry_on_the_way_is_that_of_jax(figure, optimizer, run_in_node):
    runs = [
        {"remedy": remedy, "limit": limit, "optimizer": optimizer}
        for remedy, limit in LIMITS.items()
    ]
    assert_steps_agree(figure, runs, run_in_node, steps=9, every=8)


def test_without_a_remedy_one_large_gradient_ends_learning(figure):
    found = end_of(figure, "nothing")
    longest = int(np.argmax(found["norm"]))
    assert np.max(found["right"][:longest]) > 60
    assert np.max(found["right"][-200:]) < 35
    assert found["norm"][longest] > 10 * np.median(found["norm"])
    assert found["last_outcome"] == 0


@pytest.mark.parametrize(
    ("remedy", "outcome"), [("clip", 2), ("clip_state", 2), ("normalise", 2), ("columns", 0)]
)
def test_questions_have_clear_answers(figure, remedy, outcome):
    found = end_of(figure, remedy)
    assert found["last_outcome"] == outcome
    right = found["last_right"] / 100
    assert min(abs(right - LEARNT), abs(right - STUCK)) > 0.04, "not by a hair"


def test_outcomes_are_shares_right_and_largest_so_far_is_kept(figure):
    found = end_of(figure, "clip")
    bounds = np.searchsorted([100 * STUCK, 100 * LEARNT], found["right"], side="left")
    np.testing.assert_array_equal(found["outcome"], bounds)
    np.testing.assert_array_equal(found["longest"], np.maximum.accumulate(found["norm"]))
    np.testing.assert_array_equal(found["farthest"], np.maximum.accumulate(found["stride"]))
    assert found["last_farthest"] == pytest.approx(0.1, rel=1e-9)


def test_what_is_remembered_is_how_far_apart_the_states_are():
    with jax.enable_x64(True):
        params = remedies.unflatten(remedies.start(4).params)
        found = remembered(params)
    params = {name: np.asarray(leaf) for name, leaf in params.items()}
    states = []
    for symbol in np.eye(4):
        h, course = np.zeros(16), []
        for n, noise in enumerate(NOISE):
            x = noise + (n == 0) * symbol
            h = np.tanh(x @ params["w_in"] + h @ params["w"] + params["b"])
            course.append(h)
        states.append(course)
    for i, name in enumerate(SYMBOLS.lower()):
        for n, step in enumerate(LOOKED):
            apart = [np.linalg.norm(states[i][step - 1] - other[step - 1]) for other in states]
            assert found[f"apart_{name}"][n] == pytest.approx(sorted(apart)[1])
        odds = np.exp(states[i][-1] @ params["w_out"] + params["b_out"])
        np.testing.assert_allclose(found[f"named_{name}"], odds / odds.sum())


def test_a_network_that_fails_forgets_and_one_that_learns_remembers(figure):
    for remedy, low, high in (("nothing", 0, 0.1), ("clip", 1, 8)):
        found = end_of(figure, remedy)
        kept = [found[f"last_apart_{name}_{len(LOOKED)}"] for name in SYMBOLS.lower()]
        assert low < min(kept) < max(kept) < high
        right = [found[f"last_named_{name}_{i}"] for i, name in enumerate(SYMBOLS.lower(), 1)]
        assert (min(right) > 0.9) == (remedy == "clip")
