"""Each chapter is in the contents, lets its reader try, and cites what the bibliography has. `make lint` checks its form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pybtex.database import parse_file

from sccbook.exercises.catalogue import EXERCISES
from sccbook.notebook_form import read, tags
from sccbook.site.citations import address, plain, works

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_the_table_of_contents_with_its_title(chapter: Path) -> None:
    heading = read(chapter.read_text(encoding="utf-8")).cells[0].source.splitlines()[0]
    title = f"{chapter.stem[:2]} {heading.removeprefix('# ').partition(':')[0].replace('`', '')}"
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8").replace('"', "")
    assert f"file: notebooks/{chapter.stem}\n        title: {title}" in contents


def tagged(chapter: Path, tag: str) -> list[str]:
    """The sources of a chapter's cells that have a tag."""
    cells = read(chapter.read_text(encoding="utf-8")).cells
    return [cell.source for cell in cells if tag in tags(cell)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_a_quiz_and_an_exercise_that_is_checked_and_solved(chapter: Path) -> None:
    assert tagged(chapter, "quiz")  # `make lint` counts its questions
    solution = "\n".join(tagged(chapter, "solution"))
    stubs = tagged(chapter, "exercise")
    assert stubs or chapter.stem in ("16_rosetta", "17_how_the_libraries_differ")
    for stub in stubs:
        name = re.search(r'^check\("(\w+)", \w+\)$', stub, re.MULTILINE)
        assert name, stub
        assert name[1] in EXERCISES
        assert f'check("{name[1]}", worked' in solution


FILE = ROOT / "book" / "references.bib"
WORK = re.compile(r"https?://(?:arxiv\.org/abs|(?:dx\.)?doi\.org|jmlr\.org/papers)/[^)\s]+")


def prose(path: Path) -> str:
    """Return a chapter's Markdown, its lines joined."""
    cells = read(path.read_text(encoding="utf-8")).cells
    return " ".join(" ".join(c.source for c in cells if c.cell_type == "markdown").split())


PROSE = {path.stem: prose(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
PAGES = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "book").rglob("*.md"))


def test_every_work_that_a_chapter_links_to_is_in_the_bibliography() -> None:
    linked = {link: name for name, text in PROSE.items() for link in WORK.findall(text)}
    assert len(linked) > 10
    assert {link: name for link, name in linked.items() if address(link) not in works(FILE)} == {}


def test_every_work_of_the_bibliography_is_cited() -> None:
    text = " ".join(PROSE.values())
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
