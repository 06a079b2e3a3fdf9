"""Take pictures of every page and figure of the built book, and show what changed: ``make pictures``.

``NAME=01`` takes some pages only. Each page is taken at 1280 and at 360 pixels, light and dark, whole;
each figure as it is at first, and as it looks once its question is answered. ``PAPER=1`` also takes each
page as it is printed (A4), and without scripts.

Each picture is compared with the stored one of its name. ``_build/pictures/index.html`` shows those that
changed (before, after, and the difference), the new, the gone and the others. ``KEEP=1`` then stores what
was taken, and so does the first run, which has nothing to compare with.

The stored pictures are in ``_build/pictures/stored``, which ``make clean`` removes. They aren't committed,
because another Chromium or other fonts draw every page differently: store them on your machine before a
change. A single pixel counts, so motion is off, and a picture is taken when the page has come to rest.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from tools.browser import chromium
from tools.compared import BEFORE, DIFFERENCE, NOW, STORED, compare, keep, pictures
from tools.weights import pages

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "_build" / "html"
OUT = ROOT / "_build" / "pictures"
SLICE = 4000
"""Pixels of a page in one picture; a browser draws none that is much higher."""
STEADY = ("--disable-partial-raster", "--force-prefers-reduced-motion")
"""So that a page is painted the same each time, and what moves is at rest, in SVG files too."""
PAUSE = 150
"""Milliseconds between two looks at what may still move."""
NAMED = 20
"""How many changed pictures the command names."""

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
ADD = """(css) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
}"""
STILL = """
  .bd-header-article { position: static !important }
  .skip-link, #pst-skip-link { display: none !important }
  *, ::before, ::after { animation: none !important; transition: none !important }
  html, figure { scroll-padding: 0 !important; scroll-margin: 0 !important }
"""
"""What moves, or stays in sight of a reader who scrolls: it would lie over a figure as high as the window."""
ANSWER = """(figure) =>
  figure.querySelector(".gl-prediction .gl-buttons button:enabled")?.click()"""


def settled(page: Any, shoot: Callable[[], bytes]) -> bytes:
    """Return a picture that is the same twice: what moved has come to rest, or never will."""
    before, now = b"", shoot()
    for _ in range(30):
        if now == before:
            break
        page.wait_for_timeout(PAUSE)
        before, now = now, shoot()
    return now


def figures(page: Any) -> dict[str, Any]:
    """Bring the figures of a page to life; return them by name."""
    found, seen = {}, Counter[str]()
    for number, figure in enumerate(page.locator(FIGURE).all()):
        figure.scroll_into_view_if_needed()  # it comes alive when it is near
        page.wait_for_function(
            f"document.querySelectorAll('{FIGURE}')[{number}].matches('.gl-ready')"
        )
        name = figure.get_attribute("data-figure")
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name}-{seen[name]}"] = figure
    return found


def whole(page: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a page from top to bottom, each with a name."""
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    while not page.evaluate("[...document.images].every((image) => image.complete)"):
        page.wait_for_timeout(PAUSE)
    page.evaluate("scrollTo(0, 0)")
    width, height = page.evaluate(
        "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
    )
    for top in range(0, height, SLICE):
        area = {"x": 0, "y": top, "width": width, "height": min(SLICE, height - top)}
        shoot = partial(page.screenshot, full_page=True, clip=area)
        yield f"from-{top:05}", settled(page, shoot)


def on_screen(page: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a page and of its figures, before and after the answer, each with a name."""
    alive = figures(page)
    for name, figure in alive.items():
        yield f"{name}-before", settled(page, figure.screenshot)
    yield from whole(page)
    for name, figure in alive.items():
        if figure.evaluate(GUESS):
            page.wait_for_timeout(PAUSE)
            figure.evaluate(ANSWER)
            yield f"{name}-after", settled(page, figure.screenshot)


def on_paper(page: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a page as it is printed, each with a name."""
    figures(page)
    page.emulate_media(media="print")
    yield from whole(page)


def window(width: int, height: int, **options: Any) -> dict[str, Any]:
    """Return the options of a window."""
    return {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce", **options}


SIZES = ((1280, 800), (360, 740))
SCREENS = {
    f"{size[0]}-{scheme}": (on_screen, window(*size, color_scheme=scheme))
    for size, scheme in product(SIZES, ("light", "dark"))
}
PAPERS = {
    "print": (on_paper, window(794, 1123)),
    **{f"no-scripts-{s[0]}": (whole, window(*s, java_script_enabled=False)) for s in SIZES},
}
"""How pages are looked at: what takes their pictures, and the window's options."""


def take(site: Path, names: Sequence[str], windows: Sequence[str]) -> None:
    """Write the pictures of these pages of a built book into ``OUT``, in place of the last ones."""
    for last in (NOW, BEFORE, DIFFERENCE):
        shutil.rmtree(OUT / last, ignore_errors=True)
    with chromium(*STEADY) as browser:
        for name, look in product(names, windows):
            print(f"{name}, {look}", flush=True)
            taken, options = (SCREENS | PAPERS)[look]
            page = browser.new_page(bypass_csp=True, **options)  # for a style of ours
            page.goto((site / name).resolve().as_uri())
            page.evaluate(ADD, STILL)  # add_style_tag needs scripts
            folder = OUT / NOW / look / name.removesuffix(".html")
            folder.mkdir(parents=True)
            for what, picture in taken(page):
                (folder / f"{re.sub(r'[^a-zA-Z0-9_]+', '-', what)}.png").write_bytes(picture)
            page.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.pictures", description=__doc__.split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="parts of pages' names; all pages without")
    parser.add_argument("--keep", action="store_true", help="store what is taken, after comparing")
    parser.add_argument("--paper", action="store_true", help="also take print, and scripts off")
    parser.add_argument("--site", type=Path, default=BOOK, help="a built book: %(default)s")
    options = parser.parse_args(arguments)
    book = [page for page in (*pages(), "search.html") if (options.site / page).is_file()]

    def asked(page: str) -> bool:
        return any(part in page for part in options.names or [""])

    def concerns(name: str) -> bool:
        look, *page, _ = name.split("/")
        return look in windows and asked(f"{'/'.join(page)}.html")

    windows = [*SCREENS, *(PAPERS if options.paper else ())]
    names = list(filter(asked, book))
    if not book:
        parser.error(f"there is no built book in {options.site}; build it first: make book")
    if not names:
        parser.error(f"no page is named {' or '.join(options.names)}; there are {', '.join(book)}")
    first = not pictures(OUT / STORED)
    take(options.site, names, windows)
    compared = compare(OUT, concerns)
    print(f"{compared}: {(OUT / 'index.html').as_uri()}")
    for name, change in list(compared.changed.items())[:NAMED]:
        print(f"  {name.removesuffix('.png')}: {change}")
    if len(compared.changed) > NAMED:
        print(f"  and {len(compared.changed) - NAMED} more, which changed less")
    if first:
        print(
            "No pictures were stored, so there was nothing to compare with. These are stored now."
        )
    if first or options.keep:
        keep(OUT, compared)
        print(f"Stored in {OUT / STORED}; the next run compares with them.")
    elif compared.changed or compared.new or compared.gone:
        print("If this is as it should be, KEEP=1 (or --keep) stores it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
