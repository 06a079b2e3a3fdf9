"""Find the running text of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes

from sccbook.site.containers import ROWS, TABS

AROUND = (
    nodes.block_quote,
    nodes.bullet_list,
    nodes.document,
    nodes.enumerated_list,
    nodes.list_item,
)
"""What may stand around a paragraph of the text, besides sections and boxes."""

SOURCES = "Sources"
FOLD = re.compile(r"<(/?)details\b")


def paragraphs(document: nodes.document) -> list[nodes.paragraph]:
    """Return the paragraphs of a page, those in lists included.

    Left out are tables, outputs, the list of sources, and what is folded: objectives, a quiz.
    """
    return list(_paragraphs(document))


def _paragraphs(document: nodes.document) -> Iterator[nodes.paragraph]:
    folds = 0  # folds in Markdown begin in one raw node and end in another
    for node in document.findall(nodes.Element):
        if isinstance(node, nodes.raw):
            folds += sum(-1 if end else 1 for end in FOLD.findall(node.astext()))
        elif isinstance(node, nodes.paragraph) and not folds and _is_text(node.parent):
            yield node


def _is_text(node: nodes.Element | None) -> bool:
    """Tell whether a paragraph in this element belongs to the running text."""
    while node is not None:
        if isinstance(node, nodes.section):
            if node.children and node.children[0].astext() == SOURCES:
                return False
        elif isinstance(node, nodes.container):
            if node.get("nb_element") or {TABS, ROWS} & {*node["classes"]}:
                return False
        elif not isinstance(node, AROUND):
            return False
        node = node.parent
    return True
