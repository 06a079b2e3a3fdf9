"""A page's quiz, in a browser: a choice opens to its feedback, for everyone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.book import rgb
from tests.tiers import some_now

CHAPTER = "notebooks/01_the_missing_function.html"

LOOKS = """(choice) => {
  const summary = choice.querySelector("summary");
  return [getComputedStyle(summary, "::before").content[1], getComputedStyle(summary).color,
    getComputedStyle(choice).borderTopColor];
}"""
"""A choice's sign and colours, to one who has not read it."""


def choices(page: Any) -> tuple[Any, Any]:
    """A wrong choice and the right one, of the first question."""
    wrong = page.locator("details.choice:not(.right)").first
    return wrong, page.locator("details.choice.right").first


@pytest.mark.parametrize("scripts", some_now([True, False], True))
def test_a_choice_opens_and_closes_by_mouse_and_by_keyboard(open_page: Any, scripts: bool) -> None:
    page = open_page(CHAPTER, java_script_enabled=scripts)
    for choice, right in zip(choices(page), (False, True), strict=True):
        feedback = choice.locator("p").first
        assert not feedback.is_visible()
        choice.locator("summary").click()
        assert feedback.is_visible()
        assert feedback.inner_text().startswith("Yes. ") == right
        page.keyboard.press("Enter")  # where the click has put the focus
        assert not feedback.is_visible()
        page.keyboard.press("Space")
        assert feedback.is_visible()


def test_the_keyboard_shows_where_it_is(open_page: Any) -> None:
    page = open_page(CHAPTER)
    wrong, _ = choices(page)
    wrong.locator("summary").focus()
    page.keyboard.press("Tab")
    ring = page.evaluate(
        """() => { const style = getComputedStyle(document.activeElement);
             return [document.activeElement.localName, style.outlineStyle, parseFloat(style.outlineWidth)]; }"""
    )
    assert ring == ["summary", "solid", 3]


@pytest.mark.parametrize("mode", some_now(["light", "dark"], "dark"))
def test_what_is_right_is_told_once_it_is_open_by_a_sign_and_by_a_colour(
    open_page: Any, mode: str
) -> None:
    page = open_page(CHAPTER, color_scheme=mode)
    wrong, right = choices(page)
    assert wrong.evaluate(LOOKS) == right.evaluate(LOOKS)  # nothing is given away
    for choice in (wrong, right):
        choice.locator("summary").click()
    green, ink, grey = (rgb(mode, role) for role in ("parameter", "ink", "limit"))
    assert right.evaluate(LOOKS) == ["✓", green, green]
    assert wrong.evaluate(LOOKS) == ["✗", ink, grey]
