"""The page for wrong addresses knows where the book is."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from tests.site_extension import made_up


@pytest.mark.slow
@pytest.mark.parametrize(("address", "base"), [("https://a.org/REPO/", "/REPO/"), ("", "/")])
def test_links_start_at_the_books_address_where_there_is_one(
    tmp_path: Path, address: str, base: str
) -> None:
    pages = {"landing.md": "# A\n\n```{toctree}\none\n```\n", "one.md": "# B & C\n"}
    out, warnings = made_up.build(tmp_path, pages, html_baseurl=address)
    page = BeautifulSoup((out / "404.html").read_text("utf-8"), "html.parser")
    assert page.base
    assert page.base["href"] == base
    assert [(link["href"], link.text) for link in page.select("nav a")] == [("one.html", "B & C")]
    assert bool(page.script) == (not address)  # it looks for the book's folder
    assert warnings == []
