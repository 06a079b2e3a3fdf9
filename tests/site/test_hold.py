"""While you drag, a figure keeps its size, and the page around it stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.fixtures import take
from tests.site.figure_page import Shown
from tests.site.made_here import plane

GROW = "(figure) => { figure.querySelector('.gl-title').style.paddingBottom = '50px'; }"
SIZE = "(figure) => [figure.offsetWidth, figure.offsetHeight]"
STYLE = "(figure) => figure.style.cssText"
# from one painted frame to the next but one
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def figure(open_page: Any, page_of: Any) -> Shown:
    page = open_page(page_of(plane()), viewport={"width": 1280, "height": 1000})
    return Shown(page, "clipped")


def is_held(figure: Shown) -> bool:
    """Say whether a figure keeps its size, two frames later."""
    figure.page.evaluate(FRAMES)
    return figure.root.evaluate(STYLE) != ""


@contextmanager
def held(figure: Shown) -> Iterator[None]:
    """A figure's slider from the moment it has been moved until it is let go."""
    x, y = take(figure.page, figure.control("cap"))
    figure.page.mouse.move(x + 30, y)
    assert is_held(figure)
    yield
    figure.page.mouse.up()
    assert not is_held(figure)


def test_a_figure_keeps_its_size_until_it_is_let_go_or_needs_more(figure: Shown) -> None:
    width, height = figure.root.evaluate(SIZE)
    with held(figure):
        assert figure.root.evaluate(SIZE) == [width, height]
    assert figure.root.evaluate(SIZE) == [width, height]
    with held(figure):
        figure.root.evaluate(GROW)
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE) == [width, height + 50]


def test_paper_another_window_and_another_width_let_it_go(figure: Shown) -> None:
    with held(figure):
        figure.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert figure.root.evaluate(STYLE) == ""
    with held(figure):
        figure.page.set_viewport_size({"width": 500, "height": 1000})
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE)[0] < 500
    with held(figure):
        figure.root.evaluate("(figure) => { figure.parentElement.style.width = '400px'; }")
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE)[0] <= 400


def test_a_slider_that_comes_back_and_a_key_that_is_released_elsewhere_let_it_go(
    figure: Shown,
) -> None:
    slider, keyboard = figure.control("cap"), figure.page.keyboard
    start = slider.input_value()
    with held(figure):
        slider.evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input', { bubbles: true })); }",
            start,
        )
    assert figure.drawn(".gl-ghost").count() == 0
    figure.handle("g").focus()
    keyboard.down("ArrowRight")
    assert is_held(figure)
    keyboard.press("Tab")
    keyboard.up("ArrowRight")
    assert not is_held(figure)
    slider.press("ArrowRight")
    assert slider.input_value() != start
    assert figure.root.evaluate(STYLE) == "", "a step by the keyboard holds nothing"
