"""``explore``: a reader's own function becomes a figure, or is told why not."""

from __future__ import annotations

import functools
from collections import namedtuple

import jax
import jax.numpy as jnp
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
from explorax.figure import domains
from explorax.figure.spec import Table
from explorax.views import Axis as ViewAxis
from explorax.views import Matrix, Plane, Profile, Series


def wave(s, k):
    return jnp.sin(s) * k


def test_short_forms_become_controls_as_in_interact():
    figure = explore(
        lambda s, k, on, which, g: s * k + on + which + g[0],
        {
            "s": (0.0, 2.0), "k": (1, 5, 3), "on": True, "which": ["one", "two"],
            "g": Point("g", "gradient"),
        },
    )  # fmt: skip
    kinds = [type(control) for control in figure.spec.controls]
    assert kinds == [Range, Integer, Toggle, Choice, Point]
    assert figure.settings == {"s": 1.0, "k": 3, "on": True, "which": "one", "g": (0.5, 0.5)}


def test_value_is_computed_by_jax():
    figure = explore(wave, {"s": (0.0, 6.0), "k": (1, 3)})
    figure.set(s=2.0, k=3)
    assert float(figure.value["result"]) == pytest.approx(3 * np.sin(2.0), rel=1e-15)
    assert figure.value["result"].dtype == np.float64
    with pytest.raises(ValueError, match="k = 4 is not allowed"):
        figure.set(s=1.0, k=4)
    assert figure.settings == {"s": 2.0, "k": 3}, "where one is refused none is set"


Pair = namedtuple("Pair", "low high")


@pytest.mark.parametrize(
    ("result", "names"),
    [
        (lambda s: s, ["result"]),
        (lambda s: (s, 2 * s), ["result_1", "result_2"]),
        (lambda s: {"a": s, "b": 1.0}, ["a", "b"]),
        (lambda s: Pair(s, s + 1), ["low", "high"]),
    ],
)
def test_results_have_names(result, names):
    table = explore(result, {"s": (0.0, 1.0)}).table()
    assert table[0][1:] == [name.replace("_", " ") for name in names], "in the function's order"


@pytest.mark.parametrize(
    ("function", "view"),
    [
        (lambda s: s**2, Profile),
        (lambda s: s * jnp.arange(5.0), Profile),
        (lambda s: s * jnp.ones((3, 4)), Matrix),
        (lambda s: jnp.stack([s, 1 - s]), Plane),
        (jax.grad(lambda s: s**2), Profile),
    ],
)
def test_a_view_is_chosen_by_the_shapes(function, view):
    figure = explore(function, {"s": (-1.0, 2.0)})
    assert isinstance(figure.spec.view, view)
    assert "s = 0.5" in figure.sentence
    assert len(figure.table()) > 1


def test_domains_hold_everything_that_the_controls_allow():
    figure = explore(
        lambda s, k: s * k * jnp.array([1.0, -1.0, 0.5]), {"s": (0.0, 2.0), "k": (1, 7)}
    )
    assert figure.spec.view.y.span == (-15.0, 15.0)


def test_curve_over_decades_is_spaced_like_its_slider():
    figure = explore(lambda e: jnp.log(e), [LogRange("e", "epsilon", "ε", 1e-8, 1.0, 1e-4)])
    places = figure.value["places"]
    np.testing.assert_allclose(np.diff(np.log(places)), np.log(1e8) / 120)
    assert figure.spec.view.x.scale == "log"
    both = explore(lambda e: e, [SymlogRange("e", "e", "", -10.0, 10.0, threshold=0.1)])
    assert both.spec.view.x.scale == "symlog"
    assert both.value["places"][60] == 0


def test_numbers_without_a_slider_are_bars():
    figure = explore(lambda on: {"a": on * 1.0, "b": 2.0}, {"on": True})
    assert figure.spec.view.names == ("a", "b")
    assert list(figure.value["together"]) == [1.0, 2.0]


def test_given_words_and_views_are_used():
    figure = explore(
        lambda s: {"y": s * jnp.arange(3.0), "total": 3 * s},
        {"s": (0.0, 1.0)},
        Profile([Series("y", "y")], y=ViewAxis((0.0, 2.0))),
        title="Three",
        look="Look.",
        sentence="At {s}: {total:,.2f}.",
        table=Table([("y", "y")], rows="{n}", count=3),
        equation=r"$\class{total}{\live{total:.2f}}$",
        presets={"all": {"s": 1.0}},
        prediction=Prediction(
            "How much at 1?", "total", settings={"s": 1.0}, guess=Range("t", "t", "", 0.0, 3.0, 1.0)
        ),
    )
    assert figure.sentence == "At 0.5: 1.50."
    description = figure.describe()
    assert description["title"] == "Three"
    assert description["presets"] == [{"label": "all", "settings": {"s": 1.0}}]
    assert description["prediction"]["how"] == "number"
    assert figure.table()[1:] == [["1", "0.00"], ["2", "0.50"], ["3", "1.00"]]


def test_a_figure_beside_the_text_asks_nothing_and_another_width_is_refused():
    asks = Prediction("At 1?", "result", settings={"s": 1.0}, guess=Range("g", "g", "", 0.0, 1.0))
    figure = explore(lambda s: s**2, {"s": (0.0, 1.0)}, prediction=asks, width="half")
    described = figure.describe()
    assert (described["width"], described["prediction"]) == ("half", None)
    with pytest.raises(ValueError, match="width is 'narrow'; expected one of"):
        explore(lambda s: s**2, {"s": (0.0, 1.0)}, width="narrow")


def test_the_code_that_is_shown_is_the_readers():
    description = explore(wave, {"s": (0.0, 1.0), "k": (1, 3)}).describe()
    assert description["source"] == "def wave(s, k):\n    return jnp.sin(s) * k"
    assert description["name"] == "wave"
    assert "export function evaluate" in description["program"]
    part = functools.partial(wave, k=2.0)
    assert explore(part, {"s": (0.0, 1.0)}).spec.code() == description["source"]


@pytest.mark.parametrize(
    ("ends", "expected"), [((0.0, 1.0), 0.01), ((0.0, 6.0), 0.05), ((-2.0, 2.0), 0.02), ((0, 1e-3), 1e-5)]
)  # fmt: skip
def test_steps_are_round_and_at_most_a_hundredth_of_the_range(ends, expected):
    assert domains.step(*ends) == expected
