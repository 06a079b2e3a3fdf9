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
