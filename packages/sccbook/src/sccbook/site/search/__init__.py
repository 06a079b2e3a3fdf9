"""Search the book: write what each section says into one script, which the page's own search reads.

Sphinx's search finds words, but shows neither where they are nor what's around them. Here the site carries its
sections as a script, as a page that is opened from a file can't fetch anything else. ``search.page.js`` fetches it when
somebody searches. ``synonyms.json`` has words that readers use for one another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from explorax.node import run

DIST = Path(__file__).parents[2] / "dist" / "search"
"""What `bundle.mjs` of explorax makes of the scripts beside this file."""

SECTIONS, SYNONYMS = "search-sections.js", Path(__file__).parent / "synonyms.json"
ARTICLE = re.compile(r"<article.*</article>", re.DOTALL)
COLOURED = re.compile(r'<span class="(?:\w{1,3}|pre)">([^<]*)</span>')
"""A piece of code; there are so many that parsing them takes most of the time."""
FIGURE = re.compile(r'<figure class="gl-figure.*?</figure>', re.DOTALL)
TITLE = re.compile(r'<p class="gl-title".*?</p>', re.DOTALL)
UNREAD = (
    ".headerlink, .definition, .column-name, .margin, .check, .tag_set-up, .solution, .output, .edit-here, summary,"
    "div.math, noscript, svg, script"
)
"""What isn't searched: what the margin repeats, assertions, code that is folded, and what it printed."""
ABOUT = ".gl-title, section > p:first-of-type > strong:only-child, .objectives li"
"""What says what a section is about: the titles of figures, a chapter's question and its objectives."""
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
TELLING = re.compile(r"^(?!j?np\.|_*$|True|False|None)(?=.*(?:[._A-Z]|\w{8}))")
"""What tells a name in a block of code, such as ``clip_grad_norm_`` or ``clipnorm``, from a letter or a loop's word."""
WEIGHTS = {r"\d\d_(rosetta|how_the_libraries_differ)$": 0.7, r"(^|/)\d\d_[^/]*$": 1.0, "": 0.5}
"""How much a page counts: a chapter explains what the others list."""
NUMBER = re.compile(r"(?:^|/)(\d\d)_[^/]*$")


def replace(app: Sphinx) -> None:
    """Build no search of Sphinx's."""
    app.builder.search = False  # type: ignore[attr-defined]


def page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page of the search, which works without a dialog, and takes a link's ``?q=``."""
    yield "search", {"title": "Search"}, "search.html"


def write(app: Sphinx) -> None:
    """Write the sections of every page of the built site, what was found in an earlier build too."""
    pages: list[list[Any]] = []
    sections: list[list[Any]] = []
    for name in sorted(app.env.all_docs):
        url = app.builder.get_target_uri(name)
        number = NUMBER.search(name)
        found = list(sections_of(Path(app.outdir, url).read_text(encoding="utf-8")))
        sections += [[len(pages), *section] for section in found]
        weight = next(weight for pattern, weight in WEIGHTS.items() if re.search(pattern, name))
        pages.append([url, number[1] if number else "", found[0][1], weight])
    known = {
        "pages": pages,
        "sections": sections,
        "synonyms": json.loads(SYNONYMS.read_text("utf-8")),
    }
    text = run(DIST / "index.mjs", known)
    Path(app.outdir, "_static", SECTIONS).write_text(f"bookSections={text}\n", encoding="utf-8")


def sections_of(text: str) -> Iterator[list[Any]]:
    """Yield a page's sections: anchor, title, text, what it's about, and names in its code.

    The first has no anchor, as it begins with the page. A term of the glossary counts as a section.
    """
    kept = "".join(ARTICLE.findall(text))
    kept = FIGURE.sub(lambda figure: (TITLE.search(figure[0]) or [""])[0], kept)
    kept = COLOURED.sub(r"\1", kept.replace("<wbr>", ""))
    article = BeautifulSoup(kept, "html.parser")
    for unread in article.select(UNREAD):
        unread.decompose()
    found: list[list[Any]] = []
    for section in reversed(article.select("section[id], dl.glossary > dt[id]")):
        title: Any = section if section.name == "dt" else section.find(re.compile("^h[1-6]$"))
        body: Any = section.find_next_sibling("dd") if section.name == "dt" else section
        heading = words(title.extract())
        about = " ".join(words(part) for part in body.select(ABOUT))
        blocks = body.select("pre")
        code = [name for block in blocks for name in NAME.findall(block.get_text())]
        names = " ".join(sorted({name for name in code if TELLING.search(name)}))
        for part in [*blocks, *body.select(".objectives, .gl-title")]:
            part.decompose()
        found.append([section["id"], heading, words(body.extract()), about, names])
    for nth, (anchor, *rest) in enumerate(reversed(found)):
        yield [anchor if nth else "", *rest]


def words(part: Tag) -> str:
    """Return the text of a part of a page in one line."""
    return " ".join(part.get_text().split())
