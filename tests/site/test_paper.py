"""The book on paper: nothing is lost, answers come last, and page numbers are right."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import Tag
from pypdf import PdfReader

from tests.tiers import some_now
from tools.site.contents import article, reading_order
from tools.site.paper import UNPRINTED, printed
from tools.site.printing import document, print_pages

PAGES = reading_order()
CHAPTERS = [page for page in PAGES if page.number]
CLIPPING = next(page for page in CHAPTERS if page.number == "08")
GLOSSARY = next(page for page in PAGES if page.name == "book/glossary")


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def read_on_paper(page: Any, site: Path) -> str:
    """What's read on a page, except what is only for those who can click."""
    text = article(page.soup(site))
    for unwanted in text.select(f"{UNPRINTED}, details.solution > summary"):
        unwanted.decompose()
    return text.get_text(" ")


@pytest.mark.parametrize("page", some_now(CHAPTERS, CLIPPING), ids=lambda page: page.number)
def test_paper_has_every_word_of_a_chapter_and_its_answers_apart(page: Any, site: Path) -> None:
    text, answers = printed(page, site, PAGES, "")
    assert answers is not None
    missing = words(read_on_paper(page, site)) - words(
        f"{text.get_text(' ')} {answers.get_text(' ')}"
    )
    assert not missing
    assert not text.select("details.choice, details.solution")
    right = [re.fullmatch(r"Question \d: [A-Z]", h3.get_text()) for h3 in answers.select("h3")]
    assert len(list(filter(None, right))) >= 2


@pytest.mark.slow
def test_every_link_within_the_printed_book_leads_to_a_place_in_it(site: Path) -> None:
    whole = [
        each for page in PAGES for each in printed(page, site, PAGES, "") if isinstance(each, Tag)
    ]
    names = [str(each["id"]) for part in whole for each in [part, *part.find_all(id=True)]]
    links = {str(link["href"]) for part in whole for link in part.select("a[href^='#']")}
    assert len(names) == len(set(names))
    assert {link[1:] for link in links} <= set(names)
    assert not [
        link for part in whole for link in part.select("a[href$='.html']:not([href^='http'])")
    ]


def test_a_chapter_alone_has_its_contents_above_and_its_answers_at_the_end(site: Path) -> None:
    text = document(site, [CLIPPING], title="Clipping")
    places = [
        text.index(part) for part in ('class="toc brief"', "<h1>", 'class="bd-article solved"')
    ]
    assert places == sorted(places)
    assert 'href="#book-glossary' not in text, "the glossary isn't in this document"


@pytest.mark.slow
def test_the_words_that_are_printed_can_be_read_back(
    site: Path, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "glossary.pdf"
    print_pages(browser, site, [GLOSSARY], file, title="Glossary")
    pdf = PdfReader(file)
    text = unicodedata.normalize("NFKC", "".join(page.extract_text() for page in pdf.pages))
    letters = re.sub(r"\W", "", text)
    wanted = re.findall(r"\w{6,}", read_on_paper(GLOSSARY, site))
    assert len(wanted) > 300
    assert [word for word in wanted if word not in letters] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [CLIPPING], ids=lambda page: page.number)
def test_a_printed_chapter_numbers_its_contents_and_breaks_no_code(
    page: Any, site: Path, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "chapter.pdf"
    assert 8 < print_pages(browser, site, [page], file, title="Clipping") < 20
    pdf = PdfReader(file)
    sheets = (unicodedata.normalize("NFKC", sheet.extract_text()) for sheet in pdf.pages)
    squeezed = [re.sub(r"\s", "", sheet) for sheet in sheets]
    text, answers = printed(page, site, [page], "")
    assert answers is not None
    for section in text.select("section:has(> h2)"):
        heading = re.sub(r"\s", "", section.h2.get_text()) if section.h2 else ""
        number = re.search(re.escape(heading) + r"(\d+)", squeezed[0])
        assert number, f"{heading} is not in the contents"
        assert heading in squeezed[int(number[1]) - 1]
    for code in [*text.select("div.cell_input pre"), *answers.select("div.cell_input pre")]:
        lines = re.sub(r"\s", "", code.get_text())
        assert any(lines in sheet for sheet in squeezed), code.get_text()
    last = next(n for n, sheet in enumerate(squeezed) if "Question1:" in sheet)
    assert all("Sources" not in sheet for sheet in squeezed[last:])
    assert pdf.trailer["/Root"]["/MarkInfo"]["/Marked"], "a screen reader finds its way"
    assert pdf.trailer["/Root"]["/Lang"] == "en-GB"
    assert pdf.outline
