"""Two gradients on their way back: against a loop by hand in NumPy, and the words."""

import numpy as np
import pytest

from sccbook.figures.growth_on_the_way.figure import SYMBOLS, untrained
from sccbook.models import recall

pytestmark = pytest.mark.slow


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
def test_each_gradient_is_clipped_at_every_state(at, c):
    value = at(c=c)
    for n in SYMBOLS:
        found = by_hand(n - 1, c)
        np.testing.assert_allclose(value[f"way{n}"], found.ravel(), rtol=1e-9)
        np.testing.assert_allclose(value[f"cut{n}"], found[:, 1], rtol=1e-9)
        np.testing.assert_allclose(value[f"free{n}"], by_hand(n - 1, np.inf)[:, 1], rtol=1e-9)
        assert value[f"held{n}"] == np.sum(found[:, 0] > c)
    np.testing.assert_array_equal(value["limit"], c)


def test_the_symbols_shown_have_the_largest_and_smallest_gradients():
    ends = [by_hand(symbol, np.inf)[-1, 1] for symbol in range(recall.SYMBOLS)]
    assert (np.argmin(ends) + 1, np.argmax(ends) + 1) == SYMBOLS


@pytest.mark.parametrize(
    ("c", "held"), [(10.0, (0, 0)), (8.0, (0, 1)), (1.6, (0, 11)), (0.4, (3, 15))]
)
def test_the_unclipped_line_is_drawn_only_beside_a_clipped_one(figure, at, c, held):
    shown = {s.value: s.when for s in figure.spec.view.series if s.when}
    assert shown == {"free3": "parted3", "free2": "parted2"}
    value = at(c=c)
    assert (value["held2"], value["held3"]) == held
    for n in SYMBOLS:
        others = np.abs(value[f"free{n}"] - value[f"cut{n}"])[:-1] > 1e-9
        assert bool(value[f"parted{n}"]) == others.any()
        assert not others.any() or others[int(value[f"parted{n}"]) - 1]


@pytest.mark.parametrize("back", [1, 7, 19])
def test_on_the_way_the_lines_end_where_the_gradients_have_come(at, back):
    whole, value = at(c=1.6), at(c=1.6, back=back)
    np.testing.assert_array_equal(value["cut3"][:back], whole["cut3"][:back])
    np.testing.assert_array_equal(value["way3"][2 * back - 1 :], value["after"])
    assert value["steps"][-1] == back
    assert value["places"][-1] == whole["places"][2 * back - 1]
    assert value["held3"] == np.sum(whole["cut3"][:back] > 1.6 - 1e-9)
    assert value["nearer"] == whole["nearer"]
