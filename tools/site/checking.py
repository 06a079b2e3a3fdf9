"""Check a site before it's published: an empty page or a broken link mustn't get out."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.site.contents import article, number, reading_order

WORDS = 100
"""A page with fewer isn't whole."""
MADE = 20_000
"""Bytes of a PDF that has at least a page of text."""


class Document(HTMLParser):
    """What a page refers to, what can be referred to in it, what it loads, and what it runs on events."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what an element has."""
        found = {name: value or "" for name, value in attributes}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        self.handlers += [name for name in found if name.startswith("on")]
        if tag in ("a", "area") and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") not in ("canonical", "license"):
            self.loaded.append(found.get("href", ""))
        elif tag == "meta" and found.get("property") in ("og:image", "og:url"):
            self.links.append(found["content"])
        self.loaded += [
            found[n] for n in ("src", "poster", "data", "srcset", "action") if n in found
        ]
        self.loaded += re.findall(r"url\(['\"]?([^'\")]+)", found.get("style", ""))


@cache
def document(path: Path) -> Document:
    """Return what is in a page."""
    return Document(path.read_text(encoding="utf-8"))


def broken(site: Path, address: str = "") -> list[str]:
    """Return what pages link to or load that isn't there: a file, a place on a page, or a file of another host.

    Args:
      site: its folder.
      address: where it's published, for links that begin with it; "" if nowhere.
    """
    found = []
    for path in sorted(site.rglob("*.html")):
        page = document(path)
        for link in filter(None, page.links + page.loaded):
            folder, local = path.parent, link
            if address and link.startswith(address):
                folder, local = site, link.removeprefix(address)
            parts = urlsplit(local)
            if parts.scheme in ("data", "mailto") or (parts.scheme and link in page.links):
                continue
            target = (folder / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if not (target.is_file() and target.is_relative_to(site.resolve())):
                found.append(f"{path.relative_to(site)}: {link} leads nowhere")
            elif anchor and target.suffix == ".html" and anchor not in document(target).anchors:
                found.append(f"{path.relative_to(site)}: {link} leads to no place on the page")
    return found


def problems(site: Path, name: str, address: str) -> list[str]:
    """Return what is missing or broken in a site.

    Args:
      site: its folder.
      name: of the book's PDF and zip.
      address: where it's published; "" if nowhere.
    """
    pages = reading_order()
    least = {f"{page}.pdf": MADE for page in pages if number(page)}
    least |= {f"{name}.pdf": MADE, f"{name}.zip": MADE}
    sizes = {file: (site / file).stat().st_size if (site / file).is_file() else 0 for file in least}
    found = [
        f"{file} has {size} bytes; expected at least {least[file]}"
        for file, size in sizes.items()
        if size < least[file]
    ]
    for page in pages:
        whole = (site / f"{page}.html").is_file()
        words = len(article(site, page).get_text(" ").split()) if whole else 0
        if words < WORDS:
            found.append(f"{page}.html has {words} words; expected at least {WORDS}")
    return found + broken(site, address)
