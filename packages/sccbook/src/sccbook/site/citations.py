"""Cite a work in the margin where a chapter's text first links to it.

The book's bibliography knows a work by its address, its DOI, or its number at arXiv. A note comes before
its paragraph in the page, so that the two begin on one line. The theme's script gives it the margin while
it is in sight, by its class.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from docutils import nodes
from pybtex.database import Entry, parse_file
from pybtex.richtext import Text
from sphinx.transforms.post_transforms import SphinxPostTransform

from sccbook.site.boxes import box
from sccbook.site.running_text import paragraphs

ARXIV = re.compile(r"arxiv(?:\.org/\w+/|:)(\d{4}\.\d{4,5})", re.IGNORECASE)
DOI = re.compile(r"doi\.org/(10\.\S+)")
FEW = 3
"""With more authors than these, the first one stands for all."""


NOTE = '<aside class="margin source" role="note">\n', "</aside>\n"
"""What begins and ends a note in HTML."""


def address(link: str) -> str:
    """Return what a link to a work has in common with every other link to it."""
    if number := ARXIV.search(link):
        return f"arXiv:{number[1]}"
    if doi := DOI.search(link):
        return f"doi:{doi[1].lower()}"
    return re.sub(r"^https?://(www\.)?", "", link).rstrip("/")


@cache
def works(file: Path) -> dict[str, Entry]:
    """Return the works of a bibliography by their addresses; one work may have several."""
    found: dict[str, Entry] = {}
    for work in parse_file(str(file), "bibtex").entries.values():
        fields = work.fields
        links = [fields.get("url", ""), *ARXIV.findall(fields.get("note", ""))]
        links = [f"arXiv:{link}" if link[:4].isdigit() else link for link in links]
        if "doi" in fields:
            links.append(f"https://doi.org/{fields['doi']}")
        found |= {address(link): work for link in links if link}
    return found


def plain(field: str) -> str:
    """Return a field without its TeX."""
    return str(Text.from_latex(field).render_as("text")).replace("'", "’")


def authors(names: Sequence[str]) -> str:
    """Return names as one cites them."""
    if len(names) > FEW:
        return f"{names[0]} et al."
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def cited(work: Entry) -> nodes.paragraph:
    """Return a work in short: authors, year and title; of one without authors, what it is."""
    names = [
        plain(" ".join([*person.prelast_names, *person.last_names]))
        for person in work.persons.get("author", [])
    ]
    title = nodes.emphasis("", plain(work.fields["title"]))
    year = work.fields["year"]
    if names:
        return nodes.paragraph("", f"{authors(names)} {year}. ", title)
    what = plain(work.fields["note"])
    stop = "" if title.astext().endswith("?") else "."
    return nodes.paragraph("", "", title, nodes.Text(f"{stop} {what}, {year}."))


def cite_works(page: SphinxPostTransform) -> None:
    """Cite each work in the margin of one chapter, beside the first paragraph that links to it."""
    files = getattr(page.config, "bibtex_bibfiles", [])
    if not files or not str(page.env.doc2path(page.env.docname)).endswith(".ipynb"):
        return
    known = works(Path(page.app.srcdir) / files[0])
    seen: set[str] = set()
    for paragraph in paragraphs(page.document):
        for link in paragraph.findall(nodes.reference):
            work = known.get(address(link.get("refuri", "")))
            if work is not None and work.key not in seen:
                seen.add(work.key)
                at = paragraph.parent.index(paragraph)
                paragraph.parent.insert(at, box(*NOTE, cited(work)))
