"""Define a term where a page's text first uses it: on hover, on focus, and by a link to the glossary.

The glossary is a page like any other. The first paragraph of an entry is what is shown elsewhere.
The stylesheet shows and hides it, so that no script is needed; ``book.js`` adds the Escape key,
and a first tap that shows instead of leading away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from sccbook.site.boxes import Aside, box
from sccbook.site.running_text import paragraphs

PAGE = "book/glossary"


@dataclass(frozen=True)
class Entry:
    """A term of the glossary.

    Attributes:
        name: the anchor on the glossary's page.
        pattern: the term in running text, in singular and plural, at a sentence's start or not.
        definition: nodes.
    """

    name: str
    pattern: re.Pattern[str]
    definition: list[nodes.Node]


def pattern(term: str) -> re.Pattern[str]:
    """Return what finds a term, or its plural, as a whole word."""
    first = f"[{term[0].lower()}{term[0].upper()}]" if term[0].islower() else term[0]
    rest = r"\s+".join(map(re.escape, term[1:].split(" ")))
    return re.compile(rf"(?<![\w-]){first}{rest}(?:e?s)?(?![\w-])")


def entries(env: BuildEnvironment) -> list[Entry]:
    """Return the glossary's entries; none where the book has no glossary."""
    if PAGE not in env.all_docs:
        return []
    items = (
        item
        for glossary in env.get_doctree(PAGE).findall(addnodes.glossary)
        for item in glossary.findall(nodes.definition_list_item)
    )
    return [
        Entry(term["ids"][0], pattern(term.astext()), shown(term, item.children[-1].children[0]))
        for item in items
        for term in item.findall(nodes.term)
    ]


def shown(term: nodes.term, definition: nodes.Element) -> list[nodes.Node]:
    """Return what is shown of a definition wherever its term is used.

    Raises:
        ExtensionError: where it holds a link or a citation.
    """
    if any(
        definition.findall(lambda node: isinstance(node, nodes.reference | addnodes.pending_xref))
    ):
        raise ExtensionError(
            f"the glossary defines {term.astext()!r} in a paragraph with a link or a citation, "
            "which nobody can reach where it is shown: move it to a second paragraph"
        )
    return list(definition.children)


def texts(paragraph: nodes.paragraph) -> list[nodes.Text]:
    """Return the words of a paragraph that are neither code, formula, link nor bold."""
    plain = (nodes.paragraph, nodes.emphasis)
    return [text for text in paragraph.findall(nodes.Text) if isinstance(text.parent, plain)]


def define_terms(page: SphinxPostTransform) -> None:
    """Define the terms of one page."""
    if page.env.docname == PAGE:
        return
    left = entries(page.env)
    address = page.app.builder.get_relative_uri(page.env.docname, PAGE)
    for paragraph in paragraphs(page.document):
        for text in texts(paragraph):
            parts = list(defined(str(text), left, address))
            if len(parts) > 1:
                text.parent.replace(text, parts)


def defined(text: str, left: list[Entry], address: str) -> Iterator[nodes.Node]:
    """Yield a text in parts, each term that the page has not had yet being one.

    Args:
        text: running text.
        left: the entries of these terms; those that are found are removed.
        address: of the glossary, from the page.
    """
    found = [(match, entry) for entry in left if (match := entry.pattern.search(text))]
    if not found:
        yield nodes.Text(text)
        return
    match, entry = min(found, key=lambda pair: pair[0].start())
    left.remove(entry)
    yield nodes.Text(text[: match.start()])
    yield linked(match[0], entry, address)
    yield from defined(text[match.end() :], left, address)


def linked(word: str, entry: Entry, address: str) -> nodes.Element:
    """Return a word of the text, linked to the glossary, with its definition."""
    name, end = f"in-short-{entry.name}", "</span>"
    link = f'<a class="reference internal" href="{address}#{entry.name}" aria-describedby="{name}">'
    about = f'</a><span class="definition" role="tooltip" id="{name}">'
    definition = box(about, end, *(part.deepcopy() for part in entry.definition), of=Aside)
    return box(f'<span class="term">{link}', end, nodes.Text(word), definition)
