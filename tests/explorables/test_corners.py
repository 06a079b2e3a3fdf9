"""Functions, names and numbers at the edge of what a figure can hold: shown right, or refused by name."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.explorables import LogRange, Point, Prediction, Range, Table, Toggle, explore, export
from gradlab.explorables.figure import Figure
from gradlab.explorables.views import (
    Axis,
    Dot,
    Matrix,
    Multiples,
    Panels,
    Plane,
    Profile,
    Ring,
    Series,
    Stream,
    Surface,
    Tangent,
    Threshold,
    Vector,
)

X = {"x": (0.0, 1.0)}


def page(figure: Figure) -> str:
    """The figure's first picture and words as a page has them."""
    drawn = export.drawn(figure.describe())
    assert drawn is not None, "there is no Node"
    return html.unescape(drawn.partition('<script type="application/json"')[0])


def several(x):
    return {"y": x * jnp.arange(1.0, 6.0)}


@pytest.mark.parametrize(
    "function",
    [
        lambda f: jnp.sin(2 * jnp.pi * f * jnp.arange(6.0)),
        lambda f: jnp.exp(-(((f - 0.23) / 0.05) ** 2)) * jnp.ones(3),
    ],
)
def test_an_axis_holds_what_lies_between_round_settings(function: Any) -> None:
    figure = explore(function, {"f": (0.0, 1.0, 0.1)})
    low, high = figure.describe()["view"]["y"]["span"]
    for f in np.linspace(0, 1, 41):
        values = np.asarray(function(float(f)))
        assert low - 0.02 <= values.min()
        assert values.max() <= high + 0.02
    assert high <= 1.5


def test_an_axis_holds_the_first_setting_of_many_controls() -> None:
    names = "abcdefgh"
    peak = explore(
        lambda **at: (
            jnp.prod(jnp.stack([jnp.where(v == 0.37, 3.0, 0.5) for v in at.values()])) * jnp.ones(3)
        ),
        dict.fromkeys(names, (0.0, 1.0, 0.37)),
    )
    assert peak.describe()["view"]["y"]["span"][1] >= 3.0 ** len(names)


def test_names_of_any_alphabet_are_filled_in_the_page() -> None:
    figure = explore(lambda λ, θ: {"η": jnp.sin(λ) * θ}, {"λ": (0.0, 6.0), "θ": (0.0, 1.0)})
    assert figure.sentence == "With λ = 3, θ = 0.5: η = 0.0706."
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in page(figure)
    point = {"p": Point("p", "p")}
    labelled = explore(
        lambda p, λ: p * λ, point | {"λ": (0.0, 1.0)}, Plane([Ring("λ", label="r = {λ}")])
    )
    assert ">r = 0.5<" in page(labelled)


def test_the_micro_sign_is_the_letter_that_python_makes_of_it() -> None:
    figure = explore(lambda µ: µ * 2, {"\u00b5": (0.0, 6.0)}, presets={"high": {"\u00b5": 6.0}})
    assert figure.settings == {"\u03bc": 3.0}
    figure.set(**figure.describe()["presets"][0]["settings"])
    assert figure.settings == {"\u03bc": 6.0}


def test_a_table_has_no_more_rows_than_its_result() -> None:
    figure = explore(
        lambda n: {"m": jnp.arange(9.0).reshape(3, 3) * n}, {"n": (0.0, 5.0, 5.0)}, Matrix("m", full=40.0),
        table=Table([("{n}", "m")], count="n", rows="row {n}"),
    )  # fmt: skip
    assert [row[0] for row in figure.table()] == ["", "row 1", "row 2", "row 3"]
    assert page(figure).count('<th scope="row">row ') == 3
    figure.n = 1.7
    assert figure.table() == [["", "1"], ["row 1", "0.00"]]
    assert page(figure).count('<th scope="row">row ') == 1


@pytest.mark.parametrize(
    ("columns", "rows"), [([("v", "v")], 4), ([("v", "v"), ("s", "s")], 1), ([("n", "n")], 1)]
)
def test_a_table_has_rows_for_all_its_columns(columns: Any, rows: int) -> None:
    figure = explore(
        lambda n: {"v": jnp.arange(4.0), "s": n * 2},
        {"n": (0, 9, 9)},
        table=Table(columns, count="n", rows="row {n}"),
    )
    assert len(figure.table()) == 1 + rows
    assert page(figure).count('<th scope="row">row ') == rows


@pytest.mark.parametrize("size", [1e14, 1e15, 5e21, 1e28, 1e300])
@pytest.mark.parametrize("field", ["{y}", "{y:2}", "{y:c}", "{y:g}"])
def test_large_numbers_are_said_alike_here_and_in_the_page(size: float, field: str) -> None:
    figure = explore(
        lambda x: {"y": -x * size},
        {"x": (0.0, 1.0, 0.3)},
        sentence=f"y = {field}.",
        table=Table([("y", "y")]),
    )
    assert repr(figure).splitlines()[0] == figure.sentence
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in page(figure)


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-290, 1e290, 1.7e308])
def test_results_of_extreme_size_have_an_axis(size: float) -> None:
    figure = explore(lambda x: x * size, {"x": (0.0, 1.0, 1.0)})
    low, high = figure.describe()["view"]["y"]["span"]
    assert np.isfinite([low, high]).all()
    assert low < high
    assert "<svg" in page(figure)


@pytest.mark.parametrize(
    "ends",
    [(-1e308, 1e308), (0.0, 1e-322), (0.0, 10**400), (0, 10**400), (0, 2**60), (0.0, np.inf)],
)
def test_sliders_without_numbers_between_their_ends_are_refused(ends: tuple[Any, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be set: it must be that its ends"):
        explore(lambda x: x, {"x": ends})


def test_numbers_of_numpy_and_jax_are_plain_in_a_view() -> None:
    axis = Axis((0, np.float32(5)), label="y")
    view = Profile(
        [Series("y")], axis, thresholds=[Threshold(np.float32(2)), Threshold(jnp.asarray(1.0))]
    )
    figure = explore(several, X, view)
    assert json.loads(json.dumps(figure.describe()))["view"]["thresholds"][0]["value"] == 2.0
    point = {"p": Point("p", "p")}
    dots = Plane(
        [Dot(np.array([0.1, 0.2])), Dot(jnp.array([0.3, 0.4])), Vector("p")], x=np.array([-1, 1])
    )
    assert json.loads(json.dumps(explore(lambda p: p * 1.0, point, dots).describe()))["view"][
        "x"
    ] == [-1, 1]


def test_a_points_numbers_are_set_together_and_checked() -> None:
    figure: Any = explore(lambda p: p * 1.0, {"p": Point("p", "p")})
    with pytest.raises(TypeError):
        figure.p[0] = 99.0
    figure.p = [0.25, -1]
    assert figure.settings == {"p": (0.25, -1.0)}
    assert json.loads(json.dumps(figure.describe()))["settings"] == {"p": [0.25, -1.0]}


def test_a_toggle_takes_a_boolean_of_jax() -> None:
    figure: Any = explore(lambda on: on * 1.0, {"on": Toggle("on", "on")})
    figure.on = jnp.array(True)
    assert figure.settings == {"on": True}


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (lambda: Profile([Series("y")], (0, 5)), r"y = \(0, 5\); expected an axis"),
        (lambda: Profile(["y"], Axis()), r"series = \['y'\]; expected a list, such as series="),
        (lambda: Profile([Series("y")], Axis(), names="abcde"), "names = 'abcde'; expected a list"),
        (lambda: Profile([Series("y")], Axis(), thresholds=[1.0]), r"thresholds = \[1.0\]"),
        (lambda: Plane(Dot("y")), "marks = Dot"),
        (lambda: Plane(["y"]), r"marks = \['y'\]"),
        (lambda: Panels([Matrix("m")]), "views = "),
        (lambda: Panels([]), "pairs of a title and a view"),
        (lambda: Plane([Vector("p", 3)]), "'?3'?,? is 3; expected text"),
        (lambda: Surface(np.ones((4, 4)), (0, 1), (0, 1), (0, 1)), r"what record\(array"),
    ],
)
def test_what_a_view_cannot_draw_is_refused_by_kind(view: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        explore(
            lambda p: {"y": jnp.arange(5.0) * p[0], "m": jnp.ones((2, 2)), "q": p},
            {"p": Point("p", "p")},
            view(),
        )


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (
            Profile([Series("y")], Axis(), thresholds=[Threshold(np.nan)]),
            "a threshold from nan; expected finite",
        ),
        (Profile([Series("y", mark="dots")], Axis()), "the mark 'dots'; expected one of bars"),  # type: ignore[arg-type]
        (Plane([Dot((0.1, np.nan))]), "expected finite numbers of the shape"),
        (Plane([Ring(np.inf)]), "from inf; expected finite"),
        (Plane([Vector("q", "{q.7}")]), r"asks for q\.7; q has the shape \[2\]"),
        (Plane([Vector("q", "{y}")]), "asks for all of 'y': 5 numbers"),
        (Plane([Vector("q", "{q:.2f}")]), "which is no field"),
        (Multiples(Profile([Series("y")], Axis()), ("k",), titles="{y}"), "asks for all of 'y'"),
        (
            Multiples(Profile([Series("k")], Axis()), ("k",), across=0),
            "across = 0; expected an integer, 1 or more",
        ),
        (Matrix("m", digits=200), "digits = 200; expected an integer, 0 to 9"),
        (Surface("m", (0, 1), (0, 1), (0, 1), contours=-3), "contours = -3"),
        (Stream(), "draws one figure of the book alone, from states"),
        (Tangent(), "draws one figure of the book alone, from abscissae"),
    ],
)
def test_what_a_view_cannot_draw_is_refused_by_value(view: Any, message: str) -> None:
    def function(p):
        return {
            "y": jnp.arange(5.0) * p[0],
            "m": jnp.ones((2, 2)),
            "q": p * 1,
            "k": jnp.ones((3, 5)),
        }

    with pytest.raises(ValueError, match=message):
        explore(function, {"p": Point("p", "p")}, view)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<span>{value}</span>", "asks for 'value'"),
        ("{y.7}", r"asks for y\.7; y has the shape \[5\]"),
        ("{y}", "asks for all of 'y': 5 numbers"),
        ("a < b & c", r"cannot be read from '< b & c' on"),
        ("<span><b>{x}</span>", "has </span> where <b> is open"),
        ("<span><b>{x}</b>", "leaves <span> open"),
        ("</b>", "has </b> where nothing is open"),
        ("<span data-each='y'>{value}</span>", "double quotes"),
        ('<span data-each="x">{value}</span>', r"each of 'x', which has the shape \[\]"),
        ('<span data-each="y" data-count="6">{value}</span>', "asks for 6 of 'y', which has 5"),
        (
            '<span data-each="y" data-count="y">{value}</span>',
            "counts with 'y', which is no single number",
        ),
        ('<span data-when="!z">{x}</span>', "asks for 'z'"),
    ],
)
def test_an_equation_that_cannot_be_read_or_filled_is_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explore(several, X, equation=line)


def test_an_equation_counts_no_further_than_its_numbers() -> None:
    line = '<span data-each="y" data-count="n" data-between="; ">{n}: {value:1}</span>'
    figure = explore(lambda n: {"y": jnp.arange(3.0)}, {"n": (0, 9, 9)}, equation=line)
    assert "3: 2.0" in page(figure)
    assert "4: " not in page(figure)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"title": 3}, "title is 3; expected text"),
        ({"labels": ["a"]}, "labels is"),
        ({"labels": {"picture": 3}}, "labels.'picture'. is 3; expected text"),
        ({"parts": ["a"]}, "parts is"),
        ({"stills": None}, "stills is None; expected a list"),
        ({"presets": 3}, "presets is 3; expected"),
        ({"equation": 3}, "equation is 3; expected a list of lines"),
        ({"equation": [3]}, "The equation is 3; expected text"),
        ({"more": "x"}, r"more is 'x'; expected a list of names, as \['x'\]"),
        ({"table": Table(["y"])}, "expected pairs of a heading and a result"),
        (
            {"prediction": Prediction("?", "y", "sketch", guess=Range("g", "g"), conceals="y")},
            r"conceals is 'y'; expected a list of texts",
        ),
    ],
)
def test_what_is_of_another_kind_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        explore(several, X, **options)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Table([("on", "on")]), "a column of 'on', a control that is no number"),
        (
            Table([("y", "y")], count="on"),
            "count is 'on'; expected a result or a control of one number",
        ),
        (
            Table([("y", "y")], count="y"),
            "count is 'y'; expected a result or a control of one number",
        ),
    ],
)
def test_a_table_of_what_is_no_number_is_refused(table: Table, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explore(lambda x, on: {"y": jnp.arange(5.0) * x}, X | {"on": True}, table=table)


def test_there_is_nothing_to_sketch_of_nothing() -> None:
    asked = Prediction("?", "result", "sketch", guess=Range("g", "g"))
    with pytest.raises(ValueError, match="nothing to sketch"):
        explore(lambda x: jnp.zeros(0) * x, X, prediction=asked)


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


def test_a_symbol_with_braces_stays_out_of_the_sentence() -> None:
    figure = explore(lambda x: x * 2, [Range("x", "place", "x_{0}")])
    assert figure.sentence == "With place = 0.5: result = 1."


def test_a_file_may_be_named_in_bytes_and_by_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    figure = explore(several, X)
    assert figure.save_html(str(tmp_path / "a.html").encode()) == tmp_path / "a.html"
    assert figure.save_html("~/b.html") == tmp_path / "b.html"
    assert (tmp_path / "a.html").read_text("utf-8") == (tmp_path / "b.html").read_text("utf-8")


def test_what_node_says_of_a_figure_that_it_cannot_draw_is_said() -> None:
    broken = explore(several, X).describe() | {"sentences": ["{missing}"]}
    with pytest.raises(export.DrawingError, match=r'The template "\{missing\}" asks for "missing"'):
        export.drawn(broken)
