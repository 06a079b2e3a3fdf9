"""Figures in a browser, without a book or a notebook around them: their frame and their runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest
from playwright.sync_api import expect
from tests.figure.dial import Dial

from explorax import explore
from explorax.figure.export import inline, text_of
from explorax.frontend import draw
from tests.fixtures import take

PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'

pytestmark = pytest.mark.slow


def grab(page: Any, button: str = "left") -> tuple[float, float]:
    """Press the knob of the scale, and return where it is."""
    return take(page, page.locator(".gl-live svg:visible [data-handle=scale] .gl-knob"), button)


def scale(page: Any) -> float:
    value: float = page.evaluate("model.get('scale')")
    return value


def test_a_run_takes_its_steps_in_a_widget_and_ends_where_python_sets_a_control(show: Any) -> None:
    figure = explore(
        lambda carry, rate: (carry * rate, 2.0 + carry),
        {"rate": (0.0, 1.0, 0.5)},
        run=300,
        carry=1.0,
    )
    page = show(figure)
    sentence = page.locator(".gl-live .gl-sentence")
    page.get_by_role("button", name="Run", exact=True).click()
    page.evaluate("model.set('rate', 0.25)")
    page.get_by_role("button", name="Run", exact=True).click()
    figure.rate = 0.25
    expect(page.get_by_role("status")).to_have_text(figure.sentence)
    assert sentence.inner_text() == figure.sentence


def test_an_arrow_that_is_pointed_at_is_drawn_thicker(show: Any) -> None:
    page = show(explore(lambda c: {"a": jnp.array([3.0, 1.0]) * c}, {"c": (0.0, 1.0, 1.0)}))
    arrow = page.locator(".gl-live svg:visible .gl-vector")
    width = "(arrow) => getComputedStyle(arrow.querySelector('.gl-shaft')).strokeWidth"
    assert arrow.evaluate(width) == "2.5px"
    arrow.locator(".gl-tip").hover()
    arrow.and_(page.locator(".gl-lit")).wait_for()
    assert arrow.evaluate(width) == "4px"


def test_only_the_main_button_drags(show: Any) -> None:
    page = show(Dial(ask=None))
    for button, moved in (("right", False), ("middle", False), ("left", True)):
        x, y = grab(page, button)
        page.mouse.move(x, y - 4)
        page.mouse.up(button=button)
        assert (scale(page) != 1.0) == moved, button


def test_drag_stops_when_the_layout_changes(show: Any) -> None:
    page = show(Dial(ask=None))
    x, y = grab(page)
    page.mouse.move(x, y - 3)
    dragged = scale(page)
    assert dragged != 1.0
    page.evaluate("document.querySelector('main').style.width = '400px'")
    page.locator(".gl-wide").wait_for(state="detached")
    page.mouse.move(x, y + 30)
    page.mouse.up()
    assert scale(page) == dragged


ROW = '<div style="display: flex"><main></main><aside style="width: 100px"></aside></div>'
SQUEEZE = """room => {
  document.querySelector("aside").style.width = "700px";
  document.querySelector("main").parentElement.style.width = room + "px";
}"""


def test_figure_in_a_row_keeps_its_width_in_a_drag(show: Any) -> None:
    page = show(Dial(ask=None), around=ROW)
    figure = page.locator("figure")
    assert figure.bounding_box()["width"] == page.evaluate("document.body.clientWidth") - 100
    for room, left in ((500, 320), (900, 446)):
        page.evaluate(SQUEEZE, room)
        width = figure.bounding_box()["width"]
        assert width == pytest.approx(left, abs=1)
    x, y = grab(page)
    page.mouse.move(x, y + 4)
    assert page.locator(".gl-held").bounding_box()["width"] == pytest.approx(width, abs=0.1)
    page.mouse.up()


def test_figure_shown_twice_works_twice(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: dict[str, Any]
) -> None:
    monkeypatch.setenv("EXPLORAX_OUTPUT", "site")
    script = shown["figure"].describe()["views"]["clock"]["script"]
    scripts = map(inline, (text_of("page.js"), script))
    parts = [*draw([figure.describe() for figure in (Dial(), shown["figure"], Dial())]), *scripts]
    file = tmp_path / "page.html"
    file.write_text(f"{PAGE}<main>{''.join(parts)}</main></html>", encoding="utf-8")
    page = open_page(file.as_uri())
    page.wait_for_function("document.querySelectorAll('.gl-ready').length === 3")
    ids = page.evaluate(
        "[...document.querySelectorAll('figure, .gl-live [id]')].map((element) => element.id)"
    )
    assert len(ids) == len(set(ids))
    assert page.evaluate(
        """[...document.querySelectorAll("figure")].every((figure) =>
          [...figure.querySelectorAll("label")].every((label) => figure.contains(label.control)))"""
    )
