"""Each chapter in the frame, on its page: the figure in sight, no code in the way, each proof behind a mark.

The chapters are found by themselves. Each is visited once, as a reader opens it at 1280 x 800.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sccbook.notebook_form import CHECK, read, tags
from tests.site.book import READ, ROOT

WINDOW = {"width": 1280, "height": 800}
TITLE_BY, PICTURE_BY = 320, 480
"""Pixels from the top of the page by which the first figure's title and its picture begin. Its first control,
or the handle of that in the picture, is in the window."""

SEEN = """() => {
  const article = document.querySelector("article");
  const all = (selector, within = article) => [...within.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const own = (e) => [...e.querySelectorAll("aside.margin")].reduce((text, note) => text.replace(note.innerText, ""), e.innerText);
  const text = (found) => found.map((e) => own(e).trim());
  const top = (e) => e && e.getBoundingClientRect().top + scrollY;
  const figure = article.querySelector("figure.gl-figure .gl-live");
  const [picture] = all("svg", figure), main = figure.querySelector("[data-control]").dataset.control;
  const controls = all(`[data-control=${main}], svg [data-handle=${main}]`, figure);
  return {
    title: top(figure.querySelector(".gl-title")),
    picture: top(picture),
    control: Math.min(...controls.map((e) => e.getBoundingClientRect().bottom + scrollY)),
    blocks: text(all("pre, section > p, div.claim > p, li, table").filter((e) => !e.closest("figure.gl-figure"))),
    code: text(all("pre")),
    cut: text(all("pre, div.output").filter((e) => e.scrollWidth > e.clientWidth)),
    folds: text(all("details > summary")),
    figures: all("figure.gl-figure").length,
    sources: [...article.querySelectorAll("div.cell:has(figure.gl-figure) div.cell_input")].length,
    opened: [...article.querySelectorAll("details[open]")].filter((e) => !e.closest("figure")).length,
    objectives: article.querySelectorAll("details.objectives li").length,
  };
}"""
"""What is seen of a page."""


def chapters() -> dict[str, int]:
    """The pages of the chapters in the frame, each with the number of its cells that only assert."""
    found = {}
    for page in READ:
        path = (ROOT / page).with_suffix(".ipynb")
        notebook = read(path.read_text(encoding="utf-8")) if path.is_file() else None
        if notebook is not None:
            found[page] = sum(CHECK in tags(cell) for cell in notebook.cells)
    return found


CHAPTERS = chapters()


@pytest.fixture(scope="module", params=CHAPTERS)
def visit(request: pytest.FixtureRequest, site: Any, new_page: Any) -> Any:
    """All that a visit tells: of the page as it opens, each mark opened by keyboard, and on paper."""
    page = new_page(viewport=WINDOW)
    page.goto((site / request.param).as_uri())
    page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")
    page.evaluate("document.fonts.ready")
    seen = page.evaluate(SEEN)
    marks, proofs = page.locator("article details.check"), page.locator("div.cell.tag_check")
    within = proofs.evaluate_all(
        """(all) => all.map((e) => [e.checkVisibility(), !!e.parentElement.closest("details.check"),
             !!e.parentElement.closest("details.check")?.parentElement.closest("details.check")])"""
    )
    for mark in marks.all():
        mark.locator("summary").focus()
        page.keyboard.press("Enter")
    opened = page.evaluate(SEEN)
    told = SimpleNamespace(
        page=request.param,
        **seen,
        within=within,
        names=marks.locator("summary").evaluate_all("(all) => all.map((e) => e.ariaLabel)"),
        stand_in=marks.evaluate_all(
            "(all) => all.map((e) => e.querySelectorAll('div.cell').length)"
        ),
        shown=proofs.evaluate_all("(all) => all.filter((e) => e.checkVisibility()).length"),
        opened_code=opened["code"],
        opened_cut=opened["cut"],
    )
    page.emulate_media(media="print")
    told.printed = marks.evaluate_all("(all) => all.filter((e) => e.checkVisibility()).length")
    page.leave()
    return told


def test_chapters_are_found() -> None:
    assert "notebooks/01_the_missing_function.html" in CHAPTERS
    assert all(CHAPTERS.values())


def test_the_first_figure_is_in_sight(visit: Any) -> None:
    assert visit.title <= TITLE_BY
    assert visit.picture <= PICTURE_BY
    assert visit.control <= WINDOW["height"]


def test_no_assertion_is_seen_and_each_stands_behind_one_mark(visit: Any) -> None:
    assert not [code for code in visit.code if "assert " in code]
    assert visit.within == [[False, True, False]] * CHAPTERS[visit.page]
    assert sum(visit.stand_in) == CHAPTERS[visit.page]
    assert all(visit.stand_in)


def test_a_mark_opens_by_keyboard_says_what_it_opens_and_is_not_printed(visit: Any) -> None:
    assert visit.shown == CHAPTERS[visit.page]
    assert sum("assert " in code for code in visit.opened_code) == CHAPTERS[visit.page]
    assert set(visit.names) == {"checked: show the code that proves this"}
    assert visit.printed == 0


def test_no_code_and_no_output_is_cut_off(visit: Any) -> None:
    assert visit.cut == []
    assert visit.opened_cut == []


def test_objectives_and_folds_are_closed_and_say_what_they_hold(visit: Any) -> None:
    first, *others = visit.folds
    assert first.startswith("What you will learn, what you need · ")
    assert 2 <= visit.objectives <= 4
    assert visit.opened == 0
    assert any(fold.startswith("Set-up: ") for fold in others)
    assert not [fold for fold in others if "Show code" in fold]


def test_a_figure_shows_without_the_code_that_shows_it(visit: Any) -> None:
    assert visit.figures > 0
    # in the manual the code is the point, but for the figure at its top
    assert visit.sources == 0 or visit.page == "notebooks/17_your_own_function.html"


def test_without_scripts_all_that_is_read_is_there_and_a_mark_opens(
    visit: Any, open_page: Any
) -> None:
    page = open_page(visit.page, viewport=WINDOW, java_script_enabled=False)
    seen = page.evaluate(SEEN)
    assert seen["blocks"] == visit.blocks
    assert seen["figures"] == visit.figures
    mark = page.locator("article details.check").first
    mark.locator("summary").click()
    assert mark.locator("pre").first.is_visible()
