"""A figure as Python sees it: traits, settings, errors, and what a notebook gets."""

import json

import jax.numpy as jnp
import numpy as np
import pytest
import traitlets
from tests.figure.dial import Dial

from explorax.figure.widget import MIME, WIDGET_VIEW


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"s": 1}, TypeError, "no control named 's'. Its controls are scale, steps, way"),
        ({"scale": 3}, ValueError, "scale = 3 is not allowed: scale takes a number from 0 to 2"),
        ({"scale": float("nan")}, ValueError, "scale = nan"),
        ({"scale": "half"}, ValueError, "takes a number from 0 to 2"),
        ({"scale": 10**400}, ValueError, "takes a number from 0 to 2"),
        ({"scale": True}, ValueError, "scale = True is not allowed"),
        ({"scale": b"1"}, ValueError, "takes a number from 0 to 2"),
        ({"steps": 13}, ValueError, "steps = 13 is not allowed: number of steps takes an integer from 1 to 12"),
        ({"steps": 2.5}, ValueError, "an integer from 1 to 12"),
        ({"steps": np.bool_(True)}, ValueError, "an integer from 1 to 12"),
        ({"way": "here"}, ValueError, "one of 'up', 'down'"),
        ({"way": np.array(["up", "up"])}, ValueError, "one of 'up'"),
        ({"doubled": "yes"}, ValueError, "takes True or False"),
        ({"doubled": np.array([True, False])}, ValueError, "takes True or False"),
        ({"ask": "more"}, ValueError, "ask is 'more'; expected 'none', None for no question"),
        ({"stage": 1.5}, ValueError, "stage = 1.5 is not allowed"),
        ({"stage": np.array([1, 2])}, ValueError, "it takes an integer from 1 to 2"),
        ({"stage": 3}, ValueError, "stage = 3 is not allowed: it takes an integer from 1 to 2"),
    ],
)  # fmt: skip
def test_errors_name_the_thing_and_what_is_allowed(settings, error, message):
    with pytest.raises(error, match=message.replace(".", r"\.")):
        Dial(**settings)


def test_numbers_of_numpy_and_jax_are_kept_as_plain_ones():
    figure = Dial(
        stage=2.0, scale=jnp.asarray(0.25), steps=np.int32(3), way=np.str_("down"),
        doubled=jnp.array(True),
    )  # fmt: skip
    assert [type(value) for value in figure.settings.values()] == [float, int, str, bool]
    assert Dial(**figure.settings).settings == figure.settings
    assert json.loads(json.dumps(figure.describe()))["settings"] == figure.settings


def test_controls_are_traits_that_can_be_read_set_observed_and_linked():
    figure, other = Dial(), Dial()
    seen = []
    figure.observe(lambda change: seen.append(change["new"]), names="scale")
    traitlets.link((figure, "scale"), (other, "scale"))
    figure.scale = 0.25
    assert seen == [0.25]
    assert "s = 0.25" in other.sentence
    with pytest.raises(ValueError, match="takes a number from 0 to 2"):
        figure.scale = 5
    assert figure.scale == 0.25


def test_the_code_of_a_figure_says_its_stage_and_its_question():
    described = Dial(ask=None, stage=2).describe()
    assert described["prediction"] is None
    assert described["python"] == ["Dial(stage=2, ask=None, ", ")"]
    assert Dial(ask="none").describe()["prediction"]["question"] == "And at s = 0?"
    assert Dial().describe()["python"] == ["Dial(", ")"]


def test_a_live_figure_is_a_widget_with_its_own_bundle(monkeypatch):
    monkeypatch.setenv("EXPLORAX_OUTPUT", "text")
    figure = Dial()
    data, *_ = figure._repr_mimebundle_()
    assert set(data) == {WIDGET_VIEW, "text/plain"}
    assert data["text/plain"] == repr(figure)
    assert "render" in figure._esm
    assert "--gl-state" in figure._css
    assert {"scale", "_description"} <= set(figure.keys)


def test_for_a_site_no_comm_is_opened_and_the_figure_is_plain_data(monkeypatch):
    monkeypatch.setenv("EXPLORAX_OUTPUT", "site")
    figure = Dial(scale=0.25, stage=2)
    assert figure.comm is None
    data, _ = figure._repr_mimebundle_()
    assert set(data) == {MIME, "text/plain"}
    description = json.loads(json.dumps(data[MIME]))
    assert description["settings"]["scale"] == 0.25
    assert description["sight"] == ["scale", "steps"]
    assert "export function evaluate" in description["program"]
