"""Print documents with Chromium, twice: the second time with the page numbers that the first one gave."""

from __future__ import annotations

import html
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import NameObject, TextStringObject

from tools.site.contents import ROOT, Page, edition, settings
from tools.site.paper import anchor, printed, tag, words

TEMPLATE = Path(__file__).with_name("document.html")
RIVER = ROOT / "book" / "river.svg"
FILL = """(pages) => {
  for (const link of document.querySelectorAll("a.on-page, .toc a")) {
    const number = link.matches(".on-page") ? link : link.querySelector(".on-page");
    number.textContent = pages[decodeURIComponent(link.hash.slice(1))] ?? "?";
  }
}"""
SHEET = {"prefer_css_page_size": True, "print_background": True, "tagged": True, "outline": True}


def document(site: Path, pages: Sequence[Page], *, title: str) -> str:
    """Return the HTML of one document: the whole book, or one chapter.

    Args:
      site: the folder of the built book.
      pages: what is in it, in order. If there's only one, it starts below a short heading, and has its
        answers at the end; several have a cover and contents.
      title: of the document.
    """
    book, whole = settings(), len(pages) > 1
    made = [(page, *printed(page, site, pages, book["address"])) for page in pages]
    answers = [each for _, _, each in made if each]
    parts = [text for _, text, _ in made]
    if answers:
        parts.append(
            tag("section", tag("h1", "Answers"), *answers, class_="bd-article solved", id="answers")
        )
    front = [cover(book), book_contents(made)] if whole else []
    if not whole:
        parts[0].insert(0, opening(book, parts[0]))
    soups = [page.soup(site) for page in pages]
    styles = dict.fromkeys(
        str(link["href"]).removeprefix("../")
        for soup in soups
        for link in soup.select("link[rel=stylesheet]")
    )
    return TEMPLATE.read_text(encoding="utf-8").format(
        title=html.escape(title),
        running=book["title"],
        named="\n".join(map(named, parts)),
        styles="\n".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in styles),
        body="\n".join(map(str, [*front, *parts])),
    )


def named(part: Tag) -> str:
    """Return the rule that puts a part's title at the head of its pages."""
    title = words(part.h1)
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    font = "font: 8.5pt system-ui, sans-serif; color: #5a6270;"
    name = f"page-{part['id']}"
    return f'@page {name} {{ @top-right {{ content: "{quoted}"; {font} }} }} [id="{part["id"]}"] {{ page: {name}; }}'


def about(book: dict[str, str]) -> str:
    """Return the line that says which edition this is."""
    version, when = edition()
    return f"Version {version}, {when.day} {when:%B %Y}"


def cover(book: dict[str, str]) -> Tag:
    """Return the title page."""
    river = tag("img", src=RIVER.as_uri(), alt="")
    lines = [tag("p", book["author"][:1].upper() + book["author"][1:]), tag("p", about(book))]
    return tag(
        "section", tag("p", book["title"], class_="title"), river, *lines, class_="front cover"
    )


def entry(text: str, name: str) -> Tag:
    """Return one line of the contents; printing fills in its number."""
    return tag("li", tag("a", tag("span", text), tag("span", class_="on-page"), href=f"#{name}"))


def book_contents(made: Sequence[tuple[Page, Tag, Tag | None]]) -> Tag:
    """Return the contents of the book, part by part."""
    lines, part = tag("ol"), ""
    for page, text, _ in made:
        if page.part != part:
            part = page.part
            lines.append(tag("li", part, class_="part"))
        lines.append(entry(words(text.h1), anchor(page)))
    lines.append(entry("Answers", "answers"))
    return tag("nav", tag("h1", "Contents"), lines, class_="front toc bd-article")


def opening(book: dict[str, str], text: Tag) -> Tag:
    """Return what is above a chapter that is printed alone: the edition and the sections."""
    lines = tag("ol")
    for section in text.select("section:has(> h2)"):
        lines.append(entry(words(section.select_one("h2")), str(section["id"])))
    lines.append(entry("Answers", "answers"))
    edition = tag("p", f"{book['title']} · {about(book)}", class_="edition")
    return tag("header", edition, tag("nav", lines, class_="toc brief"))


def pages_of(pdf: bytes) -> dict[str, int]:
    """Return the page of each place that something links to."""
    reader = PdfReader(io.BytesIO(pdf))
    found = {
        name: reader.get_destination_page_number(place)
        for name, place in reader.named_destinations.items()
    }
    return {name.lstrip("/"): number + 1 for name, number in found.items() if number is not None}


def print_twice(browser: Any, file: Path) -> bytes:
    """Print a document with its page numbers filled in."""
    tab = browser.new_page(color_scheme="light")
    tab.goto(file.resolve().as_uri())
    tab.evaluate("document.fonts.ready")
    tab.evaluate(FILL, pages_of(tab.pdf(**SHEET)))
    pdf: bytes = tab.pdf(**SHEET)
    tab.close()
    return pdf


def entries(parent: Any) -> Iterator[Any]:
    """Yield the entries of a PDF's outline, in reading order."""
    entry = parent.get("/First")
    while entry:
        yield entry.get_object()
        yield from entries(entry.get_object())
        entry = entry.get_object().get("/Next")


def name_entries(writer: PdfWriter, headings: Sequence[str]) -> None:
    """Name each entry of the outline: Chromium doubles the words of a heading at the top of a page.

    Raises:
      ValueError: the outline isn't that of these headings.
    """
    outline = list(entries(writer.root_object["/Outlines"]))
    for entry, heading in zip(outline, headings, strict=True):
        if "".join(heading.split())[:3] not in "".join(entry["/Title"].split()):
            raise ValueError(f"The outline has {entry['/Title']!r}; expected {heading!r}.")
        entry[NameObject("/Title")] = TextStringObject(heading)


def finished(pdf: bytes, headings: Sequence[str], *, title: str) -> bytes:
    """Return a PDF with its title, authors, dates, page labels and the names in its outline."""
    book, (version, when) = settings(), edition()
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    stamp = when.strftime("D:%Y%m%d%H%M%SZ")
    writer.add_metadata(
        {
            "/Title": title,
            "/Author": book["author"],
            "/Subject": f"Version {version}",
            "/CreationDate": stamp,
            "/ModDate": stamp,
        }
    )
    name_entries(writer, headings)
    writer.set_page_label(0, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL, start=1)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def print_pages(browser: Any, site: Path, pages: Sequence[Page], to: Path, *, title: str) -> int:
    """Write one PDF, and return how many pages it has."""
    file = site / f"_paper-{to.stem}.html"
    text = document(site, pages, title=title)
    file.write_text(text, encoding="utf-8")
    found = BeautifulSoup(text, "html.parser").select("h1, h2, h3, h4, h5, h6")
    headings = [words(heading) for heading in found]
    try:
        pdf = finished(print_twice(browser, file), headings, title=title)
    finally:
        file.unlink()
    to.write_bytes(pdf)
    return len(PdfReader(io.BytesIO(pdf)).pages)
