"""What's published: the check of a site, and the zip."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.site import checking
from tools.site.packing import pack

ADDRESS = "https://example.org/book/"
PAGE = '<html><body><article class="bd-article">{words} <a href="{link}">a link</a></article></body></html>'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of one page, in order."""
    monkeypatch.setattr(checking, "reading_order", lambda: {"one": ""})
    (tmp_path / "one.html").write_text(PAGE.format(words="word " * 200, link="book.pdf"))
    for name in ("book.pdf", "book.zip"):
        (tmp_path / name).write_bytes(b"x" * 30_000)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("one.html", None, "one.html has 0 words; expected at least 100"),
        ("one.html", PAGE.format(words="word", link="book.pdf"), "one.html has 3 words; expected at least 100"),
        ("book.pdf", "x", "book.pdf has 1 bytes; expected at least 20000"),
        ("two.html", '<a href="none.html">', "two.html: none.html leads nowhere"),
        ("two.html", '<a href="one.html#none">', "two.html: one.html#none leads to no place on the page"),
        ("two.html", f'<meta property="og:image" content="{ADDRESS}_cards/two.png">', f"two.html: {ADDRESS}_cards/two.png leads nowhere"),
        ("two.html", '<img src="none.png">', "two.html: none.png leads nowhere"),
        ("two.html", '<script src="https://example.com/a.js">', "two.html: https://example.com/a.js leads nowhere"),
    ],
)  # fmt: skip
def test_a_site_that_lacks_something_is_not_published(
    site: Path, file: str, text: str | None, complaint: str
) -> None:
    assert checking.problems(site, "book", ADDRESS) == []
    (site / file).unlink(missing_ok=True)
    if text is not None:
        (site / file).write_text(text)
    assert checking.problems(site, "book", ADDRESS) == [complaint]


def test_the_zip_is_the_same_whenever_its_files_are(site: Path, tmp_path: Path) -> None:
    pack(site, site / "book.zip", "The book")
    first = (site / "book.zip").read_bytes()
    (site / "one.html").touch()
    pack(site, site / "book.zip", "The book")
    assert (site / "book.zip").read_bytes() == first
