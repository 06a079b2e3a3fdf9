"""Check a site before it's published: an empty page or a broken link mustn't get out."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

from tools.site.contents import article, reading_order, settings

WORDS = 100
"""A page with fewer isn't whole."""
MADE = 20_000
"""Bytes of a PDF that has at least a page of text."""
ADDRESSES = {
    "a": "href",
    "link": "href",
    "img": "src",
    "script": "src",
    "object": "data",
    "meta": "content",
}


def problems(site: Path, name: str) -> list[str]:
    """Return what is missing or broken in a site.

    Args:
      site: its folder.
      name: of the book's PDF and zip.
    """
    found = []
    pages = reading_order()
    for page in pages:
        if not (site / f"{page.name}.html").is_file():
            found.append(f"{page.name}.html is missing. Make the site again: make site")
        elif (words := len(article(page.soup(site)).get_text(" ").split())) < WORDS:
            found.append(f"{page.name}.html has {words} words; expected at least {WORDS}")
    for file in [
        *(f"{page.name}.pdf" for page in pages if page.number),
        f"{name}.pdf",
        f"{name}.zip",
    ]:
        size = (site / file).stat().st_size if (site / file).is_file() else 0
        if size < MADE:
            found.append(f"{file} has {size} bytes; expected at least {MADE}")
    for path in sorted(site.rglob("*.html")):
        found += [f"{path.relative_to(site)}: {link} leads nowhere" for link in broken(path, site)]
    return found


def broken(path: Path, site: Path) -> list[str]:
    """Return the addresses on a page that should lead to a file of the site, and don't."""
    address = settings()["address"]
    found = []
    for element in BeautifulSoup(path.read_bytes(), "html.parser").find_all(list(ADDRESSES)):
        link = str(element.get(ADDRESSES[element.name]) or "")
        if element.name == "meta" and element.get("property") not in ("og:image", "og:url"):
            continue
        folder = path.parent
        if address and link.startswith(address):
            link, folder = link.removeprefix(address).lstrip("/"), site
        parts = urlsplit(link)
        target = folder / unquote(parts.path)
        here = not parts.scheme and not parts.netloc and parts.path
        if here and not (target.is_file() or (target / "index.html").is_file()):
            found.append(link)
    return found
