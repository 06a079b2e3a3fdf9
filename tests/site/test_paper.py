"""A chapter on paper: nothing is cut, nothing stands alone, and no question comes with its answer."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.site.book import CHAPTERS
from tests.site.figure_page import OPEN_FOLDS
from tests.tiers import some_now

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
    inks: all("p, pre span").filter((e) => e.innerText.trim()).map((e) => getComputedStyle(e).color.match(/\\d+/g).map(Number)),
    buttons: all("button, input, .copybtn").map((e) => e.outerHTML),
  };
}"""

ALL_OF = "[...document.querySelectorAll('figure.gl-figure')].every((figure) => {})"


@pytest.mark.parametrize(
    "name", some_now(CHAPTERS, *(c for c in CHAPTERS if "/01_" in c or "/08_" in c))
)
def test_a_chapter_on_paper_is_whole_and_short_and_gives_no_answer_away(
    open_page: Any, site: Any, name: str
) -> None:
    page = open_page(site.joinpath(name).as_uri(), viewport=PAPER, color_scheme="dark")
    page.wait_for_function(ALL_OF.format("figure.matches('.gl-ready')"))
    page.evaluate(OPEN_FOLDS)
    page.emulate_media(media="print")
    page.wait_for_function(ALL_OF.format("figure.querySelector('.gl-still svg')"))
    seen = SimpleNamespace(**page.evaluate(SEEN))
    assert seen.cut == []
    assert seen.titles == 1
    assert seen.figures >= 1
    assert seen.parted == [], "a title stays with what it is of"
    assert seen.broken == []
    assert seen.choices >= 6
    assert seen.answers == [], "no answer is printed with its question"
    assert len(seen.signs) == 1, "a choice that was opened looks like any other"
    assert seen.signs[0].startswith("○")
    assert seen.buttons == [], "there is nothing to press"
    assert max(max(ink) for ink in seen.inks) < 200, "dark on light, whatever the reader prefers"
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "15mm")
    sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", margin=margin))
    assert 3 < len(sheets) <= LONG.get(name, MOST_SHEETS)
