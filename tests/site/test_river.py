"""The river, dragged: what moves, what stays, and how long it takes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from sccbook.figures import UnrolledFlow
from tests.site.figure_page import Shown

DRAWN = """(all) => all.map((e) => ["d", "x", "y", "width", "height", "cx", "cy"].map((name) => e.getAttribute(name)))"""


CHANGE = """(slider, value) => {
  slider.value = String(value);
  for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type, { bubbles: true }));
  slider.getBoundingClientRect();
}"""


@pytest.mark.parametrize(
    ("name", "down", "stays", "moves"),
    [
        ("UnrolledFlow", -9.75, ".gl-value", ".gl-band"),
        ("ReportedTangent", 75, ":is(.gl-curve, .gl-point)", ".gl-reported"),
    ],
)
def test_dragging_s_changes_the_gradient_and_leaves_the_values(
    show: Any, drag: Any, name: str, down: float, stays: str, moves: str
) -> None:
    figure = show(name)
    before = [figure.drawn(part).evaluate_all(DRAWN) for part in (stays, moves)]
    drag(figure.page, figure.handle("scale"), 0, down)
    assert figure.settings["scale"] < 0.4
    after = [figure.drawn(part).evaluate_all(DRAWN) for part in (stays, moves)]
    assert after[0] == before[0] != []
    assert after[1] != before[1]


def test_a_broken_figure_is_reported_and_leaves_the_others_alive(
    open_page: Any, twice: Any
) -> None:
    address = twice(UnrolledFlow(), lambda f: f.replace("function evaluate", "function nothing"))
    page = open_page(address, strict=False)
    Shown(page, "UnrolledFlow")
    assert page.locator("figure.gl-figure").count() == 2
    assert page.locator("figure.gl-ready").count() == 1
    assert any("is not a function" in error for error in page.errors)


def test_a_change_takes_less_than_a_frame_of_processor_time(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3, steps=12)))
    slider = Shown(page, "UnrolledFlow").control("scale").element_handle()
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    clock = []
    for i in range(61):
        slider.evaluate(CHANGE, i / 61)
        found = tools.send("Performance.getMetrics")["metrics"]
        clock += [1000 * each["value"] for each in found if each["name"] == "ThreadTime"]
    times = sorted(after - before for before, after in pairwise(clock))
    assert times[56] < 16.7, f"1 change of 20 takes {times[56]:.1f} ms or more"
