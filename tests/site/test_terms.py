"""The definition of each term of a chapter is shown whole and in front, wherever the term stands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.book import CHAPTERS
from tests.tiers import some_now

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
        assert page.locator(".term").count() >= (2 if "16_rosetta" in name else 3)
        assert page.evaluate(HIDDEN) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
