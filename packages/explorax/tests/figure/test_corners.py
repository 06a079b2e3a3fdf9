"""Functions, names and numbers at the edge of what a figure can hold are shown right."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from tests.figure.in_node import in_node

from explorax import Point, Range, Table, explore
from explorax.figure.equation import each
from explorax.figure.widget import Figure
from explorax.frontend import draw
from explorax.node import NodeError
from explorax.views import (
    Axis,
    Dot,
    Matrix,
    Plane,
    Profile,
    Ring,
    Series,
    Threshold,
    Vector,
)
from tests.tiers import some_now

X = {"x": (0.0, 1.0)}


def page(figure: Figure) -> str:
    """The figure's first picture and words as a page has them."""
    (drawn,) = draw([figure.describe()])
    return html.unescape(drawn.partition('<script type="application/json"')[0])


MORE = """
import { readFileSync } from "node:fs";
const here = process.argv[1];
const { renderToString } = await import(`${here}/node_modules/preact-render-to-string/dist/index.mjs`);
const { html } = await import(`${here}/src/common/html.js`);
const { load } = await import(`${here}/src/runtime/program.js`);
const { Equation } = await import(`${here}/src/runtime/equation.js`);
const { Table } = await import(`${here}/src/runtime/table.js`);
const description = { ...JSON.parse(readFileSync(0, "utf8")), reserved: { equation: [] } };
const { settings } = description;
const values = (await load(description))(settings);
const state = { settings, values, concealed: new Set(), lit: null };
const both = [description.equation.length && Equation, description.table && Table].filter(Boolean);
process.stdout.write(renderToString(both.map((part) => html`<${part} description=${description} state=${state} />`)));
"""


def behind_more(figure: Figure) -> str:
    """The figure's equation and table, as a page shows them behind its fold."""
    return in_node(MORE, figure.describe())


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


@pytest.mark.slow
def test_names_of_any_alphabet_are_filled_in_the_page() -> None:
    figure = explore(lambda λ, θ: {"η": jnp.sin(λ) * θ}, {"λ": (0.0, 6.0), "θ": (0.0, 1.0)})
    assert figure.sentence == "With λ = 3, θ = 0.5: η = 0.0706."
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in page(figure)
    point = {"p": Point("p", "p")}
    labelled = explore(
        lambda p, λ: p * λ, point | {"λ": (0.0, 1.0)}, Plane([Ring("λ", label="r = {λ}")])
    )
    assert ">r = 0.5<" in page(labelled)


def test_micro_sign_becomes_mu() -> None:
    figure = explore(lambda µ: µ * 2, {"\u00b5": (0.0, 6.0)}, presets={"high": {"\u00b5": 6.0}})
    assert figure.settings == {"\u03bc": 3.0}
    figure.set(**figure.describe()["presets"][0]["settings"])
    assert figure.settings == {"\u03bc": 6.0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "n", "rows"),
    [
        ([("{n}", "m")], 5.0, 3),
        ([("{n}", "m")], 1.7, 1),
        ([("v", "v")], 9.0, 4),
        ([("v", "v"), ("s", "s")], 9.0, 1),
        ([("n", "n")], 9.0, 1),
    ],
)
def test_a_table_has_no_more_rows_than_its_results(columns: Any, n: float, rows: int) -> None:
    figure = explore(
        lambda n: {"m": jnp.arange(9.0).reshape(3, 3) * n, "v": jnp.arange(4.0), "s": n * 2},
        {"n": (0.0, 9.0, n)},
        Matrix("m", full=40.0),
        table=Table(columns, count="n", rows="row {n}"),
    )
    assert [row[0] for row in figure.table()] == ["", *(f"row {k + 1}" for k in range(rows))]
    assert behind_more(figure).count('<th scope="row">row ') == rows


@pytest.mark.slow
def test_large_numbers_are_written_alike_in_python_and_the_page() -> None:
    sizes = {f"y{n}": size for n, size in enumerate((1e14, 1e15, 5e21, 1e28, 1e300))}
    figure = explore(
        lambda x: {name: -x * size for name, size in sizes.items()},
        {"x": (0.0, 1.0, 0.3)},
        sentence=" ".join(f"{{{name}}} {{{name}:,.2f}} {{{name}:.3~g}}" for name in sizes),
        table=Table([("y", "y0")]),
    )
    assert repr(figure).splitlines()[0] == figure.sentence
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in page(figure)


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", some_now([5e-324, 1e-310, 1e-290, 1e290, 1.7e308], 5e-324, 1.7e308)
)
def test_results_of_extreme_size_have_an_axis(size: float) -> None:
    figure = explore(lambda x: x * size, {"x": (0.0, 1.0, 1.0)})
    low, high = figure.describe()["view"]["y"]["span"]
    assert np.isfinite([low, high]).all()
    assert low < high
    assert "<svg" in page(figure)


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


@pytest.mark.slow
def test_equation_repeats_at_most_its_numbers() -> None:
    line = each("y", "{n}: {value:.1f}", part="y", count="n", between="; ")
    figure = explore(lambda n: {"y": jnp.arange(3.0)}, {"n": (0, 9, 9)}, equation=line)
    assert "3: 2.0" in behind_more(figure)
    assert "4: " not in behind_more(figure)


def test_a_symbol_with_braces_stays_out_of_the_sentence() -> None:
    figure = explore(lambda x: x * 2, [Range("x", "place", "x_{0}")])
    assert figure.sentence == "With place = 0.5: result = 1."


@pytest.mark.slow
def test_file_name_is_of_an_existing_folder_and_may_be_bytes_or_start_with_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    figure = explore(several, X)
    with pytest.raises(FileNotFoundError, match=r"missing does not exist; make it first"):
        figure.save_html(tmp_path / "missing" / "figure.html")
    with pytest.raises(IsADirectoryError, match="is a folder; expected the path of a file"):
        figure.save_html(tmp_path)
    assert figure.save_html(str(tmp_path / "a.html").encode()) == tmp_path / "a.html"
    assert figure.save_html("~/b.html") == tmp_path / "b.html"
    assert (tmp_path / "a.html").read_text("utf-8") == (tmp_path / "b.html").read_text("utf-8")


@pytest.mark.slow
def test_node_error_for_a_broken_figure_is_reported() -> None:
    broken = explore(several, X).describe() | {"sentences": ["{missing}"]}
    with pytest.raises(NodeError, match=r'The template "\{missing\}" asks for "missing"'):
        draw([broken])
