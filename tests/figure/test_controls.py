"""Controls and predictions: what they take, what they refuse, and how the page steps them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradlab.figure import (
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
from gradlab.program import Leaf

SETTINGS = Path(__file__).parents[2] / "gradlab" / "frontend" / "src" / "runtime" / "settings.js"
EVERY = [
    Range("a", "a", "", 0.0, 1.0, 0.5, 0.01, (-1.0, 2.0)),
    LogRange("b", "b", "", 3e-6, 2e4, 1.0, 0.1),
    SymlogRange("c", "c", "", -30.0, 1000.0, 0.0, 0.1, threshold=0.01),
    Integer("d", "d", "", -3, 9, 2),
    Choice("e", "e", "", (("x", "the x"), ("y", "the y"))),
    Toggle("f", "f"),
    Point("g", "g", "", (-1, -2), (3, 4), (0.0, 1.0), 0.25),
]


def in_page(script, *data):
    source = (
        f"import * as s from {json.dumps(SETTINGS.as_uri())};\nconst data = {json.dumps(data)};\n"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", source + script],
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("control", EVERY, ids=lambda c: c.kind)
def test_page_and_python_allow_the_same(control):
    tried = [
        -2, -1, -0.5, 0, 0.5, 1, 2, 2.5, 3e-6, 1e-7, 2e4, 3e4, 1000, -30, -31, True, False, "x", "z",
        None, [0, 0], [0.5, 4], [4, 0], [1], [1, 2, 3], ["x", 0], "1",
    ]  # fmt: skip
    allowed = in_page(
        "console.log(JSON.stringify(data[1].map((v) => s.allows(data[0], v))));",
        control.describe(), tried,
    )  # fmt: skip
    for value, page in zip(tried, allowed, strict=True):
        try:
            control.check(value)
            python = True
        except ValueError:
            python = False
        both = (
            isinstance(value, int) and control.kind == "toggle"
        )  # 0 and 1 are False and True here
        assert page == python or both, value


@pytest.mark.parametrize("control", EVERY[:4], ids=lambda c: c.kind)
def test_a_slider_reaches_its_ends_and_gives_back_what_it_shows(control):
    ends, back = in_page(
        """const [c] = data;
        const { min, max, step } = s.slider(c, c.initial, false);
        const all = [];
        for (let at = min; at <= max + 1e-9; at += step) all.push(s.fromSlider(c, Number(at.toFixed(9)), false));
        console.log(JSON.stringify([[all[0], all.at(-1)], all.map((v) => [v, s.fromSlider(c, s.slider(c, v, false).value, false)])]));""",
        control.describe(),
    )
    assert ends == [control.minimum, control.maximum]
    for value, again in back:
        assert again == pytest.approx(value, rel=1e-9)
    values = [value for value, _ in back]
    assert values == sorted(values)
    if control.kind == "symlog":
        assert 0 in values


@pytest.mark.parametrize(
    ("control", "raw", "snapped"),
    [
        (EVERY[0], 0.4049, 0.4), (EVERY[0], 3, 1), (EVERY[1], 0.0123456, 0.0123), (EVERY[1], 0, 3e-6),
        (EVERY[2], -12345, -30), (EVERY[3], 3.6, 4), (EVERY[6], [0.6, 9], [0.5, 4]),
    ],
)  # fmt: skip
def test_what_is_dragged_falls_on_a_step(control, raw, snapped):
    (found,) = in_page(
        "console.log(JSON.stringify([s.snap(data[0], data[1], false)]));", control.describe(), raw
    )
    assert found == pytest.approx(snapped)


@pytest.mark.parametrize(
    ("value", "written", "spoken"),
    [
        (0.001, "0.001", "0.001"),
        (1e-6, "1 × 10⁻⁶", "1 times 10 to the minus 6"),
        (-25.0, "−25", "−25"),
        (2.5e7, "2.5 × 10⁷", "2.5 times 10 to the 7"),
    ],
)
def test_decades_are_written_and_said(value, written, spoken):
    control = SymlogRange("c", "c", "", -1e9, 1e9, 0.0).describe()
    script = "const t = s.spoken(...data); console.log(JSON.stringify([t, s.listened(t)]));"
    assert in_page(script, control, value) == [written, spoken]


def test_a_point_is_traced_as_two_numbers_of_float64():
    traced = EVERY[6].traced(EVERY[6].check((1, 2.5)))
    assert (traced.dtype, traced.shape) == (np.float64, (2,))
    assert EVERY[6].initial == (0.0, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LogRange("a", "a", "", 0.0, 1.0, 0.5), "its minimum is above 0; for signs use SymlogRange"),
        (lambda: SymlogRange("a", "a", threshold=0), "its threshold is above 0"),
        (lambda: Range("a", "a", default=2.0), "its default is allowed"),
        (lambda: Range("a", "a", step=0), "its step is above 0"),
        (lambda: Point("a", "a", default=(0, 2)), "its default is allowed"),
        (lambda: Point("a", "a", default=(0,)), "its corners have an x and a y"),
        (lambda: Point("a", "a", axes=("w", 1)), "its axes are two texts"),
        (lambda: EVERY[6].check([0, 9]), "g = \\[0, 9\\] is not allowed: g takes two numbers, -1 to 3 and -2 to 4"),
        (lambda: EVERY[6].check(3), "takes two numbers"),
        (lambda: Prediction("?", "y"), "needs guess=, a Range"),
        (lambda: Prediction("?", "y", "place", guess=Range("r", "r")), "needs guess=, a Point"),
        (lambda: Prediction("?", "y", "guess"), "how is 'guess'; expected one of 'number'"),
        (lambda: Prediction("?", "y", "choice", options=("one",)), "needs two options"),
    ],
)  # fmt: skip
def test_what_makes_no_control_and_no_prediction_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


RESULTS = (Leaf("y", (), "float64"), Leaf("v", (5,), "float64"), Leaf("p", (2,), "float64"))


@pytest.mark.parametrize(
    ("prediction", "message"),
    [
        (Prediction("?", "z", guess=EVERY[0]), "asks for the result 'z'; there are y, v, p"),
        (Prediction("?", "v", guess=EVERY[0]), "number needs a result of shape \\(\\); v has shape \\(5,\\)"),
        (Prediction("?", "v", "place", guess=EVERY[6]), "place needs a result of shape \\(2,\\)"),
        (Prediction("?", "v", "sketch", guess=EVERY[0], count=6), "count is 6; v has shape"),
        (Prediction("?", "y", guess=EVERY[0], settings={"q": 1}), "sets 'q', which is no control"),
        (Prediction("?", "y", guess=EVERY[0], settings={"a": 9}), "a = 9 is not allowed"),
    ],
)  # fmt: skip
def test_a_prediction_of_what_is_not_there_is_refused(prediction, message):
    with pytest.raises(ValueError, match=message):
        prediction.check(RESULTS, EVERY)


@pytest.mark.parametrize(
    "ends",
    [(-1e308, 1e308), (0.0, 1e-322), (0.0, 10**400), (0, 10**400), (0, 2**60), (0.0, np.inf)],
)
def test_sliders_without_numbers_between_their_ends_are_refused(ends: tuple[Any, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be set: it must be that its ends"):
        explore(lambda x: x, {"x": ends})


def test_what_may_be_set_holds_the_slider() -> None:
    for kind, numbers in ((Range, (0.0, 1.0, 0.5, 0.01)), (LogRange, (0.1, 10.0, 1.0, 0.05))):
        with pytest.raises(ValueError, match="allowed holds the slider's own ends"):
            kind("x", "x", "", *numbers, (0.2, 0.8))
        with pytest.raises(ValueError, match="allowed is the two ends"):
            kind("x", "x", "", *numbers, (1,))
    with pytest.raises(ValueError, match="its minimum is above 0"):
        LogRange("x", "x", "", 0.1, 10.0, 1.0, 0.05, (0.0, 100.0))


def test_a_label_that_was_forgotten_is_named() -> None:
    with pytest.raises(TypeError, match=r"'x' has 0 where its label or symbol belongs"):
        Range("x", 0, 1)  # type: ignore[arg-type]
