"""The river, dragged: what moves, what stays, and how long it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.site.book import LANDING
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now


def painted(figure: Shown, selector: str, *attributes: str) -> list[list[str]]:
    """The attributes of what matches in the picture."""
    found: list[list[str]] = figure.drawn(selector).evaluate_all(
        "(all, names) => all.map((e) => names.map((name) => e.getAttribute(name)))", attributes
    )
    return found


def lane(figure: Shown) -> list[list[str]]:
    return painted(figure, ".gl-value", "x", "y", "width", "height")


def stream(figure: Shown) -> list[list[str]]:
    return painted(figure, ".gl-band", "d")


@pytest.fixture
def river(open_page: Any, page_of: Any) -> Any:
    """Open a page of its own with the river: ``river(stage=3, scale=1.0)``."""

    def open_river(**settings: Any) -> Shown:
        page = open_page(page_of(UnrolledFlow(**settings)), viewport=WINDOWS["wide"])
        return Shown(page, "UnrolledFlow")

    return open_river


@pytest.mark.parametrize("scheme", some_now(["http", "file"], "http"))
def test_dragging_s_narrows_the_stream_and_leaves_the_values(
    open_page: Any, site: Path, drag: Any, scheme: str
) -> None:
    address = LANDING if scheme == "http" else (site / LANDING).as_uri()
    figure = Shown(open_page(address, viewport=WINDOWS["wide"]), "UnrolledFlow")
    bars, bands = lane(figure), stream(figure)
    drag(figure.page, figure.handle("scale"), 0, -9.75)
    assert figure.control("scale").input_value() == "0.25"
    assert figure.sentence == UnrolledFlow(scale=0.25).sentence
    assert lane(figure) == bars
    assert stream(figure) != bands


def test_clipping_leaves_the_values_and_takes_the_closed_form_away(river: Any) -> None:
    figure = river(stage=3, scale=1.0, limit=1.2)
    bars, sums = lane(figure), figure.root.locator(".gl-equation :is(munderover, msubsup)")
    assert sums.count() == 2
    figure.root.locator(".gl-more summary").click()
    figure.control("clip").check()
    assert lane(figure) == bars
    assert figure.sentence == UnrolledFlow(scale=1.0, limit=1.2, clip=True).sentence
    assert sums.count() == 0


def test_dragging_the_tangent_tilts_it_and_leaves_curve_and_value(show: Any, drag: Any) -> None:
    figure = show("ReportedTangent")
    stays = [(".gl-curve", "d"), (".gl-point", "cx", "cy")]
    before, tangent = (
        [painted(figure, *part) for part in stays],
        painted(figure, ".gl-reported", "d"),
    )
    drag(figure.page, figure.handle("scale"), 0, 75)
    scale = figure.settings["scale"]
    assert scale < 0.4
    assert figure.sentence == ReportedTangent(scale=scale).sentence
    assert [painted(figure, *part) for part in stays] == before
    assert painted(figure, ".gl-reported", "d") != tangent


def test_a_broken_figure_is_reported_and_leaves_the_others_alive(
    open_page: Any, twice: Any
) -> None:
    address = twice(UnrolledFlow(), lambda f: f.replace("function evaluate", "function nothing"))
    page = open_page(address, strict=False)
    Shown(page, "UnrolledFlow")
    assert page.locator("figure.gl-figure").count() == 2
    assert page.locator("figure.gl-ready").count() == 1
    assert any("is not a function" in error for error in page.errors)


def test_a_drag_is_a_frame(river: Any) -> None:
    times = river(stage=3, steps=12).root.evaluate(
        """(figure) => {
          const slider = figure.querySelector("[data-control=scale]");
          return Array.from({ length: 60 }, (_, i) => {
            const start = performance.now();
            slider.value = String(i / 60);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            slider.dispatchEvent(new Event("change", { bubbles: true }));
            figure.getBoundingClientRect();
            return performance.now() - start;
          }).sort((a, b) => a - b);
        }"""
    )
    assert times[30] < 16.7, f"a change takes {times[30]:.1f} ms"
