"""Print documents with Chromium, twice: the second time with the page numbers that the first one gave."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from jinja2 import Template
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from sccbook.site.dates import in_words
from sccbook.site.dates import printed as output
from tools.site.contents import ROOT, reading_order, settings
from tools.site.paper import printed, words

TEMPLATE = Path(__file__).with_name("document.html")
FILL = """(pages) => {
  for (const link of document.querySelectorAll("a.on-page")) link.textContent = pages[link.hash.slice(1)] ?? "?";
}"""
SHEET = {"prefer_css_page_size": True, "print_background": True, "tagged": True, "outline": True}


def edition() -> str:
    """Return which edition this is: the version, and the day of the last commit if git knows it."""
    day = output("git", "log", "-1", "--format=%cs", folder=ROOT)
    of = f", {in_words(date.fromisoformat(day))}" if day else ""
    return f"Version {version('sccbook')}{of}"


def document(site: Path, pages: Sequence[str]) -> str:
    """Return the HTML of one document: the whole book, or one chapter.

    Args:
      site: the folder of the built book.
      pages: what is in it, in order. If there's only one, it starts below a short list of its sections;
        several have a cover and contents. Both have the answers at the end.
    """
    order, book = reading_order(), settings()
    parts, styles = [], dict[str, None]()
    for page in pages:
        text, answers = printed(site, page, pages, book["html"]["baseurl"])
        links = text.find_parent("html").select("link[rel=stylesheet]")  # type: ignore[union-attr]
        styles |= dict.fromkeys(str(link["href"]).removeprefix("../") for link in links)
        sections = [(s["id"], words(s.h2)) for s in text.select("section:has(> h2)")]
        parts.append({"id": text["id"], "part": order[page], "title": words(text.h1), "text": text, "sections": sections, "answers": answers})  # fmt: skip
    river = (ROOT / "book" / "river.svg").as_uri()
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return str(
        template.render(book=book, edition=edition(), parts=parts, river=river, styles=styles)
    )


def entries(parent: Any) -> Iterator[Any]:
    """Yield the entries of a PDF's outline, in reading order."""
    entry = parent.get("/First")
    while entry:
        yield entry.get_object()
        yield from entries(entry.get_object())
        entry = entry.get_object().get("/Next")


def print_pages(browser: Any, site: Path, pages: Sequence[str], to: Path) -> int:
    """Write one PDF, and return how many pages it has.

    Raises:
      ValueError: its outline isn't that of its headings.
    """
    file = site / f"_paper-{to.stem}.html"
    text = document(site, pages)
    file.write_text(text, encoding="utf-8")
    tab = browser.new_page(color_scheme="light")
    tab.goto(file.resolve().as_uri())
    tab.evaluate("document.fonts.ready")
    first = PdfReader(io.BytesIO(tab.pdf(**SHEET)))
    places = first.named_destinations.items()
    numbers = {name: first.get_destination_page_number(place) for name, place in places}
    tab.evaluate(FILL, {name.lstrip("/"): n + 1 for name, n in numbers.items() if n is not None})
    writer = PdfWriter(clone_from=io.BytesIO(tab.pdf(**SHEET)))
    tab.close()
    file.unlink()
    headings = BeautifulSoup(text, "html.parser").select("h1, h2, h3, h4, h5, h6")
    outline = list(entries(writer.root_object["/Outlines"]))
    for entry, heading in zip(outline, headings, strict=True):
        entry[NameObject("/Title")] = TextStringObject(words(heading))
    writer.add_metadata({"/Author": settings()["author"], "/Subject": edition()})
    writer.write(to)
    return len(writer.pages)
