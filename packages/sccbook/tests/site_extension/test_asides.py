"""A term is defined where it is first used, and a work cited in the margin where it is first linked to."""

from __future__ import annotations

from typing import Any

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from sccbook.site.citations import address, authors
from sccbook.site.glossary import pattern, shown
from tests.tiers import some_now

pytestmark = pytest.mark.slow


def test_the_first_use_in_the_text_is_marked_and_defined_as_the_glossary_has_it(book: Any) -> None:
    page, glossary = book.page("01_clipping.html"), book.page("book/glossary.html")
    terms = page.select(".term")
    assert [" ".join(term.a.get_text().split()) for term in terms] == [
        "gain", "Cotangents", "vector-Jacobian product", "Jacobian", "tape"
    ]  # fmt: skip
    assert terms[0].parent.get_text().startswith("The gain")
    assert terms[4].parent.name == "em"
    for term in terms:
        file, name = term.a["href"].split("#")
        assert file == "book/glossary.html"
        assert glossary.find(id=name).name == "dt"
        definition = term.find(id=term.a["aria-describedby"], role="tooltip")
        assert definition.get_text().rstrip(".") in glossary.find(id=name).parent.get_text()


def test_only_the_first_paragraph_of_an_entry_is_shown_with_its_maths_and_code(book: Any) -> None:
    page = book.page("01_clipping.html")
    cotangent, gain = (page.find(id=f"in-short-term-{name}") for name in ("cotangent", "gain"))
    assert cotangent.find("math") is not None
    assert "More of it" not in cotangent.get_text()
    assert (gain.code.get_text(), gain.em.get_text()) == ("how", "grows")


def test_the_glossary_and_the_search_have_no_definitions_from_elsewhere(book: Any) -> None:
    assert book.page("book/glossary.html").select(".term") == []
    searched = (book.folder / "_static" / "search-sections.js").read_text(encoding="utf-8")
    assert searched.count("A record.") == 1  # on one page, the glossary


def test_a_definition_with_a_link_is_refused() -> None:
    link = nodes.paragraph("", "", nodes.Text("see "), nodes.reference("", "there", refuri="x"))
    with pytest.raises(ExtensionError, match=r"defines 'gain' .* move it to a second paragraph"):
        shown(nodes.term("", "gain"), link)


@pytest.mark.parametrize(
    ("term", "words", "found"),
    [
        ("gain", "gain Gains gain's", ["gain", "Gains", "gain"]),
        ("gain", "again gain-like gaining regain", []),
        ("Jacobian", "Jacobians, vector-Jacobian, jacobian", ["Jacobians"]),
        ("global norm", "global\n  norms", ["global\n  norms"]),
        ("heads", "head heads ahead", ["heads"]),
    ],
)
def test_a_term_is_found_as_a_whole_word(term: str, words: str, found: list[str]) -> None:
    assert pattern(term).findall(words) == found


@pytest.mark.parametrize("scripts", some_now([True, False], False))
def test_a_definition_shows_on_hover_and_focus_and_goes_again(
    open_made_up: Any, scripts: bool
) -> None:
    page = open_made_up("01_clipping.html", java_script_enabled=scripts)
    term, definition = page.locator(".term").first, page.locator(".definition").first
    assert not definition.is_visible()
    term.hover()
    assert definition.is_visible()
    definition.hover()  # it can be pointed at
    assert definition.is_visible()
    page.mouse.move(0, 0)
    assert not definition.is_visible()
    term.locator("a").focus()
    assert definition.is_visible()
    page.keyboard.press("Tab")
    assert not definition.is_visible()


def test_escape_shuts_a_definition_until_the_term_is_left(open_made_up: Any) -> None:
    page = open_made_up("01_clipping.html")
    link, definition = page.locator(".term > a").first, page.locator(".definition").first
    for reach, leave in (
        (link.focus, link.blur),
        (link.hover, lambda: page.mouse.move(0, 0)),
    ):
        reach()
        assert definition.is_visible()
        page.keyboard.press("Escape")
        assert not definition.is_visible()
        leave()
        reach()
        assert definition.is_visible()
        leave()


def test_a_tap_shows_and_a_second_leads(open_made_up: Any) -> None:
    page = open_made_up(
        "01_clipping.html", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    link, definition = page.locator(".term > a").first, page.locator(".definition").first
    link.tap()
    assert definition.is_visible()
    page.locator("h1").tap()
    assert not definition.is_visible()
    link.tap()
    assert page.url.endswith("01_clipping.html")
    link.tap()
    page.wait_for_url("**/glossary.html#term-gain")


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
