"""A view's specification: the values it takes, those it refuses, and the recorded arrays it keeps."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.figure.in_node import in_node

from explorax import Choice, Integer, Point, Range
from explorax.compiler import Leaf
from explorax.views import (
    Arc,
    Axis,
    Chain,
    Cloud,
    Dot,
    Image,
    Line,
    Listing,
    Matrix,
    Multiples,
    Panels,
    Plane,
    Profile,
    Ring,
    Series,
    Surface,
    Threshold,
    Trail,
    Vector,
    View,
    record,
)
from explorax.views.base import encode


class Clock(View):
    """A view that is not the engine's."""

    kind = "clock"
    reads = ("scalar", "hours", "c")


GIVEN = {
    "scalar": (), "pair": (2,), "rows": (5, 2), "steps": (5,), "more": (6,),
    "field": (4, 3), "square": (4, 4), "matrices": (3, 2, 2),
}  # fmt: skip
OUTPUTS = [Leaf(name, shape, "float64") for name, shape in GIVEN.items()]
CONTROLS = [
    Range("c", "limit"),
    Point("p", "place"),
    Integer("n", "steps"),
    Choice("slot", "it stands", options=(("top", "top"), ("off", "nowhere"))),
]
Y = Axis((0.0, 1.0))
STEPS = Profile([Series("steps")], Y)
LINES = (Line("for a in b:"), Line("  # top", "top"), Line("  pass"), Line("# off", "off"))
LISTING = Listing(LINES, "h = f(h, {c})", "slot")


def check(view: View) -> None:
    view.check(OUTPUTS, CONTROLS)


@pytest.mark.parametrize(
    "view",
    [
        Plane((Vector("pair", drag="p", tail="p"), Vector("rows"), Cloud("rows"))),
        Plane((Vector("pair", drag="c", along="pair"), Ring("c", drag="c", center="p"), Dot("p"))),
        Plane((Image("matrices"), Trail("rows", count="n"), Arc("p", "pair"))),
        Profile((Series("steps", low="steps", high="steps"),), Y, thresholds=(Threshold("c", drag="c"),)),
        Profile((Series("steps"), Series("more", at="more")), Y, Axis(label="{c}"), at="steps"),
        Chain("more", "more", "steps", "steps", total="c", drag="c", forward="n"),
        Matrix("square", triangle=True, count="n"),
        Surface("field", (0, 1), (0, 1), (0, 1)),
        Surface(record(np.eye(3), "an example"), (0, 1), (0, 1), (0, 1)),
        LISTING,
        Multiples(Plane((Image("matrices"),)), over=("matrices",)),
        Multiples(Profile((Series("rows"),), Y), over=("rows",), titles=list("abcde")),
        Panels((("", Plane((Dot("p"),))), ("", Matrix("field"))), wide="beside"),
    ],
    ids=lambda view: view.kind,
)  # fmt: skip
def test_valid_view_is_accepted_and_is_plain_data(view: View) -> None:
    check(view)
    described = json.loads(json.dumps(view.describe()))
    assert described["kind"] == view.kind


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Plane((Vector("pair", when="rows"),)), r"whether a mark is there from 'rows'.*expected \[\]"),
        (Plane((Vector("gone"),)), r"draws an arrow from 'gone', which the figure does not have.*pair \[2\].*c, p, n"),
        (Plane((Vector("steps"),)), r"'steps', which has the shape \[5\]; expected \[2\] or \[n, 2\]"),
        (Plane((Vector("pair", drag="c"),)), r"to set 'c', which is a control of the kind 'range'; expected 'point'"),
        (Plane((Vector("pair", drag="pair"),)), r"'pair', which is no control of the figure; expected 'point'. The controls are c, p, n"),
        (Plane((Ring("p"),)), r"ring's radius from 'p', which has the shape \[2\]"),
        (Plane((Ring("c", drag="p"),)), r"kind 'point'; expected 'range' or"),
        (Plane((Dot("pair", role="red"),)), r"role 'red'; expected one of state, cotangent"),
        (Plane((), x=(1.0, 1.0)), r"x = \(1.0, 1.0\); expected two finite numbers, the lower first"),
        (Plane((), y=(0.0, np.inf)), r"expected two finite numbers"),
        (Plane((Dot("p", label="at {pp}"),)), r"'at \{pp\}'.*asks for 'pp'"),
        (Plane((Image("square"),)), r"expected \[2, 2\] or \[n, 2, 2\]"),
        (Profile((Series("steps"), Series("more")), Y), r"series of 5 and of 6 values \('more'\)"),
        (Profile((Series("steps", at="more"),), Y, at="steps"), r"series of 6 and of 5 values \('steps'\)"),
        (Profile((Series("steps", at="steps"),), Y), r"'steps' has places of its own, or is named at one, and the profile has none"),
        (Profile((Series("steps"),), Y, Axis(label="{gone}")), r"asks for 'gone'"),
        (Profile((Series("steps"),), Y, names=("a",)), r"1 names for 5 steps"),
        (Profile((Series("steps"),), Axis((0.0, 1.0), "log")), r"logarithmic axis that starts at 0"),
        (Profile((Series("steps"),), Axis((0.0, 1.0), "symlog", 2.0)), r"band of 2; expected"),
        (Profile((Series("steps", "at {pp}"),), Y), r"'at \{pp\}'.*asks for 'pp'"),
        (Profile((Series("steps"),), Y, thresholds=(Threshold("gone"),)), r"a threshold from 'gone'"),
        (Profile((Series("steps"),), Y, thresholds=(Threshold("c", divides="gone"),)), r"a threshold divides from 'gone'"),
        (Profile((Series("steps", mark="band"),), Y), r"band 'steps' has no low="),
        (Profile((Series("steps", named=1.0),), Y), r"'steps' has places of its own, or is named at one"),
        (Profile((Series("steps"),), Y, thresholds=(Threshold("c", spans=((1.0, "gone", "ink", ""),)),)), r"an end of a threshold's stroke from 'gone'"),
        (Profile((Series("steps"),), Y, thresholds=(Threshold("c", sides=("a", "b")),)), r"sides \('a', 'b'\); expected two"),
        (Chain("steps", "more"), r"cotangents from 'more', which has the shape \[6\]; expected \[5\]"),
        (Chain("more", received="more"), r"what a parameter receives from 'more'.*expected \[5\]"),
        (Chain("more", total="more"), r"a sum from 'more'.*expected \[\]"),
        (Chain("more", longest=0.0), r"longest = 0.0; expected a size above 0"),
        (Chain("more", widest=0.0), r"widest = 0.0; expected a size above 0"),
        (Matrix("field", triangle=True), r"4 rows and 3 columns as a triangle"),
        (Matrix("square", count="p"), r"number of rows from 'p'.*expected \[\]"),
        (Matrix("field", full=-1.0), r"full = -1.0"),
        (Surface("steps", (0, 1), (0, 1), (0, 1)), r"a field from 'steps'.*expected \[n, m\]"),
        (Surface("field", (0, 1), (0, 1), (0, 1), log=True), r"logarithmic shades from 0"),
        (Surface("field", (0, 1), (0, 1), (0, 1), marks=(Ring("c"),)), r"Ring.*expected Trail, Dot or Vector"),
        (Multiples(Chain("more"), over=("more",)), r"cannot draw Chain small"),
        (Multiples(Plane((Image("square"),)), over=("square",)), r"shape \[4\]"),
        (Multiples(Plane(()), over=("c",)), r"'c', which is no result with a leading axis"),
        (Multiples(Plane(()), over=("rows", "more")), r"different lengths: rows 5, more 6"),
        (Multiples(Plane(()), over=("rows",), titles=("a",)), r"1 titles for 5 pictures"),
        (Panels((("", Matrix("gone")),)), r"cells from 'gone'"),
        (
            Profile([Series("steps")], Y, thresholds=[Threshold(np.nan)]),
            "from nan; expected finite",
        ),
        (Profile([Series("steps", mark="dots")], Y), "the mark 'dots'; expected one of bars"),
        (Plane([Dot((0.1, np.nan))]), r"expected finite numbers of the shape \[2\]"),
        (Plane([Dot((0.1, 0.2, 0.3))]), r"expected finite numbers of the shape \[2\]"),
        (Plane([Ring(np.inf)]), "from inf; expected finite"),
        (Plane([Vector("pair", "{pair.7}")]), r"asks for pair\.7; pair has the shape \[2\]"),
        (Plane([Vector("pair", "{steps}")]), "asks for all of 'steps': 5 numbers"),
        (Plane([Vector("pair", "{pair:.2e}")]), "which is no field"),
        (Multiples(STEPS, ("rows",), titles="{more}"), "asks for all of 'more': 6 numbers"),
        (Multiples(STEPS, ("rows",), across=0), "across = 0; expected an integer, 1 or more"),
        (
            Multiples(STEPS, ("rows",), across_narrow=2.5),
            "across_narrow = 2.5; expected an integer",
        ),
        (Multiples(STEPS, ("rows",), plot_narrow=-1), "plot_narrow = -1; expected an integer, 0 or more"),
        (Matrix("square", digits=200), "digits = 200; expected an integer, 0 to 9"),
        (
            Surface("square", (0, 1), (0, 1), (0, 1), contours=-3),
            "contours = -3; expected an integer",
        ),
        (Listing(LINES[:3], "h", "slot"), "places for top, but the options of 'slot' are top, off"),
        (Listing((*LINES, LINES[1]), "h", "slot"), "expected one place for each"),
        (Listing(LINES, "h", "c"), "a control of the kind 'range'; expected 'choice'"),
        (Listing(LINES, "h", "place"), "'place', which is no control"),
        (Listing(LINES, "h = f(h, {scale})", "slot"), "scale"),
        (Listing((Line("x" * 37), *LINES), "h", "slot"), "37 letters; expected 36 or fewer"),
        (Listing((Line("x", part="norms"), *LINES), "h", "slot"), "'norms', which is no result"),
        (Profile([Series("steps")], (0, 5)), r"y = \(0, 5\); expected an axis"),
        (Profile(["steps"], Y), r"series = \['steps'\]; expected a list, such as series="),
        (Profile([Series("steps")], Y, names="abcde"), "names = 'abcde'; expected a list"),
        (Profile([Series("steps")], Y, thresholds=[1.0]), r"thresholds = \[1.0\]"),
        (Plane(Dot("p")), "marks = Dot"),
        (Plane(["p"]), r"marks = \['p'\]"),
        (Plane([Vector("p", 3)]), "A text in Plane, 3, is 3; expected text"),
        (Panels([STEPS]), r"views = \[Profile"),
        (Panels([("", "steps")]), "pairs of a title and a view"),
        (Panels([]), "pairs of a title and a view"),
        (Panels([("", STEPS)], linked=[("steps", "more")]), "expected 1 names in each"),
        (Surface(np.ones((4, 4)), (0, 1), (0, 1), (0, 1)), r"what record\(array"),
        (Clock(), r"Clock draws hours, which this figure does not have\. Its results and controls are scalar, "),
    ],
)  # fmt: skip
def test_view_of_missing_results_or_another_type_is_refused(view: View, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        check(view)


DECODE = """
import { readFileSync } from "node:fs";
const { decode } = await import(`${process.argv[1]}/src/views/surface/field.js`);
const { values } = decode(JSON.parse(readFileSync(0, "utf8")));
process.stdout.write(JSON.stringify(Array.from(values, String)));
"""


@pytest.mark.slow
@pytest.mark.parametrize("log", [False, True])
def test_page_decodes_a_recorded_array_to_a_part_in_4_000_of_its_range(log: bool) -> None:
    bowl = np.exp(np.outer(np.linspace(-3, 3, 41), np.linspace(-3, 3, 41))) + 1e-3
    given = np.concatenate([bowl, [[np.nan] * 41, [np.inf] * 41, [-np.inf] * 41]])
    recorded = record(given, "an example", log=log)
    decoded = json.loads(in_node(DECODE, encode(recorded)))
    found, others = np.split(np.array(decoded, float).reshape(given.shape), [41])
    np.testing.assert_array_equal(others, given[41:])
    error = np.abs(np.log(found / bowl)) if log else np.abs(found - bowl)
    span = np.log(bowl.max() / bowl.min()) if log else bowl.max() - bowl.min()
    assert error.max() <= span / 4_000 / 2 * 1.001
    np.testing.assert_allclose(recorded.values()[:41], found, rtol=1e-12)


@pytest.mark.parametrize(
    ("values", "log", "words"),
    [
        (np.ones(3), False, r"shape \[3\]"),
        (np.full((2, 2), np.nan), False, "0 finite values"),
        (np.zeros((2, 2)), True, "values down to 0; expected all above 0"),
    ],
)
def test_an_array_that_cannot_be_recorded_is_refused(
    values: np.ndarray, log: bool, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        record(values, "an example", log=log)


def test_listing_source_has_the_line_at_its_slot():
    assert LISTING.source("top", "h = f(h)") == "for a in b:\n  h = f(h)\n  pass\n"
    assert LISTING.source("off", "h = f(h)") == "for a in b:\n  pass\nh = f(h)\n"
