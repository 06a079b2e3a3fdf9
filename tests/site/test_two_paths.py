"""Chapter 03's figure in the built page: both arrows answer the hand, and their sum follows."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import TwoPaths
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/03_scaling.html"

ready = partial(ready_figure, name="TwoPaths")


def set_by_the_address(page: Any) -> TwoPaths:
    """The figure in Python with what the address says."""
    figure = TwoPaths()
    said = asked(page)
    if "scale" in said:
        figure.scale = float(said["scale"])
    if "both" in said:
        figure.both = said["both"] in ("true", "1", "on")
    if "a" in said:
        figure.a = tuple(map(float, said["a"].split(",")))
    return figure


@pytest.mark.parametrize("window", WINDOWS)
def test_each_arrow_can_be_dragged_and_the_words_are_those_of_jax(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    handle = ".gl-live svg:visible [data-handle={}]"
    drag(page, figure.locator(handle.format("scale")).first, 10, 20)
    page.wait_for_url("**TwoPaths.scale=*")
    assert set_by_the_address(page).scale < 0.5
    assert sentence(figure) == set_by_the_address(page).sentence
    drag(page, figure.locator(handle.format("a")).first, -20, -20)
    page.wait_for_url("**TwoPaths.a=*")
    assert set_by_the_address(page).a[1] > 0.5
    assert sentence(figure) == set_by_the_address(page).sentence


def test_a_scale_on_both_paths_keeps_the_direction_under_the_hand(
    open_page: Any, drag: Any
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready(page)
    figure.get_by_label("a scale on path A too").check()
    drag(page, figure.locator(".gl-live svg:visible [data-handle=scale]").first, 8, 16)
    page.wait_for_url("**TwoPaths.scale=*")
    assert "in the same direction" in sentence(figure)


def test_the_sum_is_hidden_until_the_reader_has_chosen(open_page: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready(page, predict=True)
    whole = figure.locator(".gl-live svg:visible :not(.gl-key)[data-part=whole]")
    assert whole.count() == 0
    figure.get_by_label("it turns", exact=True).check()
    figure.get_by_role("button", name="Commit").click()
    assert "It turns by 21°" in figure.locator(".gl-outcome").inner_text()
    assert whole.count() >= 1
