"""A chapter on paper: nothing is cut, nothing stands alone, and no question comes with its answer."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.site.book import READ
from tests.site.figure_page import OPEN_FOLDS
from tests.tiers import some_now

CHAPTERS = [page for page in READ if page.startswith("notebooks/")]
PAPER = {"width": 680, "height": 1000}
"""What an A4 sheet shows between margins of 15 mm, in CSS pixels."""
MOST_SHEETS = 20
LONG = {"notebooks/16_rosetta.html": 28}
"""An appendix of tables, which nobody reads from end to end."""

SEEN = """() => {
  const all = (selector) => [...document.querySelectorAll(`article :is(${selector})`)].filter((e) => e.checkVisibility());
  const without = (found, property, value) => found.filter((e) => getComputedStyle(e)[property] !== value).map((e) => e.outerHTML.slice(0, 120));
  const between = (figure) => { // its title, and what else stands before its first picture
    const still = figure.querySelector(".gl-still svg"), parts = [...figure.querySelectorAll(".gl-title")];
    return still && parts.filter((e) => e.compareDocumentPosition(still) & Node.DOCUMENT_POSITION_FOLLOWING);
  };
  return {
    cut: all("pre, table, svg, img").filter((e) => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1 && e.localName === "pre").map((e) => e.outerHTML.slice(0, 120)),
    parted: without(all("h2, h3, h4"), "breakAfter", "avoid").concat(without(all("figure.gl-figure").flatMap(between), "breakAfter", "avoid")),
    broken: without(all(".gl-still, img, tr"), "breakInside", "avoid"),
    figures: all("figure.gl-figure .gl-title").length,
    titles: document.querySelectorAll("h1").length && [...document.querySelectorAll("h1")].filter((e) => e.checkVisibility()).length,
    answers: all("details.choice > :not(summary), details.hide, details.solution").map((e) => e.innerText),
    signs: [...new Set(all("details.choice > summary").map((e) => [getComputedStyle(e, "::before").content[1], getComputedStyle(e).color, getComputedStyle(e).fontWeight].join()))],
    choices: all("details.choice > summary").length,
    buttons: all("button, input, .copybtn").map((e) => e.outerHTML),
  };
}"""

ALL_OF = "[...document.querySelectorAll('figure.gl-figure')].every((figure) => {})"


@pytest.fixture(
    scope="module",
    params=some_now(CHAPTERS, *(c for c in CHAPTERS if "/01_" in c or "/08_" in c)),
)
def sheet(request: pytest.FixtureRequest, site: Any, new_page: Any) -> Any:
    """What is seen of a chapter on paper, after every fold was opened."""
    page = new_page(viewport=PAPER, color_scheme="light")
    page.goto(site.joinpath(request.param).as_uri())
    page.wait_for_function(ALL_OF.format("figure.matches('.gl-ready')"))
    page.evaluate(OPEN_FOLDS)
    page.emulate_media(media="print")
    page.wait_for_function(ALL_OF.format("figure.querySelector('.gl-still svg')"))
    seen = SimpleNamespace(name=request.param, **page.evaluate(SEEN))
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "15mm")
    seen.sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", margin=margin)))
    page.leave()
    return seen


def test_nothing_is_cut_off_on_paper(sheet: Any) -> None:
    assert sheet.cut == []


def test_a_title_stays_with_what_it_is_of(sheet: Any) -> None:
    assert sheet.titles == 1
    assert sheet.figures >= 1
    assert sheet.parted == []
    assert sheet.broken == []


def test_no_answer_is_printed_with_its_question(sheet: Any) -> None:
    assert sheet.choices >= 6
    assert sheet.answers == []
    assert len(sheet.signs) == bool(sheet.choices), "a choice that was opened looks like any other"
    assert all(sign.startswith("○") for sign in sheet.signs)


def test_paper_shows_nothing_to_press_and_is_short(sheet: Any) -> None:
    assert sheet.buttons == []
    assert 3 < sheet.sheets <= LONG.get(sheet.name, MOST_SHEETS)
