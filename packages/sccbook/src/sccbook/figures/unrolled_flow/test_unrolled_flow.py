"""The book's figures as Python sees them: settings, errors, outputs, and their mathematics."""

import json
import re

import jax
import numpy as np
import pytest
import traitlets

from explorax.figure.widget import MIME
from scaleclip.ops.scaling import scale_gradient
from sccbook.figures import UnrolledFlow


def toy(theta, *, scale, gain, steps, placement, weight):
    """The toy as the page states it, a line a step."""
    h, total = 1.0, 0.0
    for j in range(1, steps + 1):
        if placement == "every_input" or (placement == "after_heads" and j > 1):
            h = scale_gradient(h, scale)
        h = gain * h + theta
        if placement == "before_heads":
            h = scale_gradient(h, scale)
        total = total + weight * h
    return total


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["1/K", "1"])
@pytest.mark.parametrize("placement", ["after_heads", "every_input", "before_heads", "off"])
def test_the_diamonds_and_the_total_are_the_gradient_of_the_stated_toy(at, placement, weights):
    for scale, gain, steps in [(0.5, 1.0, 6), (0.3, 1.7, 12), (1.0, 0.4, 1), (0.0, 2.0, 5)]:
        settings = {"scale": scale, "gain": gain, "steps": steps, "placement": placement}
        values = at(**settings, weights=weights)
        weight = 1 / steps if weights == "1/K" else 1.0
        with jax.enable_x64(True):
            expected = float(jax.grad(toy)(0.0, **settings, weight=weight))
        diamonds = float(np.sum(values["received"])) * weight
        np.testing.assert_allclose([values["total"], diamonds], expected, rtol=1e-12)


def test_drawing_losses_at_their_weight_keeps_the_total(at):
    plain, weighted = at(scale=0.5), at(scale=0.5, weighted=True)
    assert plain["total"] == weighted["total"]
    np.testing.assert_allclose(weighted["received"], plain["received"] / 6)
    assert float(np.sum(weighted["received"])) == pytest.approx(1.671875)


def test_only_the_gain_moves_the_states(at):
    still = at()["states"]
    for settings in ({"scale": 0.1}, {"placement": "before_heads"}, {"clip": True, "limit": 0.2}):
        np.testing.assert_array_equal(at(**settings)["states"], still)
    assert not np.array_equal(at(gain=1.1)["states"], still)


@pytest.mark.parametrize(
    ("settings", "bound"),
    [
        ({"scale": 0.5}, 2),
        ({"scale": 0.5, "placement": "before_heads"}, 1),
        ({}, np.inf),
        ({"scale": 0.5, "gain": 2.0}, np.inf),
        ({"clip": True, "limit": 0.3}, np.inf),
    ],
)
def test_the_bound_is_the_limit_of_the_total_or_infinite(at, settings, bound):
    assert at(**settings)["bound"] == bound


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"s": 1}, TypeError, "no control named 's'. Its controls are scale, gain, steps"),
        ({"scale": 3}, ValueError, "scale = 3 is not allowed: scale takes a number from 0 to 2"),
        ({"scale": float("nan")}, ValueError, "scale = nan"),
        ({"scale": "half"}, ValueError, "takes a number from 0 to 2"),
        ({"gain": -0.1}, ValueError, "gain of one application takes a number from 0 to 2"),
        ({"steps": 13}, ValueError, "steps = 13 is not allowed: unroll steps takes an integer from 1 to 12"),
        ({"steps": 2.5}, ValueError, "an integer from 1 to 12"),
        ({"placement": "here"}, ValueError, "one of 'after_heads', 'every_input', 'before_heads', 'off'"),
        ({"clip": "yes"}, ValueError, "takes True or False"),
        ({"clip": np.array([True, False])}, ValueError, "takes True or False"),
        ({"scale": 10**400}, ValueError, "takes a number from 0 to 2"),
        ({"scale": True}, ValueError, "scale = True is not allowed"),
        ({"scale": b"1"}, ValueError, "takes a number from 0 to 2"),
        ({"steps": np.bool_(True)}, ValueError, "an integer from 1 to 12"),
        ({"placement": np.array(["off", "off"])}, ValueError, "one of 'after_heads'"),
        ({"ask": "more"}, ValueError, "ask is 'more'; expected 'twice', 'stop', 'gain', None for no question"),
        ({"stage": 1.5}, ValueError, "stage = 1.5 is not allowed"),
        ({"stage": np.array([1, 2])}, ValueError, "it takes an integer from 1 to 3"),
        ({"stage": 4}, ValueError, "stage = 4 is not allowed: it takes an integer from 1 to 3"),
    ],
)  # fmt: skip
def test_errors_say_what_is_allowed(settings, error, message):
    with pytest.raises(error, match=message.replace(".", r"\.")):
        UnrolledFlow(**settings)


@pytest.mark.parametrize(("ask", "answer"), [("", "1.83"), ("stop", "1.00")])
def test_no_question_tells_its_answer(ask, answer):
    described = UnrolledFlow(ask=ask).describe()
    told = re.findall(r"\d+\.\d+", described["prediction"]["question"])
    assert float(answer) not in map(float, told)
    assert ("".join(described["python"]) == "UnrolledFlow()") == (not ask)


def test_no_gain_of_1_is_written_where_the_gain_has_no_control():
    first, second = (UnrolledFlow(stage=stage).describe()["equation"][0] for stage in (1, 2))
    assert 'data-when="!gain=1"' in first
    assert "gain" not in second
    assert "gain" not in UnrolledFlow(scale=0.5).sentence


def test_ask_none_asks_nothing():
    described = UnrolledFlow(ask=None, stage=2).describe()
    assert described["prediction"] is None
    assert described["python"] == ["UnrolledFlow(stage=2, ask=None, ", ")"]


def test_controls_are_traits_that_can_be_read_set_observed_and_linked():
    figure, other = UnrolledFlow(), UnrolledFlow()
    seen = []
    figure.observe(lambda change: seen.append(change["new"]), names="scale")
    traitlets.link((figure, "scale"), (other, "scale"))
    figure.scale = 0.25
    assert seen == [0.25]
    assert other.scale == 0.25
    assert "s = 0.25" in other.sentence
    with pytest.raises(ValueError, match="takes a number from 0 to 2"):
        figure.scale = 5
    assert figure.scale == 0.25


def test_in_the_book_a_figure_is_plain_data(monkeypatch):
    monkeypatch.setenv("EXPLORAX_OUTPUT", "site")
    figure = UnrolledFlow(scale=0.25, stage=2)
    assert figure.comm is None
    data, _ = figure._repr_mimebundle_()
    assert set(data) == {MIME, "text/plain"}
    description = json.loads(json.dumps(data[MIME]))
    assert description["settings"]["scale"] == 0.25
    assert description["sight"] == ["scale", "gain", "steps"]
    assert "export function evaluate" in description["program"]
