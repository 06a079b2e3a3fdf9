"""Two gradients on their way back: against a loop by hand in NumPy, and the words."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures import GrowthOnTheWay
from sccbook.figures.growth_on_the_way.figure import SYMBOLS, untrained
from sccbook.models import recall

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figure():
    return GrowthOnTheWay()


def by_hand(symbol, c):
    """What arrives at each state, and what goes on from there, the last step's first."""
    p = untrained()
    states = [np.zeros(recall.UNITS)]
    for step in range(recall.STEPS):
        x = p["w_in"][symbol] if step == 0 else 0.0
        states.append(np.tanh(x + states[-1] @ p["w"] + p["b"]))
    logits = states[-1] @ p["w_out"] + p["b_out"]
    shares = np.exp(logits - logits.max())
    back, found = p["w_out"] @ (shares / shares.sum() - np.eye(recall.SYMBOLS)[symbol]), []
    for h in reversed(states[1:]):
        arriving = p["w"] @ (back * (1 - h**2))
        back = arriving * min(1.0, c / np.linalg.norm(arriving))
        found.append((np.linalg.norm(arriving), np.linalg.norm(back)))
    return np.array(found)


@pytest.mark.parametrize("c", [0.2, 0.7, 1.6, 10.0])
def test_each_gradient_is_clipped_at_every_state(figure, c):
    figure.set(c=c)
    value = figure.value
    for n in SYMBOLS:
        found = by_hand(n - 1, c)
        np.testing.assert_allclose(value[f"way{n}"], found.ravel(), rtol=1e-9)
        np.testing.assert_allclose(value[f"cut{n}"], found[:, 1], rtol=1e-9)
        np.testing.assert_allclose(value[f"free{n}"], by_hand(n - 1, np.inf)[:, 1], rtol=1e-9)
        assert value[f"held{n}"] == np.sum(found[:, 0] > c)
    np.testing.assert_array_equal(value["limit"], c)


def test_of_the_four_symbols_the_two_that_end_longest_and_shortest_are_shown():
    ends = [by_hand(symbol, np.inf)[-1, 1] for symbol in range(recall.SYMBOLS)]
    assert (np.argmin(ends) + 1, np.argmax(ends) + 1) == SYMBOLS


def test_what_would_be_without_the_clip_is_drawn_beside_what_is_clipped_alone(figure):
    shown = {s.value: s.when for s in figure.spec.view.series if s.when}
    assert shown == {"free3": "parted3", "free2": "parted2"}
    for c, held in ((10.0, (0, 0)), (8.0, (0, 1)), (1.6, (0, 11)), (0.4, (3, 15))):
        figure.set(c=c)
        value = figure.value
        assert (value["held2"], value["held3"]) == held
        for n in SYMBOLS:
            others = np.abs(value[f"free{n}"] - value[f"cut{n}"])[:-1] > 1e-9
            assert bool(value[f"parted{n}"]) == others.any()
            assert not others.any() or others[int(value[f"parted{n}"]) - 1]


@pytest.mark.parametrize(("c", "words"), [
    (10.0, "Neither is longer than c = 10. After 20 steps A’s gradient is 8.36 long, 17 times as long"),
    (1.6, "A’s gradient is cut back to 1.6 at 11 of the 20 states, and B’s passes as it is. "
     "In the end A’s is 3.2 times as long as B’s, not 17 times."),
    (0.4, "A’s gradient is cut back to 0.4 at 15 of the 20 states, B’s at 3. In the end"),
])  # fmt: skip
def test_the_sentence_says_where_each_is_clipped_and_how_far_apart_they_end(figure, c, words):
    figure.set(c=c)
    assert figure.sentence.startswith(words)


def test_the_question_is_asked_where_neither_is_clipped_and_answered_by_the_lengths(figure):
    asked = figure.spec.prediction
    figure.set(**asked.holds)
    assert figure.value["case"] == 0
    assert round(float(figure.value["apart"])) == 17
    assert asked.options[int(figure.value["answer"])] == "17 times"
    figure.set(**asked.settings)
    assert asked.options[int(figure.value["answer"])] == "about 3 times"
    assert 3 < figure.value["nearer"] < 4
    assert by_hand(SYMBOLS[0] - 1, 1.6)[:, 0].max() < 1.6  # B's is never that long
