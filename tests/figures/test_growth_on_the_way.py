"""Gradients on their way back: against a loop by hand in NumPy, and the words."""

from __future__ import annotations

import numpy as np
import pytest

from gradlab.figures import GrowthOnTheWay
from gradlab.figures.growth_on_the_way import untrained
from gradlab.unroll import recall

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figure():
    return GrowthOnTheWay()


def by_hand(symbol, c):
    p = untrained()
    states = [np.zeros(recall.UNITS)]
    for step in range(recall.STEPS):
        x = p["w_in"][symbol] if step == 0 else 0.0
        states.append(np.tanh(x + states[-1] @ p["w"] + p["b"]))
    logits = states[-1] @ p["w_out"] + p["b_out"]
    shares = np.exp(logits - logits.max())
    back, found = p["w_out"] @ (shares / shares.sum() - np.eye(recall.SYMBOLS)[symbol]), []
    for h in reversed(states[1:]):
        back = p["w"] @ (back * (1 - h**2))
        back = back * min(1.0, c / np.linalg.norm(back))
        found.append(np.linalg.norm(back))
    return np.array(found)


@pytest.mark.parametrize("c", [0.2, 1.6, 10.0])
def test_each_gradient_is_clipped_at_every_state(figure, c):
    figure.set(c=c)
    for symbol in range(recall.SYMBOLS):
        np.testing.assert_allclose(figure.value[f"cut{symbol + 1}"], by_hand(symbol, c), rtol=1e-9)
    np.testing.assert_allclose(figure.value["free3"], by_hand(2, np.inf), rtol=1e-9)


@pytest.mark.parametrize(("c", "words"), [
    (10.0, "None is longer than c = 10. After 20 steps the longest is 8.36 long, 17 times the shortest."),
    (5.0, "With c = 5 one of the four is clipped."),
    (1.6, "With c = 1.6 three of the four are clipped. After 20 steps the longest is 1.60 long, not 8.36, and 3.2 "
     "times the shortest, not 17."),
    (0.2, "With c = 0.2 all four are clipped."),
])  # fmt: skip
def test_the_sentence_says_how_many_are_clipped_and_how_far_apart_they_end(figure, c, words):
    figure.set(c=c)
    assert figure.sentence.startswith(words)
