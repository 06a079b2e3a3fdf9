"""The frame of a figure: its measures, and that nothing in it changes its height under the hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.book import READ, names
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

MOST = 700
"""Pixels from a figure's title to the end of its controls, at 1280 × 800."""

TALLER = {"JacobianProducts", "LinkedLedger", "MeasuredLedger", "UpdateWeights", "Cliff"}
"""Figures that are tables or listings, or that are about to be drawn anew."""

ORDER = ["title", "prediction", "stage", "sentence", "controls", "look", "equation", "fold"]

# sets every control to several values, and answers the question in several ways; returns the heights that were
# seen, by what was done. What is let go is drawn at once, so that there is no frame to wait for.
WALK = """(figure) => {
  const live = figure.querySelector(".gl-live"), heights = {};
  const look = (when) => { heights[when] = live.getBoundingClientRect().height; };
  const all = (selector) => [...live.querySelectorAll(selector)].filter((e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  const act = (name) => all(".gl-prediction button").find((e) => e.textContent.trim().startsWith(name)).click();
  const fire = (e, type) => e.dispatchEvent(new Event(type, { bubbles: true }));
  const slide = (e, t) => { e.value = Number(e.min) + t * (e.max - e.min); fire(e, "input"); fire(e, "change"); };
  const walk = (when) => {
    for (const e of all(".gl-controls input[type=range]"))
      for (const t of [0, 0.13, 0.37, 0.71, 1]) { slide(e, t); look(`${when}, ${e.id} at ${t}`); }
    for (const e of all(".gl-controls select"))
      for (const { value } of e.options) { e.value = value; fire(e, "change"); look(`${when}, ${e.id} at ${value}`); }
    for (const e of all(".gl-controls input[type=checkbox]"))
      for (let i = 0; i < 2; i++) { e.click(); look(`${when}, ${e.id} ${e.checked}`); }
    for (const e of all(".gl-controls button")) { e.click(); look(`${when}, ${e.textContent}`); }
  };
  for (const fold of live.querySelectorAll(".gl-more")) fold.open = true;
  look("first");
  walk("first");
  if (!live.querySelector(".gl-prediction")) return heights;
  act("Skip");
  look("skipped");
  for (const end of [0, 1]) {
    act("Predict");
    look(`asked ${end}`);
    const choices = all(".gl-options input");
    if (choices.length) choices.at(-end).click();
    else for (const e of live.querySelectorAll(".gl-prediction input")) slide(e, end);
    look(`guessed ${end}`);
    act("Commit");
    look(`revealed ${end}`);
  }
  walk("at last");
  return heights;
}"""


def shown_on(page: Any, path: str) -> list[Shown]:
    """The figures of a page, all of them alive."""
    expected = len(names(path))
    page.wait_for_function(f"document.querySelectorAll('figure.gl-figure').length === {expected}")
    found = []
    for i in range(expected):
        root = page.locator("figure.gl-figure").nth(i)
        root.scroll_into_view_if_needed()
        page.wait_for_function(
            "(figure) => figure.matches('.gl-ready.gl-sized')", arg=root.element_handle()
        )
        found.append(root)
    return found


PAGES = [path for path in READ if names(path)]


@pytest.mark.parametrize("window", some_now(["wide", "narrow"], "wide"))
@pytest.mark.parametrize("path", PAGES)
def test_nothing_changes_its_height_under_the_hand(open_page: Any, path: str, window: str) -> None:
    page = open_page(path, viewport=WINDOWS[window], reduced_motion="reduce")
    changed = {}
    for root in shown_on(page, path):
        heights = root.evaluate(WALK)
        assert len(heights) > 5
        first = heights["first"]
        changed |= {
            f"{root.get_attribute('data-figure')}, {when}": height - first
            for when, height in heights.items()
            if abs(height - first) > 0.5
        }
    assert changed == {}
