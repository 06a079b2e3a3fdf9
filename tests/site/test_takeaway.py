"""A figure's files for use elsewhere: a picture, and a page to embed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from tests.site.book import CHAPTERS, descriptions
from tools.site.pictures import flatten

ASKED = re.compile(r"""\b(?:src|href|data)=["'](?!data:|#)|url\(["']?(?!#|data:)|@import""")
LARGEST = 225_000
"""Bytes of a page to embed: the engine takes 125,000 of them."""


def test_each_large_figure_has_a_picture_and_a_page_that_asks_for_nothing(site: Path) -> None:
    for page in CHAPTERS:
        for figure in descriptions(page):
            file = site / "figures" / f"{Path(page).stem}-{figure['name']}.html"
            if figure.get("width"):
                continue
            assert len(fromstring(file.with_suffix(".svg").read_text(encoding="utf-8"))) > 2
            text = file.read_text(encoding="utf-8")
            assert figure["title"] in text
            assert len(text) < LARGEST
            assert not ASKED.findall(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL))


@pytest.mark.slow
def test_a_figures_open_fold_offers_its_files_and_the_page_to_embed_lives_alone(
    site: Path, open_page: Any
) -> None:
    page = open_page("notebooks/01_the_missing_function.html")
    page.wait_for_function("document.querySelectorAll('.gl-ready .gl-more').length > 2")
    published = '<link rel="canonical" href="https://a.example/book/notebooks/01.html">'
    page.evaluate("(link) => document.head.insertAdjacentHTML('afterbegin', link)", published)
    page.evaluate("for (const fold of document.querySelectorAll('.gl-more')) fold.open = true")
    page.locator(".gl-take").nth(2).wait_for()
    embed = page.locator(".gl-take code").first.inner_text()
    assert embed.startswith('<iframe src="https://a.example/book/figures/01_the_missing_function-')
    links = page.locator(".gl-take a").evaluate_all(
        "(all) => all.map((a) => a.getAttribute('href'))"
    )
    assert len(links) == len(set(links)) >= 6
    assert all((site / "notebooks" / link).is_file() for link in links)
    alone = open_page(
        (site / "notebooks" / links[1]).resolve().as_uri(), viewport={"width": 320, "height": 700}
    )
    alone.locator(".gl-ready").wait_for()
    assert alone.get_by_role("slider").first.is_visible()
    assert alone.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
def test_a_published_picture_needs_no_stylesheet(site: Path, browser: Any, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    picture.write_bytes((site / "figures" / "08_clipping-ClippedCloud.svg").read_bytes())
    assert flatten(browser, tmp_path) == 1
    text = picture.read_text(encoding="utf-8")
    assert len(fromstring(text)) > 2
    assert not re.search(r"var\(|color-mix|<style|class=|oklab|color\(", text)
    assert "rgb(196, 80, 27)" in text, "the cotangent's orange, in light colours"
