"""Show the same code in several libraries: as tabs, or as a table with a row for each.

A cell of either has names, each with a block of code below it. A tab is a radio button, so that it needs no
script: arrow keys move between them. Each is followed by its panel in the page, which is the order that
paper and other builders show, all panels open. Below a table there may be more to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import count, takewhile

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from sccbook.site.boxes import box
from sccbook.site.containers import ROWS, TABS

LOG = logging.getLogger(__name__)
Pair = tuple[nodes.Element, nodes.Element]
"""A name and its block of code."""

END = "</div>\n"


def tabs(group: str, pairs: Sequence[Pair]) -> nodes.Element:
    """Return tabs, of which one shows at a time: a block of code for each name."""
    panels = []
    for number, (name, block) in enumerate(pairs):
        label, checked = f"{group}-{number}", "" if number else " checked"
        begin = (
            f'<input type="radio" name="{group}" id="{label}"{checked}>'
            f'<label for="{label}">{escape(name.astext())}</label>\n<div class="panel">\n'
        )
        panels.append(box(begin, END, block))
    names = escape(", ".join(name.astext() for name, _ in pairs))
    begin = f'<div class="tabs" role="radiogroup" aria-label="{names}">\n'
    return box(begin, END, *panels)


def rows(pairs: Sequence[Pair]) -> nodes.table:
    """Return a table with a row for each name and its block of code."""
    columns = [nodes.colspec(colwidth=20, stub=1), nodes.colspec(colwidth=80)]
    made = [nodes.row("", *(nodes.entry("", part) for part in pair)) for pair in pairs]
    group = nodes.tgroup("", *columns, nodes.tbody("", *made), cols=2)
    return nodes.table("", group, classes=["rows"])


def pairs_in(container: nodes.Element) -> list[Pair]:
    """Return the names and blocks with which a cell begins."""
    children = container.children
    each = zip(children[::2], children[1::2], strict=False)
    return list(takewhile(lambda pair: isinstance(pair[1], nodes.literal_block), each))


def are_tabs(pairs: Sequence[Pair], container: nodes.Element) -> bool:
    """Tell whether names and blocks are all there is, and each of two or more names is bold and its own."""
    words = [[child for child in name.children if child.astext()] for name, _ in pairs]
    bold = all(len(word) == 1 and isinstance(word[0], nodes.strong) for word in words)
    return bold and 2 <= len({name.astext() for name, _ in pairs}) == len(container.children) / 2


def show_libraries(page: SphinxPostTransform) -> None:
    """Make the tabs and the tables of one page."""
    groups = count(1)
    for container in list(page.document.findall(nodes.container)):
        pairs, kinds = pairs_in(container), {TABS, ROWS} & {*container["classes"]}
        blocks = sum(isinstance(child, nodes.literal_block) for child in container.children)
        group = f"tabs-{next(groups)}" if TABS in kinds else ""
        if not kinds:
            continue
        if not 0 < blocks == len(pairs) or (group and not are_tabs(pairs, container)):
            LOG.warning(
                "a cell of %s holds names, each followed by a fenced block; those of tabs are bold, two or "
                "more, and all different, and there is nothing after them",
                *kinds,
                location=container,
            )
        elif group:
            container.replace_self(tabs(group, pairs))
        else:
            container.children[: 2 * len(pairs)] = []
            container.insert(0, rows(pairs))
