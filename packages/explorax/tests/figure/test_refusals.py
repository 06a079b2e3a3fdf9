"""A reader's mistakes in ``explore``, and the errors that name them at once."""

from __future__ import annotations

import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorax import Choice, Integer, Point, Prediction, Range, explore
from explorax.compiler import ProgramError
from explorax.figure.spec import Part, Table
from explorax.views import Axis, History, Matrix, Profile, Series

SLIDER = {"s": (0.0, 6.0)}
GUESS = Range("g", "guess")


def three(s):
    return jnp.arange(3.0) * s


def each(name: str, count: Any = 3) -> str:
    return f'<span data-each="{name}" data-count="{count}">{{value}}</span>'


def scaled(s, k):
    return jnp.sin(s) * k


VALUES = [  # of three: options, and what the error says
    ({"sentence": "It is {result.1:.2e}."}, r"'\{result.1:.2e\}.', which is no field"),
    ({"sentence": "It is {result"}, r"'\{result', which is no field"),
    ({"sentence": "It is {result.3}."}, r"result\.3; result has the shape \[3\]"),
    ({"sentence": "Step {n}."}, "asks for 'n'"),
    ({"presets": {"high": {"t": 1.0}}}, "The preset 'high' sets 't', which is no control"),
    ({"presets": {"high": {"s": 99}}}, "The preset 'high': s = 99 is not allowed"),
    ({"stills": [{"s": 99}]}, "A still: s = 99 is not allowed"),
    ({"parts": {"bars": Part("height", "")}}, "A part asks for 'height'"),
    ({"parts": {"bars": Part("result", "{height}")}}, "A part's words asks for 'height'"),
    ({"table": Table([("y", "result")], count=4)}, "has 4 rows; 'result' has 3"),
    ({"table": Table([("y", "result")], rows="{k}", count=3)}, "rows asks for 'k'"),
    ({"table": Table([("y", "result")], rows=("a", "b"), count=3)}, "names 2 rows"),
    ({"equation": "<span>{value}</span>"}, "asks for 'value'"),
    ({"equation": "{result.7}"}, r"asks for result\.7; result has the shape \[3\]"),
    ({"equation": "a < b & c"}, r"cannot be read, not well-formed .*: a < b & c\. Expected"),
    ({"equation": "<span><b>{s}</span>"}, "cannot be read, mismatched tag"),
    ({"equation": "<span><b>{s}</b>"}, "cannot be read, mismatched tag"),
    ({"equation": "</b>"}, "cannot be read, mismatched tag"),
    ({"equation": "<span data-each='result'>{value}</span>"}, "single quotes"),
    ({"equation": each("s")}, r"each of 's', which has the shape \[\]"),
    ({"equation": each("result", 4)}, "asks for 4 of 'result', which has 3"),
    ({"equation": each("result", "result")}, "counts with 'result', which is no single number"),
    ({"equation": '<span data-when="!z">{s}</span>'}, "asks for 'z'"),
    (
        {"table": Table([("y", "result")], count="result")},
        "count is 'result'; expected a result or",
    ),
    ({"prediction": Prediction("?", "result", "sketch", guess=GUESS, reveal="{k}")}, "'k'"),
    ({"prediction": Prediction("?", "result", "sketch", guess=GUESS)}, "it would show the answer"),
]
TYPES = [
    ({"view": "plane"}, "view is 'plane'; expected a view, such as Plane"),
    ({"prediction": "more"}, "prediction is 'more'; expected a Prediction"),
    ({"sentence": 3}, "A sentence is 3; expected text"),
    ({"presets": {"high": 3}}, "has the settings 3; expected a dict"),
    ({"presets": [{"s": 3}]}, "expected a Preset, or a dict from a label to settings"),
    ({"title": 3}, "title is 3; expected text"),
    ({"labels": ["a"]}, "labels is"),
    ({"labels": {"picture": 3}}, "labels.'picture'. is 3; expected text"),
    ({"parts": ["a"]}, "parts is"),
    ({"stills": None}, "stills is None; expected a list"),
    ({"presets": 3}, "presets is 3; expected"),
    ({"equation": 3}, "equation is 3; expected a list of lines"),
    ({"equation": [3]}, "A line of the equation is 3; expected text"),
    ({"table": Table(["y"])}, "expected pairs of a heading and a result"),
    ({"table": Table([])}, "expected pairs of a heading and a result"),
    (
        {"prediction": Prediction("?", "result", "sketch", guess=GUESS, conceals="result")},
        r"conceals is 'result'; expected a list of texts",
    ),
]
CASES = [
    *((three, SLIDER, options, ValueError, said) for options, said in VALUES),
    *((three, SLIDER, options, TypeError, said) for options, said in TYPES),
    *(
        (lambda **named: sum(named.values()), [Range(name, "x")], {}, ValueError, f"named '{name}'")
        for name in ("guess", "self", "_esm", "class", "a b")
    ),
    (three, [Range("s", "one"), Range("s", "two")], {}, ValueError, "Two controls are named 's'"),
    (lambda s: {"s": 2 * s}, SLIDER, {}, ValueError, r"'s', which is the name of a control.*Rename"),
    (lambda s: {"case": s}, SLIDER, {}, ValueError, r"'case'.*Rename"),
    (3, SLIDER, {}, TypeError, "expected a Python function of arrays"),
    (max, SLIDER, {}, TypeError, "expected a Python function of arrays"),
    (lambda on: three(on * 1.0), {"on": True}, {"table": Table([("on", "on")])}, ValueError, "'on'.* expected a result"),
    (
        lambda on: three(on * 1.0), {"on": True}, {"table": Table([("y", "result")], count="on")},
        ValueError, "'on'.* expected a result",
    ),
    (
        lambda s: jnp.zeros(0) * s, SLIDER, {"prediction": Prediction("?", "result", "sketch", guess=GUESS)},
        ValueError, r"result \[0\].*not empty",
    ),
    (three, SLIDER, {"view": History([Series("result")], Axis())}, ValueError, "draws a run, and this function is none"),
    (lambda x: x, {"x": (0.0, 1.0)}, {"dtype": jnp.bfloat16}, ProgramError, "'bfloat16'; expected 'float64' or 'float32'"),
    (scaled, SLIDER, {}, TypeError, "scaled has the argument 'k', and there is no control for it"),
    (scaled, SLIDER | {"z": (0, 1)}, {}, TypeError, "scaled has no argument 'z'"),
    (lambda s: s, {"s": "no"}, {}, TypeError, "'s' is given 'no'; expected a Control; \\(low"),
    (lambda s: s, {"s": (1.0, 0.0)}, {}, ValueError, "runs from 1 to 0; expected the lower end first"),
    (lambda s: s, {"s": Range("t", "t")}, {}, ValueError, "The control for 's' is named 't'"),
    (lambda s: s, [3], {}, TypeError, "3 is no control"),
    (lambda s: {"a": {"b": s}}, SLIDER, {}, ValueError, "figure returns 'a': dict"),
    (lambda s: {"a b": s}, SLIDER, {}, ValueError, "figure returns a result named 'a b'"),
    (lambda s: jnp.ones((2, 2, 2)) * s, SLIDER, {}, ValueError, "nothing of rank 0, 1 or 2"),
    (lambda s: jnp.ones(0) * s, SLIDER, {}, ValueError, "an array of rank 1 or 2 that is not empty"),
    (lambda value: value, {"value": (0.0, 1.0)}, {}, ValueError, "cannot be named 'value'"),
    (lambda s: s, SLIDER, {"sentence": "{y}"}, ValueError, "A sentence asks for 'y'"),
    (lambda s: s, SLIDER, {"equation": r"$\live{y}$"}, ValueError, "The equation asks for 'y'"),
    (lambda s: s, SLIDER, {"equation": r"$\class{?!z}{x}$"}, ValueError, "asks for 'z'"),
    (lambda s: s, SLIDER, {"view": Matrix("result")}, ValueError, "draws cells from 'result'"),
    (lambda s: s, SLIDER, {"more": ["k"]}, ValueError, "A stage names 'k'; the controls are s"),
    (
        lambda s: s, SLIDER,
        {"prediction": Prediction("?", "y", guess=Range("g", "g"))},
        ValueError, "asks for the result 'y'; there are",
    ),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("function", "controls", "options", "error", "said"), CASES)
def test_mistake_is_refused_with_the_cure(function, controls, options, error, said):
    given = {"view": Profile([Series("result")], Axis())} if function is three else {}
    with pytest.raises(error, match=said):
        explore(function, controls, **given | options)


def test_result_may_be_an_unchanged_control_or_have_the_name_of_a_curve():
    value = explore(lambda s: {"s": s, "places": s + 1}, SLIDER).value
    assert float(value["places"]) == 4.0


@pytest.mark.slow
def test_a_function_of_positional_arguments_and_defaults_is_taken():
    def scaled(s, /, t, *, k=2.0):
        return k * s * t

    assert float(explore(scaled, {"t": (0.0, 2.0), "s": (0.0, 6.0)}).value["result"]) == 6.0
    assert float(explore(jax.grad(jnp.sin), {"x": (0.0, 2.0)}).value["result"]) == np.cos(1.0)


def test_controls_accept_numpy_numbers_and_lists():
    ends = np.float32(0.0), np.float32(1.0), np.float32(0.5), np.float32(0.25)
    controls = [
        Range("x", "x", "", *ends),
        Integer("n", "n", "", np.int64(0), np.int64(9), np.int64(3)),
        Point("p", "p", "", [0, 0], np.ones(2), [0.5, 0.5]),
        Choice("c", "c", options=[["a", "the a"], ["b", "the b"]]),
    ]
    figure = explore(lambda x, n, p, c: x * n + p[0] + c, controls, presets={"low": {"x": ends[0]}})
    assert json.loads(json.dumps(figure.describe()))["presets"][0]["settings"] == {"x": 0.0}
    assert figure.settings == {"x": 0.5, "n": 3, "p": (0.5, 0.5), "c": "a"}
    assert explore(lambda x: x, {"x": np.array([0.0, 1.0])}).settings == {"x": 0.5}
