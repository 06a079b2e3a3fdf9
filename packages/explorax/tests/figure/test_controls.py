"""Controls and predictions: what they take and refuse, by the table of cases that the page has."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorax import (
    Choice,
    Integer,
    LogRange,
    Point,
    Prediction,
    Range,
    SymlogRange,
    Toggle,
    explore,
)
from explorax.compiler import Leaf
from explorax.controls.control import Control

CASES = json.loads(
    (Path(__file__).parents[2] / "src/explorax/frontend/tests/cases/controls.json").read_text(
        "utf-8"
    )
)
KINDS = {kind.kind: kind for kind in (Range, LogRange, SymlogRange, Integer, Choice, Toggle, Point)}
SHARE = Range("a", "a", "", 0.0, 1.0, 0.5, 0.01, (-1.0, 2.0))
PLACE = Point("g", "g", "", (-1, -2), (3, 4), (0.0, 1.0), 0.25)
RESULTS = (Leaf("y", (), "float64"), Leaf("v", (5,), "float64"), Leaf("p", (2,), "float64"))


def asked(*given: Any, **more: Any) -> None:
    """Ask a question of a figure with these results and two controls."""
    Prediction("?", *given, **more).check(RESULTS, [SHARE, PLACE])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["control"]["name"])
def test_a_control_takes_and_refuses_what_the_page_does(case: dict[str, Any]) -> None:
    described = case["control"]
    kind = KINDS[described["kind"]]
    names = {field.name for field in fields(kind)}
    given = {name: value for name, value in described.items() if name in names}
    control: Control = kind(**given)  # type: ignore[assignment]
    assert json.loads(json.dumps(control.describe())) == described
    for value in case["allowed"]:
        assert json.loads(json.dumps(control.check(value))) == value
    for value in case["refused"]:
        with pytest.raises(ValueError, match=case.get("takes", "is not allowed")):
            control.check(value)


def test_a_point_is_traced_as_two_numbers_of_float64():
    traced = PLACE.traced(PLACE.check((1, 2.5)))
    assert (traced.dtype, traced.shape) == (np.float64, (2,))
    assert PLACE.initial == (0.0, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LogRange("a", "a", "", 0.0, 1.0, 0.5), "from 0 to 1; expected ends above 0; for both signs use SymlogRange"),
        (lambda: SymlogRange("a", "a", threshold=0), "threshold=0; expected a number above 0"),
        (lambda: Range("a", "a", default=2.0), "starts at 2; expected a first value from 0 to 1"),
        (lambda: Range("a", "a", step=0), "has step=0; expected one above 0"),
        (lambda: Point("a", "a", default=(0, 2)), "expected a first value between the corners"),
        (lambda: Point("a", "a", default=(0,)), "expected three pairs of numbers, an x and a y each"),
        (lambda: Point("a", "a", axes=("w", 1)), "expected two texts"),
        (lambda: Choice("c", "c"), "expected one or more pairs of texts"),
        (lambda: Choice("c", "c", options=("a", "b")), "expected one or more pairs of texts"),
        (lambda: Choice("c", "c", options=(("a", "1"), ("a", "2"))), "has the options a, a; expected each name once"),
        (lambda: Choice("c", "c", options=(("a", "1"),), idles=(("d", ("b",)),)), "makes 'd' idle at 'b'; expected some of its options: a"),
        (lambda: Choice("c", "c", options=(("a", "1"), ("b", "2")), sets=(("d", (1.0,)),)), "sets 'd' to one of 1 values; expected one for each"),
        (lambda: Integer("n", "n", minimum=9, maximum=1, default=5), "runs from 9 to 1 and starts at 5; expected the lower end first"),
        (lambda: Integer("n", "n", minimum=0.5, maximum=9, default=5), "expected three integers"),
        (lambda: Integer("n", "n", default=99), "expected a first value between its ends"),
        (lambda: Toggle("on", "on", default="yes"), "starts at 'yes'; expected True or False"),
        (lambda: Range("x", "x", maximum=np.inf), "finite numbers"),
        (lambda: Range("x", "x", "", "0", "1"), "finite numbers"),
        (lambda: LogRange("x", "x", "", 1e-200, 1e200), "less than 300 decades"),
        (lambda: Point("p", "p", default=0.5), "expected three pairs of numbers, an x and a y each"),
        (lambda: Range("x", "x", "", 0.0, 1.0, 0.5, 0.01, (0.2, 0.8)), "expected allowed to hold the slider's own ends"),
        (lambda: LogRange("x", "x", "", 0.1, 10.0, 1.0, 0.05, (0.2, 0.8)), "expected allowed to hold the slider's own ends"),
        (lambda: Range("x", "x", "", 0.0, 1.0, 0.5, 0.01, (1,)), "expected the two ends of what may be set"),
        (lambda: LogRange("x", "x", "", 0.1, 10.0, 1.0, 0.05, (0.0, 100.0)), "expected ends above 0"),
        (lambda: Range("x", 0, 1), "'x' has 0 where its label or symbol belongs"),
        (lambda: PLACE.check([0, 9]), "g = \\[0, 9\\] is not allowed: g takes two numbers, -1 to 3 and -2 to 4"),
        (lambda: PLACE.check(3), "takes two numbers"),
        (lambda: Prediction("?", "y"), "needs guess=, a Range"),
        (lambda: Prediction("?", "y", "place", guess=Range("r", "r")), "needs guess=, a Point"),
        (lambda: Prediction("?", "y", "guess"), "how is 'guess'; expected one of 'number'"),
        (lambda: Prediction("?", "y", "choice", options=("one",)), "needs two options"),
        (lambda: Prediction("?", "y", "choice", options=("a", "b", "c"), reveal=("A.", "B.")), "each of the 3 options"),
        (lambda: asked("z", guess=SHARE), "asks for the result 'z'; there are y, v, p"),
        (lambda: asked("v", guess=SHARE), "number needs a result of shape \\(\\); v has shape \\(5,\\)"),
        (lambda: asked("v", "place", guess=PLACE), "place needs a result of shape \\(2,\\)"),
        (lambda: asked("y", guess=SHARE, settings={"q": 1}), "sets 'q', which is no control"),
        (lambda: asked("y", guess=SHARE, settings={"a": 9}), "a = 9 is not allowed"),
    ],
)  # fmt: skip
def test_invalid_control_or_prediction_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_a_question_is_about_its_own_settings_alone():
    asks = Prediction("?", "y", guess=SHARE, settings={"a": 0.5}, conceals=("v",))
    asks.check(RESULTS, [SHARE, PLACE])
    assert asks.describe(RESULTS)["conceals"] == ["v", "y"]
    assert asks.about({"a": 0.5, "g": (0.0, 0.0)})
    assert not asks.about({"a": 0.6})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((5.0, 1.0), "'s' runs from 5 to 1; expected the lower end first"),
        ((5, 1), "'s' runs from 5 to 1 and starts at 5; expected the lower end first"),
        ((2.0, 2.0), "'s' runs from 2 to 2; expected two different ends"),
        ((2, 2), "'s' runs from 2 to 2; expected two different ends"),
        ((0.0, np.nan), "'s' runs from 0 to nan; expected finite numbers"),
        ((0.0, np.inf), "'s' runs from 0 to inf; expected finite numbers"),
        ((0.0, 10**400), "'s' runs from 0 to nan; expected finite numbers"),
        ((0, 10**400), "expected integers of at most 2\\*\\*53"),
        ((0, 2**60), "expected integers of at most 2\\*\\*53"),
        ((0.0, 1.0, 9.0), "'s' starts at 9; expected a first value from 0 to 1"),
        ((0, 3, 9), "'s' runs from 0 to 3 and starts at 9; expected a first value between its ends"),
        ((-1e308, 1e308), "expected ends that are from 1e-300 to 1e\\+300 apart"),
        ((0.0, 1e-322), "expected ends that are from 1e-300 to 1e\\+300 apart"),
        ([], "'s' is given an empty list; expected a Control"),
        (("a", 2), "'s' is given \\('a', 2\\); expected a Control"),
        (("a", "a"), "'s' has the options a, a; expected each name once"),
    ],
)  # fmt: skip
def test_invalid_short_form_is_refused_in_plain_words(given: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        explore(lambda s: s, {"s": given})
    assert "Range(" not in str(caught.value), "no internals"
