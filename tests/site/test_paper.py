"""The book on paper: nothing is lost, answers come last, and page numbers are right."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.tiers import some_now
from tools.site.contents import article, number, reading_order
from tools.site.paper import UNPRINTED, printed
from tools.site.printing import print_pages

PAGES = list(reading_order())
CHAPTERS = list(filter(number, PAGES))
CLIPPING = "notebooks/08_clipping"


def read_on_paper(site: Path, page: str) -> str:
    """What's read on a page, except what is only for those who can click."""
    text = article(site, page)
    for unwanted in text.select(f"{UNPRINTED}, details.solution > summary"):
        unwanted.decompose()
    return text.get_text(" ")


@pytest.mark.parametrize("page", some_now(CHAPTERS, CLIPPING), ids=number)
def test_paper_has_every_word_of_a_chapter_and_its_answers_apart(page: str, site: Path) -> None:
    text, answers = printed(site, page, PAGES, "")
    on_paper = " ".join(part.get_text(" ") for part in (text, *answers))
    wanted, there = (
        Counter(re.findall(r"\w+", words)) for words in (read_on_paper(site, page), on_paper)
    )
    assert wanted - there == Counter()
    assert not text.select("details.choice, details.solution")
    questions = [answer for answer in answers if answer.get_text().startswith("Question ")]
    right = [answer for answer in answers if answer.get("class") == ["choice", "right"]]
    assert len(right) >= len(questions) >= 2


@pytest.mark.slow
def test_every_link_within_the_printed_book_leads_to_a_place_in_it(site: Path) -> None:
    parts = [(text, *answers) for text, answers in (printed(site, p, PAGES, "") for p in PAGES)]
    whole = [element for part in sum(parts, ()) for element in (part, *part.find_all(True))]
    names = [element["id"] for element in whole if element.get("id")]
    links = {str(element["href"]) for element in whole if element.get("href")}
    assert len(names) == len(set(names))
    inside = {link for link in links if not link.startswith(("https://", "http://", "mailto:"))}
    assert len(inside) > 100
    assert inside <= {f"#{name}" for name in names}


@pytest.mark.slow
def test_a_printed_chapter_can_be_read_numbers_its_contents_and_breaks_no_code(
    site: Path, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "chapter.pdf"
    assert 8 < print_pages(browser, site, [CLIPPING], file) < 20
    pdf = PdfReader(file)
    sheets = (unicodedata.normalize("NFKC", sheet.extract_text()) for sheet in pdf.pages)
    squeezed = [re.sub(r"\s", "", sheet) for sheet in sheets]
    wanted = re.findall(r"\w{6,}", unicodedata.normalize("NFKC", read_on_paper(site, CLIPPING)))
    assert len(wanted) > 300
    letters = re.sub(r"\W", "", "".join(squeezed))
    assert [word for word in wanted if word not in letters] == []
    text, answers = printed(site, CLIPPING, [CLIPPING], "")
    for heading in (re.sub(r"\s", "", h2.get_text()) for h2 in text.select("h2")):
        found = re.search(re.escape(heading) + r"(\d+)", squeezed[0])
        assert found, f"{heading} is not in the contents"
        assert heading in squeezed[int(found[1]) - 1]
    for code in (code for part in (text, *answers) for code in part.select("div.cell_input pre")):
        lines = re.sub(r"\s", "", unicodedata.normalize("NFKC", code.get_text()))
        assert any(lines in sheet for sheet in squeezed), code.get_text()
    assert all(sheet.startswith("Scale,Clip,Constrain") for sheet in squeezed)
    assert sum("08Clipping" in sheet[:40] for sheet in squeezed[1:]) > 8, "the running head"
    last = next(n for n, sheet in enumerate(squeezed) if "Exercise1" in sheet)
    assert all("Sources" not in sheet for sheet in squeezed[last:])
    root: Any = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"], "a screen reader finds its way"
    assert root["/Lang"] == "en-GB"
    titles = [entry.title for entry in pdf.outline if not isinstance(entry, list)]
    assert titles == ["08 Clipping", "Answers"]
