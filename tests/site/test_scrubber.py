"""A number in the text that sets a figure's control, and follows it."""

from __future__ import annotations

from typing import Any

import pytest

from sccbook.figures import UnrolledFlow
from tests.site.book import LANDING
from tests.site.figure_page import Shown
from tests.tiers import some_now


def test_it_says_what_is_set_and_is_dragged_and_walked(show: Any, take: Any) -> None:
    figure = show("UnrolledFlow")
    number = figure.page.get_by_role("slider", name="scale", exact=True)
    number.press("Home")
    number.press("PageUp")
    assert number.inner_text() == "0.2"
    x, y = take(figure.page, number)
    figure.page.mouse.move(x + 80, y)
    figure.page.mouse.up()
    assert (number.inner_text(), figure.settings["scale"]) == ("0.7", 0.7)
    figure.page.wait_for_url("**UnrolledFlow.scale=0.7*")
    number.press("ArrowLeft")
    assert number.get_attribute("aria-valuetext") == "s = 0.65"
    figure.control("scale").fill("0.25")
    assert number.inner_text() == "0.25"


CASES = [
    ("", "no-preference", 0.5),
    ("", "reduce", 0.5),
    ("?UnrolledFlow.scale=0.8", "no-preference", 0.8),
]


@pytest.mark.parametrize("case", some_now(CASES, CASES[0]), ids=str)
def test_the_river_narrows_once_by_itself_where_nothing_else_is_asked(
    open_page: Any, case: tuple[str, str, float]
) -> None:
    query, motion, ends = case
    page = open_page(LANDING + query, reduced_motion=motion)
    figure, number = Shown(page, "UnrolledFlow", predict=True), page.locator(".gl-scrub")
    if ends == 0.5:
        assert float(number.inner_text()) == ends, "the line is quoted until the river goes"
        figure.root.scroll_into_view_if_needed()
        page.wait_for_function("document.querySelector('input[data-control=scale]').value < 1")
        figure.root.locator(".gl-gliding").wait_for(state="detached")
    else:
        page.wait_for_timeout(1200)
    assert figure.settings == UnrolledFlow(scale=ends).settings
    assert float(number.inner_text()) == ends
    assert page.url.endswith(query or "html"), "nobody has set it"
    assert figure.said == ""
