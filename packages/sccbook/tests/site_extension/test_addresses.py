"""What leads from a page to the outside follows from two addresses, and is absent without them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sphinx.errors import ConfigError
from tests.site_extension.made_up import PAGES, Book, build

from sccbook.site import addresses, cite

REPOSITORY, SITE = "https://github.com/someone/a-book", "https://someone.github.io/a-book/"
LAUNCH = {
    "notebook_interface": "jupyterlab",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
    "jupyterhub_url": "https://hub.example.org",
}
RECORD = {
    "authors": [{"name": "the authors"}, {"family-names": "Ng", "given-names": "A."}],
    "title": "A Book",
    "version": "1.2",
    "date-released": date(2026, 3, 5),
}


def links(book: Book, page: str) -> dict[str, str]:
    return {a.get_text(): a["href"] for a in book.page(page).select("details.menu > ul a")}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The made-up book with both addresses, as Jupyter Book passes them on."""
    options = {"repository_url": REPOSITORY, "repository_branch": "main", "launch_buttons": LAUNCH}
    folder = tmp_path_factory.mktemp("published")
    return Book(*build(folder, PAGES, html_baseurl=SITE, html_theme_options=options))


@pytest.mark.slow
def test_without_addresses_a_page_leads_to_no_other_host(book: Book) -> None:
    assert list(links(book, "01_clipping.html")) == [
        "Notebook, without the solution",
        "Markdown",
        "Cite this book",
    ]
    head = str(book.page("01_clipping.html").head)
    assert not re.search(r'canonical|"og:|https?://', head)
    assert not (book.folder / "sitemap.xml").exists()


@pytest.mark.slow
def test_with_addresses_a_chapter_can_be_run_edited_and_reported(published: Book) -> None:
    found = links(published, "01_clipping.html")
    for text, start in {
        "Run in Binder": "https://mybinder.org/v2/gh/someone/a-book/main?urlpath=lab/tree/01_clipping.ipynb",
        "Run in Colab": "https://colab.research.google.com/github/someone/a-book/blob/launch/01_clipping.ipynb",
        "Run in JupyterHub": "https://hub.example.org/hub/user-redirect/git-pull?",
        "Source": f"{REPOSITORY}/blob/main/01_clipping.ipynb?plain=1",
        "Edit this page": f"{REPOSITORY}/edit/main/01_clipping.ipynb",
        "Report a mistake": f"{REPOSITORY}/issues/new?title=",
    }.items():
        assert found[text].startswith(start)
    assert not [text for text in links(published, "plain.html") if text.startswith("Run")]


@pytest.mark.slow
def test_with_an_address_pages_are_canonical_on_the_map_and_have_a_card(published: Book) -> None:
    page = published.page("book/glossary.html")
    assert page.select_one("link[rel=canonical]")["href"] == f"{SITE}book/glossary.html"
    page = published.page("01_clipping.html")
    told = {tag["property"]: tag["content"] for tag in page.select("meta[property]")}
    (description,) = page.select("meta[name=description]")
    assert told == told | {
        "og:image": f"{SITE}_cards/01_clipping.png",
        "og:site_name": "A book & more",
        "og:url": f"{SITE}01_clipping.html",
        "og:description": description["content"],
    }
    assert page.select_one("meta[name='twitter:card']")["content"] == "summary_large_image"
    lost = published.page("404.html")
    assert (lost.base["href"], lost.script) == ("/a-book/", None), "it needn't look for the book"
    front = published.page("index.html")
    assert front.select_one("link[rel=canonical]")["href"] == f"{SITE}landing.html"
    listed = set(re.findall(r"<loc>([^<]*)", (published.folder / "sitemap.xml").read_text("utf-8")))
    assert {f"{SITE}landing.html", f"{SITE}01_clipping.html"} < listed
    assert f"{SITE}search.html" not in listed


@pytest.mark.parametrize(
    ("repository", "site", "says"),
    [
        (
            "github.com/a/b",
            "",
            "repository: url .* 'github.com/a/b'.*https://github.com/OWNER/NAME",
        ),
        ("https://github.com/a/b.git", "", "repository: url"),
        ("", "https://a.github.io/b", "html: baseurl .*slash"),
        ("", "http://a.github.io/b/", "html: baseurl"),
    ],
)
def test_an_address_that_no_link_can_be_made_from_is_refused(
    repository: str, site: str, says: str
) -> None:
    with pytest.raises(ConfigError, match=says):
        addresses.check(repository, site)
    addresses.check(REPOSITORY, SITE)
    addresses.check("", "")


def test_the_book_is_cited_with_its_version_and_date(tmp_path: Path) -> None:
    said = "The authors and Ng, A. (2026). A Book, version 1.2 (5 March 2026)."
    assert cite.in_words(RECORD) == said
    assert cite.in_words({**RECORD, "url": SITE}) == f"{said} {SITE}"
    entry = cite.bibtex({**RECORD, "url": SITE})
    assert "author = {{The authors} and Ng, A.}," in entry
    assert f"url = {{{SITE}}}," in entry
    assert "url" not in cite.bibtex(RECORD)


def test_the_record_to_cite_is_complete() -> None:
    record: Any = cite.record(Path(__file__).parents[4])
    assert {"cff-version", "message", "title", "authors", "version", "date-released"} <= {*record}
