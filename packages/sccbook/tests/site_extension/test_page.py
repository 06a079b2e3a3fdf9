"""What every page has: its place in the book, a description, names that break at their joints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sccbook.site.line_breaks import breakable


@pytest.mark.slow
def test_a_chapter_says_its_number_and_its_place_among_the_chapters(book: Any) -> None:
    for name, place in (("00_first", "Chapter 00, 1 of 4"), ("01_clipping", "Chapter 01, 2 of 4")):
        header = book.page(f"{name}.html").select_one("nav.steps .place")
        for hidden in header.select("[aria-hidden]"):
            hidden.extract()
        assert header.get_text() == place
    assert "--done: 50.0%" in header["style"]
    for name in ("landing", "plain", "book/glossary"):
        assert book.page(f"{name}.html").select("nav.steps .place") == []


@pytest.mark.slow
def test_arrows_lead_to_the_pages_before_and_after_and_name_them(
    book: Any, open_made_up: Any
) -> None:
    steps = book.page("01_clipping.html").select("nav.steps a")
    assert [(step["href"], step["aria-label"]) for step in steps] == [
        ("00_first.html", "Previous: First one"),
        ("wrong.html", "Next: Wrong"),
    ]
    assert [step["rel"] for step in book.page("landing.html").select("nav.steps a")] == [["next"]]
    page = open_made_up("01_clipping.html")
    title = page.locator(".step-title").first
    assert not title.is_visible()
    page.locator("a.step").first.hover()
    assert title.inner_text() == "First one"
    page.mouse.move(0, 300)
    assert not title.is_visible()
    while page.evaluate("document.activeElement.rel") != "prev":
        page.keyboard.press("Tab")
    assert title.is_visible()


@pytest.mark.slow
def test_a_page_is_described_by_its_first_paragraph_and_named_once(book: Any) -> None:
    described = {
        name: book.page(f"{name}.html").select_one("meta[name=description]")["content"]
        for name in ("landing", "01_clipping", "plain")
    }
    assert described["01_clipping"] == "How do you limit ? Read on."
    assert described["landing"] == "Of <gains> and more."
    assert described["plain"].endswith("Many words. …")
    assert 100 < len(described["plain"]) <= 160
    titles = [book.page(f"{name}.html").title.get_text() for name in ("landing", "plain")]
    assert titles == ["A book & more", "Plain — A book & more"]


@pytest.mark.slow
def test_inline_code_is_marked_in_pages_and_blocks_are_not(book: Any) -> None:
    page = str(book.page("01_clipping.html").select_one("article"))
    assert "singular_<wbr/>values<wbr/>(a_<wbr/>b).<wbr/>for<wbr/>Each" in page
    assert "a&lt;b" in page
    assert not re.search(r"<pre>(?:(?!</pre>).)*<wbr", page, re.DOTALL)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("singular_values", ["singular_", "values"]),
        ("SymlogRange", ["Symlog", "Range"]),
        ("optimizer_sees", ["optimizer_", "sees"]),
        ("jax.lax.stop_gradient(x)", ["jax.", "lax.", "stop_", "gradient", "(x)"]),
        ("a[i, j]", ["a", "[i, j]"]),
        ("__init__", ["__init__"]),
        ("s=0.5", ["s=", "0.5"]),
        ("&lt;a&amp;B&gt;", ["&lt;a&amp;B&gt;"]),
        ('<span class="aB_c">x_y</span>', ['<span class="aB_c">x_', "y</span>"]),
        ("float32", ["float32"]),
    ],
)
def test_a_name_breaks_at_its_joints(name: str, pieces: list[str]) -> None:
    assert breakable(name).split("<wbr>") == pieces


def test_every_page_asks_for_the_same_stylesheet_and_script_and_no_other_holds_it_up(
    book: Any,
) -> None:
    asked = set()
    for name in ("landing", "01_clipping", "plain", "book/glossary"):
        page, folder = book.page(f"{name}.html"), (book.folder / name).parent
        (sheet,) = page.select("link[rel=stylesheet]")
        scripts = page.select("script[src]")
        assert all(script.has_attr("defer") for script in scripts), name
        asked.add(((folder / sheet["href"]).resolve(), (folder / scripts[-1]["src"]).resolve()))
    ((sheet, script),) = asked
    text = sheet.read_text("utf-8")
    assert text.index("nav.ways") > text.index(".highlight"), "the book's own wins"
    for address in re.findall(r"url\(([^)]+\.woff2)\)", text):
        assert (sheet.parent / address).is_file(), address
    for part in ("tellStory", "theme-switch-button"):
        assert part in script.read_text("utf-8"), part
    assert ".hit-title" in (sheet.parent / "search.css").read_text("utf-8"), "results are styled"
