"""While the hand is on a figure, its size is settled, and the page around it stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

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


@pytest.fixture
def taken(figure: Shown, take: Any) -> Any:
    """A figure's slider from the moment it has been moved until it is let go: ``with taken():``."""

    @contextmanager
    def held() -> Iterator[None]:
        x, y = take(figure.page, figure.control("cap"))
        figure.page.mouse.move(x + 30, y)
        figure.page.evaluate(FRAMES)
        yield
        figure.page.mouse.up()
        figure.page.evaluate(FRAMES)

    return held


def test_a_figure_keeps_its_size_until_it_is_let_go(figure: Shown, taken: Any) -> None:
    before = figure.root.evaluate(SIZE)
    with taken():
        assert "gl-held" in figure.root.get_attribute("class")
        assert figure.root.evaluate(SIZE) == before
    assert "gl-held" not in figure.root.get_attribute("class")
    assert figure.root.evaluate(STYLE) == ""
    assert figure.root.evaluate(SIZE) == before


def test_what_grows_in_the_meantime_makes_room_for_itself(figure: Shown, taken: Any) -> None:
    width, height = figure.root.evaluate(SIZE)
    with taken():
        figure.root.evaluate(GROW)
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE) == [width, height + 50]


def test_a_window_of_another_size_lets_it_go(figure: Shown, taken: Any) -> None:
    with taken():
        figure.page.set_viewport_size({"width": 500, "height": 1000})
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE)[0] < 500


def test_another_width_of_what_it_stands_in_lets_it_go(figure: Shown, taken: Any) -> None:
    with taken():
        figure.root.evaluate("(figure) => { figure.parentElement.style.width = '400px'; }")
        figure.page.evaluate(FRAMES)
        assert figure.root.evaluate(SIZE)[0] <= 400


def test_paper_has_its_own_size(figure: Shown, taken: Any) -> None:
    with taken():
        figure.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert figure.root.evaluate(STYLE) == ""


def test_a_slider_that_comes_back_to_where_it_was_lets_it_go(figure: Shown, taken: Any) -> None:
    slider = figure.control("cap")
    start = slider.input_value()
    with taken():
        slider.evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input', { bubbles: true })); }",
            start,
        )
    assert figure.root.evaluate(STYLE) == ""
    assert figure.drawn(".gl-ghost").count() == 0


def test_a_key_that_is_let_go_elsewhere_lets_it_go(figure: Shown) -> None:
    keyboard = figure.page.keyboard
    figure.handle("g").focus()
    keyboard.down("ArrowRight")
    figure.page.evaluate(FRAMES)
    assert figure.root.evaluate(STYLE) != ""
    keyboard.press("Tab")
    keyboard.up("ArrowRight")
    figure.page.evaluate(FRAMES)
    assert figure.root.evaluate(STYLE) == ""


def test_a_step_by_the_keyboard_holds_nothing(figure: Shown) -> None:
    before = figure.settings
    figure.control("cap").press("ArrowRight")
    assert figure.settings != before
    assert figure.root.evaluate(STYLE) == ""
