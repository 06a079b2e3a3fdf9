"""The tape's numbers are those of a pass written by hand, and its words say what they are."""

import html
import re

import numpy as np
import pytest

from explorax.frontend import draw
from sccbook.figures import Tape
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


UNSEEN = dict.fromkeys(map(ord, "\N{FUNCTION APPLICATION}\N{ZERO WIDTH SPACE}"))


def shown(settings):
    """The figure's pages as text at some settings, once the prediction has been made."""
    for page in draw([Tape(**each).describe() | {"prediction": None} for each in settings]):
        markup = page.partition('<script type="application/json"')[0]
        text = html.unescape(re.sub(r"<[^>]+>", "", markup))
        yield re.sub(r"\s+", " ", text.translate(UNSEEN).replace("⋅", "·"))


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


def test_the_options_are_numbers_of_the_figure(figure, at):
    prediction = figure.spec.prediction
    value = at(**prediction.settings)
    received = value["received"]
    offered = [float(option.split(",")[0]) for option in prediction.options]
    expected = [received[-1], received.max(), received.mean(), received.sum()]
    assert offered == [round(float(number), 2) for number in expected]
    assert [f"{number:.2f}" for number in received] == re.findall(r"0\.\d\d", prediction.question)
    assert (int(value["combined"]), f"{float(value['total']):.2f}") == (3, "0.75")


def test_a_move_computes_one_state_and_then_one_cotangent(at):
    moves = [at(played=played) for played in range(1, 8)]
    steps = [[int(move[name]) for move in moves] for name in ("forward", "backward", "at")]
    assert steps == [[2, 3, 4, 4, 4, 4, 4], [0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 3, 2, 1, 1]]
    received = moves[0]["received"]
    sums = [0, 0, 0, received[2], received[1:].sum(), received.sum(), received.sum()]
    np.testing.assert_allclose([float(move["so_far"]) for move in moves], sums)


EQUATIONS = [
    ({"played": 2}, "h2=tanh(θ·h1)=tanh(1.4·0.60)=0.69", "handed to"),
    ({"played": 4}, "arriving at h₃, from ℓ₃: h¯3=h3−0.2=0.55", "0.26"),
    ({"played": 4}, "θ¯=0.17 so far", "0.32"),
    ({"played": 5}, "θ¯=0.26+0.17=0.43 so far", "arriving at h₃"),
    ({"played": 5}, "h¯2=(h2−0.2)+0.34=0.83", "application 1"),
    ({"played": 6, "x": -1.0}, "h¯1=(h1−0.2)−0.60=−1.68", "+ −"),
    ({"played": 7}, "handed to θ: h¯1·(1−h12)·h0=1.01·0.63·0.50=0.32", "so far"),
    ({"played": 7}, "handed to h₀: h¯1·(1−h12)·θ=1.01·0.63·1.4=0.90", "so far"),
    ({"played": 7}, "θ¯=0.32+0.26+0.17=0.75", "so far"),
    (
        {"played": 5, "stopped": "2"},
        "handed to θ: nothing, because θ is stopped in application 2",
        "h¯2·(1−h22)·h1",
    ),
]
"""What an equation says, and what it does not say."""


@pytest.mark.slow
def test_the_equation_is_about_the_application_that_is_played():
    pages = shown([settings for settings, *_ in EQUATIONS])
    for (_, said, unsaid), text in zip(EQUATIONS, pages, strict=True):
        start = text.index(", forward:" if "forward" in said or "tanh" in said else "arriving at")
        equation = text[start : text.index("Under the hood")]
        assert said in equation
        assert unsaid not in equation
