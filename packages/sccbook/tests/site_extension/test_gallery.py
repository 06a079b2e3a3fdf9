"""The gallery: each link to a chapter gets the chapter's own picture, question and minutes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sccbook.site.gallery import card, illustrated, thumbnail

FIGURE = """<figure class="gl-figure"><noscript>
<img class="gl-picture gl-wide" src="../_images/first.svg"><img class="gl-picture gl-narrow" src="n.svg">
<img class="gl-picture gl-wide" src="../_images/second.svg"></noscript></figure>"""
CHAPTER = """<section><h1>Clipping<a>#</a></h1>
<p><strong>How long may a gradient be?</strong></p>
<details class="objectives"><summary>What you will learn · 45 minutes</summary></details>"""
STILL = """<svg class="gl-picture"><style>:root{--gl-ink:#000;--gl-loss:#00f}
html[data-theme="dark"],body.dark{--gl-ink:#fff}

.gl-picture{fill:none}.gl-line{stroke:var(--gl-ink)}.gl-cell{fill:var(--gl-loss)}.gl-line text{fill:red}</style>\
<path class="gl-line" d="M0.2 0.9L10.4 12.6L11.9 12.2L13.1 11.8"></path><text x="1">said</text></svg>"""
LINK = '<a class="reference internal" href="{}"><span>08 Clipping</span></a>'
PAGE = '<div class="gallery docutils container"><ul><li><p>{}</p></li></ul></div><p>{}</p>'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    for folder in ("book", "notebooks", "_images"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notebooks" / "08_clipping.html").write_text(CHAPTER + FIGURE, encoding="utf-8")
    (tmp_path / "_images" / "second.svg").write_text(STILL, encoding="utf-8")
    return tmp_path


def test_a_thumbnail_has_no_words_few_and_whole_units_and_the_styles_that_it_needs() -> None:
    assert thumbnail(STILL) == (
        '<svg class="gl-picture"><style>:root{--gl-ink:#000;}.gl-picture{fill:none}'
        '.gl-line{stroke:var(--gl-ink)}</style><path class="gl-line" d="M0 1L10 13L13 12"></path></svg>'
    )


def test_a_link_in_a_gallery_is_illustrated_and_another_is_not(book: Path) -> None:
    link = LINK.format("../notebooks/08_clipping.html")
    made = illustrated(PAGE.format(link, link), book / "book", book)
    gallery, rest = made.split("</div>")
    assert re.search(r'src="\.\./_images/thumb-\w+\.svg"', gallery)
    assert len([*(book / "_images").glob("thumb-*.svg")]) == 1
    assert "How long may a gradient be?" in gallery
    assert "45 min" in gallery
    assert rest == f"<p>{link}</p>"
    assert illustrated(made, book / "book", book) == made, "built again, nothing comes twice"


@pytest.mark.parametrize("to", ["../notebooks/99_missing.html", "../../elsewhere.html"])
def test_a_link_to_no_page_of_the_book_stays_as_it_is(book: Path, to: str) -> None:
    (book.parent / "elsewhere.html").write_text(CHAPTER, encoding="utf-8")
    page = PAGE.format(LINK.format(to), "")
    assert illustrated(page, book / "book", book) == page


@pytest.mark.parametrize(
    ("chapter", "found"),
    [
        (CHAPTER, ("", "How long may a gradient be?", "45")),
        (CHAPTER + FIGURE.split("<img", 1)[0] + "</figure>", ("", "How long may a gradient be?", "45")),
        ("<h1>Rosetta</h1>" + FIGURE, ("../_images/second.svg", "", "")),
    ],
)  # fmt: skip
def test_a_chapter_may_lack_a_picture_a_question_or_a_time(
    chapter: str, found: tuple[str, str, str]
) -> None:
    assert card(chapter) == found
