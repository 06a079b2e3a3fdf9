"""A wrong address, however deep, leads to a page with the contents and the search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.site.book import CHAPTERS, READ
from tools.serve import served


@pytest.mark.parametrize("folder", ["", "/some/folder"])
def test_a_wrong_address_leads_to_the_contents_and_the_search(
    folder: str, site: Path, tmp_path: Path, open_page: Callable[..., Any]
) -> None:
    """Where the book is served alone, or in a folder of a site, with its page for wrong addresses."""
    root, book = tmp_path / "root", Path(f"{tmp_path}/root{folder}")
    book.parent.mkdir(parents=True, exist_ok=True)
    book.symlink_to(site)
    if folder:
        (root / "404.html").symlink_to(site / "404.html")
    with served(root) as server:
        address = f"{server}{folder}"
        page = open_page(f"{address}/{READ[0]}", strict=False)
        assert page.goto(f"{address}/no/such/page.html").status == 404
        page.wait_for_function(f"document.baseURI === {f'{address}/'!r}")
        links = page.eval_on_selector_all("main a", "all => all.map((a) => a.href)")
        assert {f"{address}/{name}" for name in READ} == {*links}
        page.click(f"a[href='{CHAPTERS[0]}']")
        assert page.url == f"{address}/{CHAPTERS[0]}"
        page.goto(f"{address}/no/such/page.html")
        page.wait_for_function(f"document.baseURI === {f'{address}/'!r}")
        page.fill("input", "cotangent")
        page.click("button")
        assert page.url == f"{address}/search.html?q=cotangent"
