"""Turn built pages into one document for paper: links lead within it, and answers are at its end."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement

from tools.site.contents import Page, article

UNPRINTED = (
    "script, .headerlink, .gl-root, .definition, .copybtn, .column-name, aside.source, nav.ways, "
    ".gallery, details.check, div.tag_plot > details.fold, .gl-figure:not(.gl-slim) img.gl-narrow, "
    ".gl-slim img.gl-wide, .gl-half"
)
"""What a page has for those who can click, and a narrow picture where there is a wide one."""
REFERS = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-details")


def anchor(page: Page, fragment: str = "") -> str:
    """Return the name that a place of a page has in the document."""
    return "--".join(filter(None, (page.name.replace("/", "-"), fragment)))


def tag(name: str, *children: PageElement | str, **attributes: str) -> Tag:
    """Return a new element."""
    made = BeautifulSoup("", "html.parser").new_tag(name)
    made.attrs.update({key.rstrip("_"): value for key, value in attributes.items()})
    made.extend(children)
    return made


def words(of: Tag | None) -> str:
    """Return an element's text on one line."""
    return " ".join(of.get_text().split()) if of else ""


def printed(page: Page, site: Path, pages: Sequence[Page], address: str) -> tuple[Tag, Tag | None]:
    """Return a page as it is printed, and its answers if it has any.

    Args:
      page: which.
      site: the folder of the built book.
      pages: those in the same document, to which links lead.
      address: where the site is published, for links to other pages; if empty, those lose their link.
    """
    text = article(page.soup(site))
    for unwanted in text.select(UNPRINTED):
        unwanted.decompose()
    for hidden in text.select("noscript"):
        hidden.unwrap()
    for opened in text.select("details.fold:not(.solution), details.objectives"):
        opened["open"] = ""
    title = text.h1
    if page.number and title:
        title.insert(0, tag("span", f"{page.number} ", class_="number"))
    relink(text, page, pages, address)
    answers = [*quiz(text, page), *solutions(text, page)]
    text.name = "section"
    text["id"], text["class"] = anchor(page), "bd-article printed"
    if not (answers and title):
        return text, None
    heading = tag("h2", words(title))
    return text, tag("section", heading, *answers, id=anchor(page, "answers"))


def relink(text: Tag, page: Page, pages: Sequence[Page], address: str) -> None:
    """Give each place a name of its own in the document, and lead links there."""
    for each in text.find_all(id=True):
        each["id"] = anchor(page, str(each["id"]))
    for each in text.find_all(True):
        for name in REFERS:
            if name in each.attrs:
                each[name] = " ".join(anchor(page, i) for i in str(each[name]).split())
        if each.name == "img":
            each["src"] = posixpath.normpath(f"{posixpath.dirname(page.name)}/{each['src']}")
            del each["loading"]
    inside = {f"{other.name}.html": other for other in pages}
    for link in text.find_all("a", href=True):
        parts = urlsplit(str(link["href"]))
        if parts.scheme:
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), parts.path))
        other = inside.get(target) if parts.path else page
        if other:
            link["href"] = f"#{anchor(other, unquote(parts.fragment))}"
        elif address:
            link["href"] = urljoin(f"{address}/", f"{target}#{parts.fragment}".rstrip("#"))
        else:
            del link["href"]


def quiz(text: Tag, page: Page) -> list[Tag]:
    """Letter the choices of each question, and return the feedback to them, question by question."""
    answers = []
    for first in text.select(":not(details.choice) + details.choice"):
        question: Any = first.find_previous_sibling()
        choices = [first]
        while (after := choices[-1].find_next_sibling()) and "choice" in (after.get("class") or []):
            choices.append(after)
        letters = tag("ol", type="A", class_="choices")
        feedback = tag("ol", type="A", class_="choices")
        first.insert_before(letters)
        right = ""
        for letter, choice in zip(ascii_uppercase, choices, strict=False):
            is_right = "right" in (choice.get("class") or [])
            right += letter if is_right else ""
            summary: Any = choice.summary
            letters.append(tag("li", *list(summary.extract().contents)))
            feedback.append(
                tag("li", *list(choice.contents), **({"class": "right"} if is_right else {}))
            )
            choice.decompose()
        number = re.match(r"\d+", question.get_text())
        start = f"Question {number[0]}: {right}" if number else f"Answer: {right}"
        answers += [tag("h3", start), feedback]
    if answers:
        last = text.select("ol.choices")[-1]
        last.insert_after(on_page("The answers are on page ", anchor(page, "answers")))
    return answers


def solutions(text: Tag, page: Page) -> list[PageElement]:
    """Take the solutions of exercises out of a page, and return them."""
    answers: list[PageElement] = []
    found = text.select("details.solution")
    for n, solution in enumerate(found, 1):
        name = f"Exercise {n}" if len(found) > 1 else "Exercise"
        solution.insert_before(on_page("A solution is on page ", anchor(page, f"solution-{n}")))
        summary: Any = solution.summary
        summary.decompose()
        heading = tag("h3", name, id=anchor(page, f"solution-{n}"))
        answers += [heading, *(child.extract() for child in list(solution.contents))]
        solution.decompose()
    return answers


def on_page(words: str, name: str) -> Tag:
    """Return a line that says on which page a place is; printing fills in the number."""
    return tag("p", words, tag("a", href=f"#{name}", class_="on-page"), ".", class_="see")
