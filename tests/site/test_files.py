"""The files of the built book: its links lead somewhere, nothing is missing, and nothing is too much."""

from __future__ import annotations

import json
import re
import unicodedata
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest
from fontTools.ttLib import TTFont

from sccbook.notebook_form import read, tags
from sccbook.site.checks import REPORT
from tests.site.book import CHAPTERS, LANDING, READ, ROOT, descriptions, names
from tools.rules import faults
from tools.site.checking import broken, document
from tools.weights import FIRST, HEAVIER, NEXT, PROGRAM, programs, weights

HEAVY = {
    "notebooks/01_the_missing_function.html": 60_500,
    "notebooks/12_the_cliff.html": 92_000,
    "notebooks/15_the_same_three_today.html": 71_500,
    "notebooks/18_your_own_function.html": 71_500,
}
"""What weighs more than a next page may, and by how much: five figures; three figures, one of them a network that
trains, one of 560 recorded runs, and two plots of dots; two figures and two plots; figures of six kinds, after a page that has one of its own kind."""
MATHS = re.compile(r"<math.*?</math>", re.DOTALL)
TOKEN = re.compile(r"<(m[ions]|mtext)(?: [^>]*)?>([^<]*)<")
ITALICS = (*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C))
FIGURE_IN_TEXT = re.compile(r".*\.\n +\S")
"""How a notebook stores a figure: a sentence, and a table below."""


def test_no_check_failed_when_the_book_was_built(site: Path) -> None:
    report = site.with_name(REPORT)
    assert not report.exists(), report.read_text(encoding="utf-8")


def test_every_link_and_anchor_leads_somewhere_and_what_pages_load_is_beside_them(
    site: Path,
) -> None:
    found = broken(site)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_shows_each_figure_that_its_notebook_shows(name: str) -> None:
    notebook = read((ROOT / name).with_suffix(".ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [output.get("data", {}).get("text/plain", "") for output in outputs]
    assert len(names(name)) == sum(bool(FIGURE_IN_TEXT.match(text)) for text in texts)


def test_the_landing_page_shows_the_river_and_trains_a_network() -> None:
    assert names(LANDING) == ["UnrolledFlow", "UnrolledFlow", "TrainItHere"]


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_notebook_that_a_page_offers_has_all_but_the_solution(site: Path, name: str) -> None:
    path = site / name
    (link,) = (link for link in document(path).links if link.endswith(".ipynb"))
    text = (path.parent / unquote(link)).read_text(encoding="utf-8")
    assert not [str(fault) for fault in faults(text)]
    offered = [cell.id for cell in read(text).cells]
    chapter = read((ROOT / name).with_suffix(".ipynb").read_text(encoding="utf-8")).cells
    assert offered == [cell.id for cell in chapter if "solution" not in tags(cell)]
    shown = re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8"))
    solved = any("def worked(" in cell.source for cell in chapter)
    assert ("def worked(" in text, "def worked(" in shown) == (False, solved)


def test_every_sign_of_every_formula_is_in_the_books_font(site: Path) -> None:
    has = TTFont(site / "_static" / "maths.woff2").getBestCmap()
    lacking: dict[str, set[str]] = {}
    for name in READ:
        described = json.dumps(descriptions(name), ensure_ascii=False).replace('\\"', '"')
        for formula in MATHS.findall((site / name).read_text(encoding="utf-8") + described):
            assert "merror" not in formula, f"{name}: {formula}"
            tokens = TOKEN.findall(formula)
            signs = set("".join(unescape(shown(tag, text)) for tag, text in tokens))
            lacking.setdefault(name, set()).update(
                sign for sign in signs if ord(sign) not in has and not unseen(sign)
            )
    assert set(lacking) > set(CHAPTERS)
    assert not any(lacking.values()), f"add to tools/maths_font.py, and run it: {lacking}"


def shown(tag: str, text: str) -> str:
    """A token's text as a browser draws it: a letter alone is italic."""
    if tag != "mi" or len(text) != 1 or not text.isalpha():
        return text
    return next((c for c in map(chr, ITALICS) if unicodedata.normalize("NFKC", c) == text), text)


def unseen(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) == "Cf"


def test_every_still_is_a_picture_that_stands_by_itself(site: Path) -> None:
    stills = list((site / "_images").glob("still-*.svg"))
    assert len(stills) > 20
    for still in stills:
        text = still.read_text(encoding="utf-8")
        assert len(fromstring(text)) > 1  # its styles, and what they are for
        assert "://" not in text.replace("http://www.w3.org/", "")


def test_no_page_is_heavy_and_the_next_is_light(site: Path) -> None:
    found = weights(site, READ)
    assert {
        name: first
        for name, (first, _) in found.items()
        if first > (212_500 if "the_cliff" in name else FIRST)  # its two plots of dots
    } == {}
    assert {name: new for name, (_, new) in found.items() if new > HEAVY.get(name, NEXT)} == {}


def test_a_figures_program_is_light_or_the_table_of_weights_says_why_not(site: Path) -> None:
    heavy = {name for name, weighs in programs(site, READ).items() if weighs > PROGRAM}
    assert heavy <= {*HEAVIER}
    assert {*HEAVIER} <= heavy, "it says why of a figure that is light, or is not in the book"


def test_the_site_carries_nothing_that_no_page_asks_for(site: Path) -> None:
    found: list[Any] = [
        path
        for name in ("*.map", "fontawesome*", "fa-*")
        for path in (site / "_static").rglob(name)
    ]
    assert found == []
