"""Make what is published: ``make site``.

``_build/site`` gets the built book, what Chromium makes of it (a PDF of the book and one of each chapter, and, if the
site has an address, a picture of each page to show beside links to it), and a zip of it all for rooms without a
network. The links to these files are comments in the built pages, as in
``<!-- site: <a href="08_clipping.pdf">PDF</a> -->``, because the built book doesn't have the files.

``python -m tools.site --check`` only checks what is there, and fails if anything is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor

from tools.browser import chromium
from tools.site.checking import problems
from tools.site.contents import ROOT, number, reading_order, settings
from tools.site.packing import pack
from tools.site.pictures import flatten, make_cards
from tools.site.printing import print_pages

BOOK, SITE = ROOT / "_build" / "html", ROOT / "_build" / "site"
NAME = "scale-clip-constrain"
LOOKED_UP = "book/reference/"
"""Pages that the book's PDF leaves out: nobody reads them on paper."""
LINK = re.compile(r"<!-- site: (.*?) -->", re.DOTALL)


def print_one(name: str) -> str:
    """Write the PDF of one chapter, or of the book; return a line that says what was made."""
    read = [page for page in reading_order() if not page.startswith(LOOKED_UP)]
    pages = read if name == NAME else [name]
    file = SITE / f"{name}.pdf"
    with chromium() as browser:
        sheets = print_pages(browser, SITE, pages, file)
    return f"{file.relative_to(ROOT)}: {sheets} pages, {file.stat().st_size / 1e6:.1f} MB"


def make(title: str, *, cards: bool) -> None:
    """Copy the book, print and draw what it needs, show the links to what was made, and pack it."""
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(BOOK, SITE)
    with ProcessPoolExecutor(2) as pool:  # the book takes about as much time as all chapters
        lines = pool.map(print_one, [NAME, *filter(number, reading_order())])
        with chromium() as browser:
            print(f"figures: {flatten(browser, SITE / 'figures')} pictures", flush=True)
            if cards:
                make_cards(browser, SITE, reading_order())
        print(*lines, sep="\n", flush=True)
    for path in sorted(SITE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        path.write_text(LINK.sub(r"\1", text), encoding="utf-8")
    pack(SITE, SITE / f"{NAME}.zip", title)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description="Make the site.")
    parser.add_argument("--check", action="store_true", help="only check _build/site")
    options, book = parser.parse_args(), settings()
    address = book["html"]["baseurl"]
    if not options.check:
        make(book["title"], cards=bool(address))
    found = problems(SITE, NAME, address)
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
