"""Figures in a browser, without a book or a notebook around them: their frame and their runtime."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from explorax import explore
from sccbook.figures import ReportedTangent, UnrolledFlow

DIST = Path(__file__).parents[2] / "src" / "explorax" / "frontend" / "dist"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
SHOW = """async ([text, description]) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  const values = { ...description.settings, _description: description };
  const heard = new Set();
  window.model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; for (const hear of heard) hear(); },
    on: (_, hear) => heard.add(hear),
    off: (_, hear) => heard.delete(hear),
    save_changes() {},
  };
  const shown = widget.render({ model, el: document.querySelector("main") });
  MEANWHILE
  await shown;
}"""

pytestmark = pytest.mark.slow


@pytest.fixture
def show(open_page: Any, tmp_path: Path) -> Any:
    """Show a figure as a widget in ``around``; ``meanwhile`` is run while it is being loaded."""

    def show(figure: Any, meanwhile: str = "", around: str = "<main></main>") -> Any:
        file = tmp_path / "page.html"
        css = (DIST / "figure.css").read_text(encoding="utf-8")
        file.write_text(f"{PAGE}<style>{css}</style>{around}</html>", encoding="utf-8")
        page = open_page(file.as_uri(), viewport={"width": 900, "height": 900})
        text = (DIST / "widget.js").read_text(encoding="utf-8")
        page.evaluate(SHOW.replace("MEANWHILE", meanwhile), [text, figure.describe()])
        return page

    return show


def knob(page: Any, control: str) -> tuple[float, float]:
    box = page.locator(f".gl-live svg:visible [data-handle={control}] .gl-knob").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def scale(page: Any) -> float:
    value: float = page.evaluate("model.get('scale')")
    return value


def test_what_python_sets_while_the_figure_loads_is_shown(show: Any) -> None:
    page = show(UnrolledFlow(), "model.set('scale', 0.25);")
    assert page.locator("[data-control=scale]").input_value() == "0.25"
    assert "s = 0.25" in page.locator(".gl-sentence").inner_text()


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


def test_only_the_main_button_drags(show: Any) -> None:
    page = show(UnrolledFlow())
    x, y = knob(page, "scale")
    for button, moved in (("right", False), ("middle", False), ("left", True)):
        page.mouse.move(x, y)
        page.mouse.down(button=button)
        page.mouse.move(x, y - 4)
        page.mouse.up(button=button)
        assert (scale(page) != 1.0) == moved, button


def test_a_drag_rests_when_the_picture_gives_way_to_the_other_layout(show: Any) -> None:
    page = show(UnrolledFlow())
    x, y = knob(page, "scale")
    page.mouse.move(x, y)
    page.mouse.down()
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


def test_in_a_row_a_figure_has_the_room_that_is_left_and_keeps_it_in_a_drag(show: Any) -> None:
    page = show(UnrolledFlow(), around=ROW)
    figure = page.locator("figure")
    assert figure.bounding_box()["width"] == page.evaluate("document.body.clientWidth") - 100
    for room, left in ((500, 320), (900, 446)):
        page.evaluate(SQUEEZE, room)
        width = figure.bounding_box()["width"]
        assert width == pytest.approx(left, abs=1)
    x, y = knob(page, "scale")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 4)
    assert page.locator(".gl-held").bounding_box()["width"] == pytest.approx(width, abs=0.1)
    page.mouse.up()


@pytest.fixture
def fragments(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The river, the tangent, and the same river again, as a page of the book has them."""
    monkeypatch.setenv("EXPLORAX_OUTPUT", "site")
    figures = [UnrolledFlow(), ReportedTangent(), UnrolledFlow()]
    done = subprocess.run(
        ["node", str(DIST / "prerender.mjs")],
        input=json.dumps([figure.describe() for figure in figures]),
        capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    found: list[str] = json.loads(done.stdout)
    return found


def test_a_figure_that_is_shown_twice_answers_twice(
    open_page: Any, tmp_path: Path, fragments: list[str]
) -> None:
    script = (DIST / "page.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
    file = tmp_path / "page.html"
    file.write_text(
        f"{PAGE}<main>{''.join(fragments)}</main><script>{script}</script></html>", encoding="utf-8"
    )
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
