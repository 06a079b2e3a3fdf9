"""Chapter 07's figure in the built page: predict a step, drag the start, move the limit by keyboard."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import Cliff
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/07_the_cliff.html"
HANDLE = ".gl-live svg:visible [data-handle={}]"

ready = partial(ready_figure, name="Cliff")


def of_the_address(page: Any) -> Cliff:
    """The figure in Python with what the address says."""
    said = asked(page)
    figure = Cliff(**{name: float(said[name]) for name in ("c", "eta") if name in said})
    if "start" in said:
        figure.start = tuple(map(float, said["start"].split(",")))
    return figure


@pytest.mark.parametrize("window", WINDOWS)
def test_the_start_can_be_dragged_and_the_words_are_those_of_jax(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    drag(page, figure.locator(HANDLE.format("start")).first, 60, -40)
    page.wait_for_url("**Cliff.start=*")
    moved = of_the_address(page)
    assert moved.start[0] > 5.4
    assert moved.start[1] > -2.7
    assert sentence(figure) == moved.sentence


def test_the_limit_moves_with_the_keyboard(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    limit = figure.get_by_label("clip at the norm")
    limit.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**Cliff.c=*")
    moved = of_the_address(page)
    assert moved.c > 0.1
    assert sentence(figure) == moved.sentence


def test_a_later_throw_is_said_in_words(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    figure.get_by_role("button", name="a later throw").click()
    assert "throws it 5,280 away" in sentence(figure)
    assert sentence(figure) == Cliff(start=(5.2, -3.1)).sentence


def test_where_the_step_lands_is_marked_first(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    assert "1.22" not in sentence(figure)
    trails = figure.locator(".gl-live svg:visible .gl-trail")
    assert trails.count() == 0
    figure.get_by_label("your guess, w").fill("5.3")
    figure.get_by_label("your guess, b").fill("-2.7")
    figure.get_by_role("button", name="Commit").click()
    assert "1.22 long" in figure.locator(".gl-outcome").inner_text()
    assert trails.count() == 2
