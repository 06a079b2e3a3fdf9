"""Show a cell that only asserts as a small mark at the end of what it proves; the mark opens the cell.

What it proves stands before it: a paragraph, the last one of a list, or else a table, a formula, or
the output of a cell, below which the mark then stands. Cells that follow one another share a mark.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from gradlab.notebook_form import CHECK
from gradlab.site.cells import is_cell, runs
from gradlab.site.folds import fold, wrapped

READS, NAME = "checked", "checked: show the code that proves this"


def last_words(node: nodes.Node) -> nodes.Node:
    """Return the paragraph in which a list ends; any other node as it is."""
    while isinstance(node, nodes.bullet_list | nodes.enumerated_list | nodes.list_item):
        node = node.children[-1]
    return node


def mark(claim: nodes.Node | None, cells: list[nodes.Element]) -> None:
    """Put the mark of some cells, which leave their place, at the end of what they prove."""
    sign = wrapped(cells, fold(CHECK, READS, name=NAME))
    claim = last_words(claim) if claim else None
    if isinstance(claim, nodes.paragraph):
        sign.parent.remove(sign)
        wrapped([claim], nodes.container(classes=["claim"])).append(sign)
    elif claim is not None and is_cell(claim):
        sign.parent.remove(sign)
        claim.append(sign)


class MarkChecks(SphinxTransform):
    """Mark what is checked on one page."""

    default_priority = 890  # when folds have been made

    def apply(self, **kwargs: Any) -> None:
        """Run on one page."""
        for cells in runs(self.document, CHECK):
            parent = cells[0].parent
            at = parent.index(cells[0])
            mark(parent.children[at - 1] if at else None, cells)


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.add_transform(MarkChecks)
