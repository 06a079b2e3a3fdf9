"""A chapter: its quiz, its terms, and how it is on paper."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.site.book import CHAPTERS, rgb
from tests.site.figure_page import OPEN_FOLDS
from tests.tiers import some_now

CHAPTER = "notebooks/01_the_missing_function.html"

LOOKS = """(choice) => {
  const summary = choice.querySelector("summary");
  return [getComputedStyle(summary, "::before").content[1], getComputedStyle(summary).color,
    getComputedStyle(choice).borderTopColor];
}"""
"""A choice's sign and colours, to one who has not read it."""


@pytest.mark.parametrize("scripts", some_now([True, False], True))
@pytest.mark.parametrize("mode", some_now(["light", "dark"], "dark"))
def test_a_choice_opens_by_mouse_and_keyboard_and_then_tells_by_sign_and_colour_if_it_is_right(
    open_page: Any, scripts: bool, mode: str
) -> None:
    page = open_page(CHAPTER, color_scheme=mode, java_script_enabled=scripts)
    wrong = page.locator("details.choice:not(.right)").first
    right = page.locator("details.choice.right").first
    assert wrong.evaluate(LOOKS) == right.evaluate(LOOKS)  # nothing is given away
    for choice in (wrong, right):
        feedback = choice.locator("p").first
        assert not feedback.is_visible()
        choice.locator("summary").click()
        assert feedback.is_visible()
        assert feedback.inner_text().startswith("Yes. ") == (choice is right)
        page.keyboard.press("Enter")  # where the click has put the focus
        assert not feedback.is_visible()
        page.keyboard.press("Space")
        assert feedback.is_visible()
    green, ink, grey = (rgb(mode, role) for role in ("parameter", "ink", "limit"))
    assert right.evaluate(LOOKS) == ["✓", green, green]
    assert wrong.evaluate(LOOKS) == ["✗", ink, grey]
    page.keyboard.press("Tab")
    ring = page.evaluate(
        """() => { const style = getComputedStyle(document.activeElement);
             return [document.activeElement.localName, style.outlineStyle, parseFloat(style.outlineWidth)]; }"""
    )
    assert ring == ["summary", "solid", 3], "the keyboard shows where it is"


HIDDEN = """async () => {
  const found = [];
  // a callback comes before its frame is drawn, and Chromium places anchored boxes while it draws
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  for (const block of ["start", "end"]) {
    for (const link of document.querySelectorAll(".term > a")) {
      link.scrollIntoView({ block, behavior: "instant" });
      link.focus({ preventScroll: true });
      await frame();
      const box = link.nextElementSibling.getBoundingClientRect();
      const word = link.getBoundingClientRect();
      const near = box.left < word.right && box.right > word.left && Math.min(Math.abs(box.top - word.bottom), Math.abs(word.top - box.bottom)) < 12;
      const inside = box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
      const corners = [[box.left + 8, box.top + 8], [box.right - 8, box.top + 8], [box.left + 8, box.bottom - 8], [box.right - 8, box.bottom - 8]];
      const front = corners.every(([x, y]) => link.parentElement.contains(document.elementFromPoint(x, y)));
      if (!inside || !near || !front || box.width < 100) found.push([link.innerText, block, inside, near, front, box.toJSON()]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("name", some_now(CHAPTERS, "notebooks/01_the_missing_function.html"))
def test_no_definition_is_cut_off_or_covered(open_page: Any, site: Any, name: str) -> None:
    for width in (1280, 320):
        page = open_page((site / name).as_uri(), viewport={"width": width, "height": 700})
        terms = page.locator(".term").count()
        assert terms >= (2 if "16_rosetta" in name else 3), "use more terms of book/glossary.md"
        assert page.evaluate(HIDDEN) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


PAPER = {"width": 680, "height": 1000}
"""What an A4 sheet shows between margins of 15 mm, in CSS pixels."""
MOST_SHEETS = 20
LONG = {"notebooks/16_rosetta.html": 28}
"""An appendix of tables, which nobody reads from end to end."""

ON_PAPER = """() => {
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
    seen = SimpleNamespace(**page.evaluate(ON_PAPER))
    assert seen.cut == []
    assert seen.titles == 1
    assert seen.figures >= ("16_rosetta" not in name)
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
