"""The river in a browser, dragged: what moves, what stays, and how long it takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gradlab.figures import ReportedTangent, UnrolledFlow
from tests.site.river_page import (
    LANDING,
    handle,
    lane,
    painted,
    ready,
    sentence,
    show_all,
    stream,
)


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_dragging_s_narrows_the_stream_and_leaves_the_values(
    open_page: Any, site: Path, drag: Any, scheme: str
) -> None:
    address = LANDING if scheme == "http" else (site / LANDING).as_uri()
    page = open_page(address, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    bars, bands = lane(figure), stream(figure)
    drag(page, handle(figure, "scale"), 0, -4.5)
    assert figure.locator("[data-control=scale]").input_value() == "0.25"
    assert "s = 0.25" in sentence(figure)
    assert sentence(figure) == UnrolledFlow(scale=0.25).sentence
    assert lane(figure) == bars
    assert stream(figure) != bands


def test_dragging_the_gain_moves_the_values_and_the_stream(
    open_page: Any, page_of: Any, drag: Any
) -> None:
    page = open_page(page_of(UnrolledFlow(stage=2)), viewport={"width": 900, "height": 900})
    figure = ready(page)
    bars, bands = lane(figure), stream(figure)
    drag(page, handle(figure, "gain"), 0, 4.5)
    gain = float(figure.locator("[data-control=gain]").input_value())
    assert gain == pytest.approx(1.5, abs=0.03)
    assert sentence(figure) == UnrolledFlow(gain=gain).sentence
    assert lane(figure) != bars
    assert stream(figure) != bands


def test_clipping_leaves_the_values_and_takes_the_closed_form_away(
    open_page: Any, page_of: Any
) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3, scale=1.0, limit=1.2)))
    figure = ready(page)
    bars = lane(figure)
    assert figure.locator(".gl-equation munderover").count() == 2
    figure.locator(".gl-more summary").click()
    figure.locator("[data-control=clip]").check()
    assert lane(figure) == bars
    assert sentence(figure) == UnrolledFlow(scale=1.0, limit=1.2, clip=True).sentence
    assert figure.locator(".gl-equation munderover").count() == 0


def test_every_placement_shows_what_python_says(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(UnrolledFlow(stage=3))))
    figure.locator(".gl-more summary").click()
    for placement in ("every_input", "before_heads", "off", "after_heads"):
        figure.locator("[data-control=placement]").select_option(placement)
        expected = UnrolledFlow(placement=placement)
        assert sentence(figure) == expected.sentence
        rows = figure.locator(".gl-table tbody tr")
        shown = [row.split("\t") for row in rows.evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent).join('\\t'))"
        )]  # fmt: skip
        assert shown == expected.table()[1:]


def test_nothing_is_rescaled_while_k_changes(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(UnrolledFlow()), viewport={"width": 900, "height": 900}))
    slider = figure.locator("[data-control=steps]")
    heights = set()
    for steps in (1, 6, 12):
        slider.fill(str(steps))
        (_, last), *_ = painted(figure, f'.gl-spring[data-index="{steps}"]', "data-index", "d")
        numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", last)]
        xs = numbers[::2]
        heights.add(round(max(xs) - min(xs), 1))
    assert len(heights) == 1


def test_what_is_too_wide_is_cut_and_says_by_how_much(open_page: Any, page_of: Any) -> None:
    address = page_of(UnrolledFlow(stage=2, scale=1.0, gain=2.0, steps=12))
    figure = ready(open_page(address, viewport={"width": 900, "height": 900}))
    texts = figure.locator(".gl-live svg:visible text").all_text_contents()
    assert "4,095 losses wide, cut at 12" in texts
    assert painted(figure, ".gl-limit", "d") == []


def test_presets_and_reset(open_page: Any) -> None:
    figure = ready(open_page(LANDING))
    figure.get_by_role("button", name="beyond: s = 1.5").click()
    assert "s = 1.5" in sentence(figure)
    assert figure.locator("[data-control=scale]").get_attribute("max") == "2"
    slider = figure.locator("[data-control=scale]")
    slider.fill("0.9")
    assert slider.get_attribute("max") == "2", "a slider does not change under the hand"
    figure.get_by_role("button", name="Reset").click()
    assert sentence(figure) == UnrolledFlow().sentence
    assert figure.locator("[data-control=scale]").get_attribute("max") == "1"


def test_the_state_before_the_drag_stays_as_an_outline(open_page: Any) -> None:
    page = open_page(LANDING, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    assert painted(figure, "path.gl-ghost", "d") == []
    handle = figure.locator(".gl-live svg:visible [data-handle=scale] .gl-knob")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + 6, box["y"] + 12)
    assert len(painted(figure, "path.gl-ghost", "d")) == 1
    page.mouse.up()
    assert painted(figure, "path.gl-ghost", "d") == []


def test_dragging_the_tangent_tilts_it_and_leaves_curve_and_value(
    open_page: Any, drag: Any
) -> None:
    page = open_page(
        "notebooks/01_the_missing_function.html", viewport={"width": 1280, "height": 900}
    )
    figure = page.locator("figure[data-figure=ReportedTangent].gl-ready")
    figure.wait_for()
    show_all(figure)
    curve, point = painted(figure, ".gl-curve", "d"), painted(figure, ".gl-point", "cx", "cy")
    tangent = painted(figure, ".gl-reported", "d")
    drag(page, handle(figure, "scale"), 0, 60)
    scale = float(figure.locator("[data-control=scale]").input_value())
    assert scale < 0.4
    assert sentence(figure) == ReportedTangent(scale=scale).sentence
    assert painted(figure, ".gl-curve", "d") == curve
    assert painted(figure, ".gl-point", "cx", "cy") == point
    assert painted(figure, ".gl-reported", "d") != tangent


def test_a_broken_figure_is_reported_and_leaves_the_others_alive(
    open_page: Any, page_of: Any
) -> None:
    address = page_of(UnrolledFlow())
    file = Path(address.removeprefix("file://"))
    text = file.read_text(encoding="utf-8")
    fragment = text[text.index("<figure") : text.rindex("</figure>") + len("</figure>")]
    broken = fragment.replace("export function evaluate", "export function nothing")
    file.write_text(text.replace(fragment, broken + fragment), encoding="utf-8")
    page = open_page(address, strict=False)
    ready(page)
    assert page.locator("figure.gl-figure").count() == 2
    assert page.locator("figure.gl-ready").count() == 1
    assert any("is not a function" in error for error in page.errors)


def test_a_drag_is_a_frame(open_page: Any, page_of: Any) -> None:
    page = open_page(
        page_of(UnrolledFlow(stage=3, steps=12)), viewport={"width": 900, "height": 900}
    )
    figure = ready(page)
    times = figure.evaluate(
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
