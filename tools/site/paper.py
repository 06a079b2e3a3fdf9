"""Turn built pages into parts of one document for paper: links lead within it, and answers are apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from bs4 import BeautifulSoup, Tag

from tools.site.contents import article, number

UNPRINTED = (
    "script, .headerlink, .gl-root, .definition, .copybtn, .column-name, aside.source, nav.ways, "
    ".gallery, details.check, div.tag_plot > details.fold, .gl-figure:not(.gl-slim) img.gl-narrow, "
    ".gl-slim img.gl-wide, .gl-half, p:has(> a[href$='students.html#run-a-chapter'])"
)
"""What a page has for those who can click, and a narrow picture where there is a wide one."""
NOWHERE = "https://nowhere.invalid/"
"""The address of a site that isn't published."""


def anchor(page: str, fragment: str = "") -> str:
    """Return the name that a place of a page has in the document."""
    return "--".join(filter(None, (page.replace("/", "-"), fragment)))


def tag(name: str, text: str = "", **attributes: str) -> Tag:
    """Return a new element."""
    return BeautifulSoup("", "html.parser").new_tag(name, attrs=attributes, string=text)


def words(of: Tag | None) -> str:
    """Return an element's text on one line."""
    return " ".join(of.get_text().split()) if of else ""


def printed(site: Path, page: str, inside: Collection[str], address: str) -> tuple[Tag, list[Tag]]:
    """Return a page as it is printed, and its answers.

    Args:
      site: the folder of the built book.
      page: which.
      inside: the pages in the same document, to which links lead.
      address: where the site is published, for links to other pages; if empty, those lose their link.
    """
    text: Any = article(site, page)
    for unwanted in text.select(UNPRINTED):
        unwanted.decompose()
    for hidden in text.select("noscript"):
        hidden.unwrap()
    for each in text.select("[id]"):
        each["id"] = anchor(page, each["id"])
    for image in text.select("img"):
        image["src"] = urljoin(page, image["src"])
        del image["loading"]
    base = address or NOWHERE
    places = {urljoin(base, f"{other}.html"): other for other in inside}
    for link in text.select("a[href]"):
        link["href"] = urljoin(urljoin(base, f"{page}.html"), link["href"])
        target, fragment = urldefrag(link["href"])
        if target in places:
            link["href"] = f"#{anchor(places[target], unquote(fragment))}"
        elif target.startswith(NOWHERE):
            del link["href"]
    if number(page):
        text.h1.insert(0, tag("span", f"{number(page)} ", **{"class": "number"}))
    text["id"] = anchor(page)
    return text, answers(text, page)


def answers(text: Any, page: str) -> list[Tag]:
    """Take solutions and the feedback to choices out of a page, where a line says on which page they are."""
    found, many = [], Counter[str]()
    for fold in text.select("details.solution, details.choice"):
        kind = "Question" if "choice" in fold["class"] else "Exercise"
        summary = fold.summary.extract()
        if kind == "Exercise" or "choice" not in fold.find_previous_sibling().get("class", ""):
            many[kind] += 1
            title = f"{kind} {many[kind]}"
            place = anchor(page, title.lower().replace(" ", "-"))
            found.append(tag("h3", title, id=place))
            line = tag("p", "Answer: page ", **{"class": "see"})
            line.append(tag("a", href=f"#{place}", **{"class": "on-page"}))
            fold.insert_before(line)
        if kind == "Question":
            summary.name, summary["class"] = "p", "choice"
            fold.insert_before(summary)
        fold.name = "div"
        found.append(fold.extract())
    return found
