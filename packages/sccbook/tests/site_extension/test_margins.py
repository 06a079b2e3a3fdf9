"""Works are cited in the margin, beside the paragraph that first links to them."""

from __future__ import annotations

from typing import Any

import pytest

from sccbook.site.citations import address, authors
from tests.tiers import some_now

pytestmark = pytest.mark.slow


def text(node: Any) -> str:
    return " ".join(node.get_text().split())


def test_the_first_link_to_a_work_is_cited_in_short(book: Any) -> None:
    notes = book.page("01_clipping.html").select("aside.source")
    assert [text(note) for note in notes] == [
        "Pascanu, Mikolov and Bengio 2013. On the Difficulty",
        "What’s Why? Question 7, 2019.",
        "van Laarhoven et al. 2017. Many",
    ]
    assert [note.find_next_sibling("p").a.get_text() for note in notes] == [
        "Pascanu", "asked", "asked"
    ]  # fmt: skip
    assert notes[1].parent.name == "li"
    assert book.page("plain.html").select("aside.margin") == [], "only chapters cite"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://arxiv.org/abs/1911.08265", "http://www.arxiv.org/src/1911.08265v2/anc/x.py"),
        ("https://doi.org/10.1000/AbC", "http://dx.doi.org/10.1000/abc"),
        ("https://example.org/x/", "http://www.example.org/x"),
    ],
)
def test_links_to_one_work_have_one_address(one: str, other: str) -> None:
    assert address(one) == address(other) != address("https://example.org/y")


@pytest.mark.parametrize(
    ("names", "cited"),
    [("A", "A"), ("AB", "A and B"), ("ABC", "A, B and C"), ("ABCD", "A et al.")],
)
def test_more_than_three_authors_are_the_first_and_others(names: str, cited: str) -> None:
    assert authors(names) == cited


@pytest.mark.parametrize("width", some_now([1920, 1280, 1100, 320], 1280, 320))
def test_notes_are_beside_the_text_where_there_is_a_margin(open_made_up: Any, width: int) -> None:
    page = open_made_up("01_clipping.html", viewport={"width": width, "height": 800})
    note, about = (page.locator(which).first for which in ("aside.source", "aside.source + p"))
    assert note.is_visible() == (width >= 1200)
    if width >= 1200:
        box, text = note.bounding_box(), about.bounding_box()
        assert text["x"] + text["width"] < box["x"] < box["x"] + box["width"] <= width
        assert abs(box["y"] - text["y"]) < 12
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    plain = open_made_up("01_clipping.html", java_script_enabled=False)
    assert plain.locator("aside.source:visible").count() == 0, "it would be under the contents"


def test_the_contents_make_room_for_notes_and_open_to_the_keyboard(open_made_up: Any) -> None:
    page = open_made_up("01_clipping.html")
    contents = page.locator(".bd-sidebar-secondary")
    page.wait_for_function("document.querySelector('.bd-sidebar-secondary.hide')")
    page.wait_for_function("document.querySelector('.bd-sidebar-secondary').offsetHeight < 60")
    contents.locator("a").first.focus()
    page.wait_for_function("document.querySelector('.bd-sidebar-secondary').offsetHeight > 60")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('#pst-page-toc-nav')).opacity == 1"
    )
