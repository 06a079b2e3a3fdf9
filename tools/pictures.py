"""Take screenshots of every page and figure of the built book: ``make pictures``, or ``NAME=01`` for some pages.

Each page is taken at 1280 and at 360 pixels, light and dark, whole; each figure as it asks its
question, and as it looks once that is answered. ``index.html`` beside them shows all on one sheet.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, Literal

from tools.browser import OPTIONS, find_browser
from tools.weights import pages

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "_build" / "html"
OUT = ROOT / "_build" / "pictures"
WIDTHS = {1280: 800, 360: 740}
"""Windows: how high each width is."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SLICE = 4000
"""Pixels of a page in one picture; a browser draws none that is much higher."""
REVEALED = 900
"""Milliseconds after which a reveal has ended."""

FIGURE = "figure.gl-figure"
GUESS = """(figure) => {
  const guesses = [...figure.querySelectorAll(".gl-prediction [data-control=guess]")];
  if (guesses[0]?.type === "radio") guesses[0].click();
  else for (const slider of guesses) {
    slider.value = (Number(slider.min) + 2 * Number(slider.max)) / 3;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return guesses.length > 0;
}"""
STILL = """
  .bd-header-article { position: static !important }
  .skip-link, #pst-skip-link { display: none !important }
  .bd-sidebar-primary { transition: none !important }
  html, figure { scroll-padding: 0 !important; scroll-margin: 0 !important }
"""
"""What stays in sight of a reader who scrolls would lie over a figure that is as high as the window."""
COMMIT = """(figure) => figure.querySelector(".gl-prediction .gl-buttons button").click()"""


def taken(page: Any, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a page that is open, and of its figures, each with its caption."""
    page.add_style_tag(content=STILL)
    figures = page.locator(FIGURE)
    for number in range(figures.count()):
        figure = figures.nth(number)
        figure.scroll_into_view_if_needed()  # it comes alive when it is near
        page.wait_for_function(
            f"document.querySelectorAll('{FIGURE}')[{number}].matches('.gl-ready')"
        )
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    page.evaluate("scrollTo(0, 0)")
    width, height = page.evaluate(
        "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
    )
    for top in range(0, height, SLICE):
        area = {"x": 0, "y": top, "width": width, "height": min(SLICE, height - top)}
        yield f"{name}, from {top} px", page.screenshot(full_page=True, clip=area)
    for number in range(figures.count()):
        figure = figures.nth(number)
        title = f"{name}, figure {number + 1}, {figure.get_attribute('data-figure')}"
        yield f"{title}, before", figure.screenshot()
        if figure.evaluate(GUESS):
            page.wait_for_timeout(100)
            figure.evaluate(COMMIT)
            page.wait_for_timeout(REVEALED)
            yield f"{title}, after", figure.screenshot()


def take(names: Sequence[str]) -> list[tuple[str, Path]]:
    """Write the pictures of these pages into ``OUT``.

    Returns:
      Each picture's caption and file, those of a page and a window together.
    """
    from playwright.sync_api import sync_playwright

    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(OPTIONS))
        for name, (width, height), scheme in product(names, WIDTHS.items(), SCHEMES):
            print(f"{name}, {width} px, {scheme}", flush=True)
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page.goto((BOOK / name).as_uri())
            for caption, picture in taken(page, name):
                caption = f"{caption}, {width} px, {scheme}"
                file = OUT / f"{re.sub(r'[^a-zA-Z0-9_]+', '-', caption)}.png"
                file.write_bytes(picture)
                found.append((caption, file))
            page.close()
        browser.close()
    return found


def sheet(pictures: Sequence[tuple[str, Path]]) -> str:
    """Return an HTML page that shows pictures, each under its caption."""
    shown = "\n".join(
        f'<figure><figcaption>{escape(caption)}</figcaption><a href="{file.name}">'
        f'<img src="{file.name}" alt="{escape(caption)}" loading="lazy"></a></figure>'
        for caption, file in pictures
    )
    return f"""<!DOCTYPE html>
<html lang="en-GB"><meta charset="utf-8"><title>The book in pictures</title>
<style>
  body {{ display: flex; flex-wrap: wrap; gap: 1rem; font: 13px system-ui; }}
  figure {{ margin: 0; width: 22rem; }}
  img {{ max-height: 40rem; max-width: 100%; border: 1px solid #ccc; object-fit: contain; object-position: top; }}
</style>
{shown}
</html>
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.pictures", description=__doc__.split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="parts of pages' names; all pages without")
    options = parser.parse_args(arguments)
    book = [*pages(), "search.html"]
    names = [page for page in book if any(part in page for part in options.names or [""])]
    if not names:
        parser.error(f"no page is named {' or '.join(options.names)}; there are {', '.join(book)}")
    pictures = take(names)
    (OUT / "index.html").write_text(sheet(pictures), encoding="utf-8")
    print(f"{len(pictures)} pictures: {OUT / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
