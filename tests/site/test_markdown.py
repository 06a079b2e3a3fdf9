"""Each page is also there in Markdown: the same words, plain, with links that lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from sccbook.site.markdown import LINK
from tests.site.book import CHAPTERS, READ, names

CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL)
LEFTOVER = re.compile(r"</?[a-z]+[ >]|<br/>|<!--|:::|\{[a-z-]+\}`|^\([a-z-]+\)=", re.MULTILINE)
NOT_IN_MARKDOWN = (
    "figure, aside, script, math, pre, a.headerlink, details.check, details.solution, "
    "details.fold > summary, .column-name, .asked, .minutes, [role=tooltip], wbr"
)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W\d_]{2,}", text))


def plain(site: Path, name: str) -> str:
    return (site / name).with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", READ)
def test_a_page_in_markdown_has_the_pages_words_and_no_others(site: Path, name: str) -> None:
    page = BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")
    assert page.select_one('link[type="text/markdown"]')["href"] == Path(name).stem + ".md"  # type: ignore[index]
    article = page.article
    assert article
    for left_out in article.select(NOT_IN_MARKDOWN):
        left_out.extract()
    article.smooth()  # a name is one word again, where it was allowed to break
    text = plain(site, name)
    shown = words(article.get_text(" "))
    assert (shown - words(text)).total() < 0.01 * shown.total() + 5
    assert not LEFTOVER.findall(MATHS.sub("", CODE.sub("", text)))


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_in_markdown_has_its_figures_but_no_check_or_solution(site: Path, name: str) -> None:  # fmt: skip
    text = plain(site, name)
    assert text.count("[Drag this figure on its page]") == len(names(name))
    assert not re.search(r"^def worked\(|^assert ", text, re.MULTILINE)


def test_links_between_pages_in_markdown_lead_to_files(site: Path) -> None:
    texts = [(site / name).with_suffix(".md") for name in READ]
    for path in (*texts, site / "llms.txt", site / "llms-full.txt"):
        links = LINK.findall(CODE.sub("", path.read_text(encoding="utf-8")))
        assert [link for link in links if not (path.parent / link).is_file()] == [], path
        if path.name == "llms.txt":
            assert {*links} == {"llms-full.txt", *(name.replace(".html", ".md") for name in READ)}
