"""Make what is published: ``make site``.

``_build/site`` gets the built book, what Chromium makes of it (a PDF of the book and one of each chapter), a card of each page if the site has an address (for links to it elsewhere), and
a zip of it all for rooms without a network. The links to these files are comments in the built pages, as in
``<!-- site: <a href="08_clipping.pdf">PDF</a> -->``, because the built book doesn't have the files.

``python -m tools.site --check`` only checks what is there, and fails if anything is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from tools.browser import OPTIONS, find_browser
from tools.site.checking import problems
from tools.site.contents import ROOT, reading_order, settings
from tools.site.packing import pack
from tools.site.pictures import flatten, make_cards
from tools.site.printing import print_pages

BOOK, SITE = ROOT / "_build" / "html", ROOT / "_build" / "site"
NAME = "scale-clip-constrain"
LINK = re.compile(r"<!-- site: (.*?) -->", re.DOTALL)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(OPTIONS))
        yield browser
        browser.close()


def make_pictures(cards: bool) -> str:
    """Make the figures' pictures plain, and the pages' cards if they're wanted; return what was made."""
    with chromium() as browser:
        made = f"figures: {flatten(browser, SITE / 'figures')} pictures"
        return (
            f"{made}\n_cards: {make_cards(browser, SITE, reading_order())} pictures"
            if cards
            else made
        )


def print_one(name: str) -> str:
    """Write the PDF of one chapter, or of the book; return a line that says what was made."""
    pages = [page for page in reading_order() if name in (NAME, page.name)]
    title = settings()["title"]
    if name != NAME and (heading := pages[0].soup(SITE).title):
        title = heading.get_text()
    file = SITE / f"{name}.pdf"
    with chromium() as browser:
        sheets = print_pages(browser, SITE, pages, file, title=title)
    return f"{file.relative_to(ROOT)}: {sheets} pages, {file.stat().st_size / 1e6:.1f} MB"


def make(cards: bool) -> None:
    """Copy the book, print and draw what it needs, show the links to what was made, and pack it."""
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(BOOK, SITE)
    chapters = [page.name for page in reading_order() if page.number]
    with ProcessPoolExecutor(2) as pool:  # the book takes about as long as all chapters
        book = pool.submit(print_one, NAME)
        pictures = pool.submit(make_pictures, cards)
        for line in pool.map(print_one, chapters):
            print(line, flush=True)
        print(pictures.result(), book.result(), sep="\n", flush=True)
    for path in sorted(SITE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        path.write_text(LINK.sub(r"\1", text), encoding="utf-8")
    pack(SITE, SITE / f"{NAME}.zip", settings()["title"])


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="only check _build/site")
    parser.add_argument("--cards", action="store_true", help="make cards without an address, too")
    options = parser.parse_args()
    if not options.check:
        make(options.cards or bool(settings()["address"]))
    found = problems(SITE, NAME)
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    if not found:
        print(f"The site is in {SITE.relative_to(ROOT)}.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
