"""The bibliography has every work that a chapter links to, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from pybtex.database import parse_file

from sccbook.notebook_form import read
from sccbook.site.citations import address, plain, works

ROOT = Path(__file__).parents[2]
FILE = ROOT / "book" / "references.bib"
WORK = re.compile(r"https?://(?:arxiv\.org/abs|(?:dx\.)?doi\.org|jmlr\.org/papers)/[^)\s]+")


def prose(path: Path) -> str:
    """Return a chapter's Markdown, its lines joined."""
    cells = read(path.read_text(encoding="utf-8")).cells
    return " ".join(" ".join(c.source for c in cells if c.cell_type == "markdown").split())


CHAPTERS = {path.stem: prose(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
PAGES = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "book").rglob("*.md"))


def test_every_work_that_a_chapter_links_to_is_in_the_bibliography() -> None:
    linked = {link: name for name, text in CHAPTERS.items() for link in WORK.findall(text)}
    assert len(linked) > 10
    assert {link: name for link, name in linked.items() if address(link) not in works(FILE)} == {}


def test_every_work_of_the_bibliography_is_cited() -> None:
    text = " ".join(CHAPTERS.values())
    addresses = {address(link) for link in re.findall(r"https?://[^)\s>]+", text)}
    entries = parse_file(str(FILE), "bibtex").entries
    linked = {work.key for link, work in works(FILE).items() if link in addresses}
    cited = {key for key in entries if f"`{key}`" in PAGES}
    named = {
        key
        for key, work in entries.items()
        if re.split(r"[:?]", plain(work.fields["title"]))[0].lower() in text.lower()
    }
    assert set(entries) - linked - cited - named == set()
