"""While the hand is on a figure, its size is settled, and the page around it stays where it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHAPTER = "notebooks/16_your_own_function.html"
GROW = "(figure) => { figure.querySelector('.gl-sentence').style.minHeight = 'calc(2lh + 50px)'; }"
SIZE = "(figure) => [figure.offsetWidth, figure.offsetHeight]"
STYLE = "(figure) => figure.style.cssText"
# from one painted frame to the next but one
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def page(open_page: Any) -> Any:
    return open_page(CHAPTER, viewport={"width": 1280, "height": 1000})


def through(page: Any) -> Any:
    figure = page.locator("figure[data-figure=through].gl-ready")
    figure.wait_for()
    return figure


@pytest.fixture
def taken(page: Any, take: Any) -> Any:
    """A figure's slider from the moment it has been moved until it is let go: ``with taken(figure):``."""

    @contextmanager
    def held(figure: Any) -> Iterator[None]:
        x, y = take(page, figure.locator("input[data-control=x]"))
        page.mouse.move(x + 30, y)
        page.evaluate(FRAMES)
        yield
        page.mouse.up()
        page.evaluate(FRAMES)

    return held


def test_a_figure_keeps_its_size_until_it_is_let_go(page: Any, taken: Any) -> None:
    figure = through(page)
    before = figure.evaluate(SIZE)
    with taken(figure):
        assert "gl-held" in figure.get_attribute("class")
        assert figure.evaluate(SIZE) == before
    assert "gl-held" not in figure.get_attribute("class")
    assert figure.evaluate(STYLE) == ""
    assert figure.evaluate(SIZE) == before


def test_what_grows_in_the_meantime_makes_room_for_itself(page: Any, taken: Any) -> None:
    figure = through(page)
    width, height = figure.evaluate(SIZE)
    with taken(figure):
        figure.evaluate(GROW)
        page.evaluate(FRAMES)
        assert figure.evaluate(SIZE) == [width, height + 50]


def test_a_window_of_another_size_lets_it_go(page: Any, taken: Any) -> None:
    figure = through(page)
    with taken(figure):
        page.set_viewport_size({"width": 500, "height": 1000})
        page.evaluate(FRAMES)
        assert figure.evaluate(SIZE)[0] < 500


def test_another_width_of_what_it_stands_in_lets_it_go(page: Any, taken: Any) -> None:
    figure = through(page)
    with taken(figure):
        figure.evaluate("(figure) => { figure.parentElement.style.width = '400px'; }")
        page.evaluate(FRAMES)
        assert figure.evaluate(SIZE)[0] <= 400


def test_paper_has_its_own_size(page: Any, taken: Any) -> None:
    figure = through(page)
    with taken(figure):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert figure.evaluate(STYLE) == ""


def test_a_slider_that_comes_back_to_where_it_was_lets_it_go(page: Any, taken: Any) -> None:
    figure = through(page)
    slider = figure.locator("input[data-control=x]")
    start = slider.input_value()
    with taken(figure):
        slider.evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input', { bubbles: true })); }",
            start,
        )
    assert figure.evaluate(STYLE) == ""
    assert figure.locator("svg:visible .gl-ghost").count() == 0


def test_a_key_that_is_let_go_elsewhere_lets_it_go(page: Any) -> None:
    figure = page.locator("figure[data-figure=clip].gl-ready")
    figure.wait_for()
    figure.get_by_role("button", name="Skip, show me").click()
    figure.locator("svg:visible [data-handle=g]").focus()
    page.keyboard.down("ArrowRight")
    page.evaluate(FRAMES)
    assert figure.evaluate(STYLE) != ""
    page.keyboard.press("Tab")
    page.keyboard.up("ArrowRight")
    page.evaluate(FRAMES)
    assert figure.evaluate(STYLE) == ""


def test_a_step_by_the_keyboard_holds_nothing(page: Any) -> None:
    figure = through(page)
    slider = figure.locator("input[data-control=x]")
    before = slider.input_value()
    slider.press("ArrowRight")
    assert slider.input_value() != before
    assert figure.evaluate(STYLE) == ""
