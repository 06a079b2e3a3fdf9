"""The tape's numbers are those of a pass written by hand, and its words say what they are."""

import numpy as np
import pytest

from sccbook.models.examples import THETA

TARGET = 0.2
PLACES = [-1.0, -0.37, 0.0, 0.1, 0.5, 1.0]


def by_hand(x):
    """The unroll and its backward pass, in NumPy."""
    states = [x]
    for _ in range(3):
        states.append(np.tanh(THETA * states[-1]))
    cotangents, received, passed = np.zeros(4), np.zeros(3), np.zeros(3)
    for k in (3, 2, 1):
        cotangents[k] += states[k] - TARGET
        shared = cotangents[k] * (1 - states[k] ** 2)
        received[k - 1] = shared * states[k - 1]
        passed[k - 1] = shared * THETA
        cotangents[k - 1] += passed[k - 1]
    return {"states": states, "cotangents": cotangents, "received": received, "passed": passed}


def loss(theta, x):
    total = 0.0
    for _ in range(3):
        x = np.tanh(theta * x)
        total += (x - TARGET) ** 2 / 2
    return total


@pytest.mark.slow
@pytest.mark.parametrize("x", PLACES)
def test_the_tape_is_the_pass_by_hand_and_its_sum_the_slope_of_the_loss(at, x):
    value = at(x=x)
    for name, expected in by_hand(x).items():
        np.testing.assert_allclose(value[name], expected, rtol=1e-12, atol=1e-15)
    slope = (loss(THETA + 1e-6, x) - loss(THETA - 1e-6, x)) / 2e-6
    assert float(value["total"]) == pytest.approx(slope, rel=1e-8, abs=1e-9)
    assert float(value["total"]) == pytest.approx(float(np.sum(value["received"])), rel=1e-12)
    assert float(value["loss"]) == pytest.approx(loss(THETA, x), rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_stop_removes_one_term_of_the_sum(at, k):
    plain, stopped = at(), at(stopped=str(k))
    rest = plain["received"] * (np.arange(1, 4) != k)
    np.testing.assert_allclose(stopped["received"], rest, rtol=1e-12)
    assert float(stopped["total"]) == pytest.approx(float(rest.sum()), rel=1e-12)
    for name in ("states", "cotangents", "losses", "passed", "loss", "slope_of_loss"):
        np.testing.assert_array_equal(stopped[name], plain[name])


def test_where_every_state_is_0_only_the_gradient_of_theta_is(at):
    assert [int(at(x=x)["zeros"]) for x in (0.0, 0.5)] == [0, 3]
    assert all(at(x=0.0)["cotangents"] < 0)


def test_a_move_computes_one_state_and_then_one_cotangent(at):
    moves = [at(played=played) for played in range(1, 8)]
    steps = [[int(move[name]) for move in moves] for name in ("forward", "backward", "at")]
    assert steps == [[2, 3, 4, 4, 4, 4, 4], [0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 3, 2, 1, 1]]


@pytest.mark.parametrize("played", [4, 5, 6])
def test_the_equation_multiplies_what_the_application_hands_on(at, played):
    arrived, slope, before, share, passed = at(played=played)["now"]
    assert arrived * slope * before == pytest.approx(share)
    assert arrived * slope * THETA == pytest.approx(passed)
