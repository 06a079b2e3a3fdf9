"""Fold or hide what readers of a page rarely need: set-up, plotting code, the code of a figure, solutions.

A cell's tag says which. In the notebook nothing is hidden: there the code is to be run. A fold is
``<details>``, so that it needs no script.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, TypeVar

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxTranslator

from sccbook.site.cells import cells, lines, runs, source_of
from sccbook.site.downloads import SOLUTION

Box = TypeVar("Box", bound=nodes.Element)

HIDDEN = "figure"
"""The tag of a cell whose code the page leaves out: it only shows a figure."""

FOLDED = {"set-up": "Set-up: {}", "plot": "How this is drawn: {}"}
"""The tags of cells whose code is folded, and what the fold reads."""

A_SOLUTION = "A solution"
EXERCISE = "exercise"
"""The tag of a cell that is to be changed and run, which a page can't do."""
RUN = ("To change this and run it, ", "run-a-chapter", "open the chapter as a notebook", ".")
"""What stands above such a cell: words, the label of a place in the book, the link's words, words."""


class Fold(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils carries no types
    """What opens at a click on its ``summary``; ``name``, if it has one, is read out instead."""


def fold(kind: str, summary: str, name: str = "") -> Fold:
    """Return a closed fold, empty yet."""
    return Fold("", classes=[kind], summary=summary, name=name)


def wrapped(parts: Sequence[nodes.Element], box: Box) -> Box:
    """Put siblings that follow one another into a box, which takes their place, and return it."""
    parent, at = parts[0].parent, parts[0].parent.index(parts[0])
    for part in parts:
        parent.remove(part)
        box.append(part)
    parent.insert(at, box)
    return box


def visit(self: SphinxTranslator, node: Fold) -> None:
    """Begin a fold in HTML."""
    name = f' aria-label="{escape(node["name"])}"' if node["name"] else ""
    self.body.append(
        f'<details class="{" ".join(node["classes"])}">'
        f"<summary{name}>{escape(node['summary'])}</summary>\n"
    )


def depart(self: SphinxTranslator, node: Fold) -> None:
    """End a fold in HTML."""
    self.body.append("</details>\n")


def leave_open(self: SphinxTranslator, node: Fold) -> None:
    """Show the contents alone, where nothing can be opened."""


class FoldCells(SphinxTransform):
    """Fold or hide the cells of one page."""

    default_priority = 880

    def apply(self, **kwargs: Any) -> None:
        """Run on one page."""
        for cell in cells(self.document, HIDDEN):
            if source := source_of(cell):
                cell.remove(source)
        for tag, reads in FOLDED.items():
            for cell in cells(self.document, tag):
                if source := source_of(cell):
                    wrapped([source], fold("fold", reads.format(lines(source))))
        for cell in cells(self.document, EXERCISE):
            cell.parent.insert(cell.parent.index(cell), self.how_to_run())
        for together in runs(self.document, SOLUTION):
            wrapped(together, fold("fold solution", A_SOLUTION))

    def how_to_run(self) -> nodes.paragraph:
        """Return the line above an exercise."""
        before, label, words, after = RUN
        link = pending_xref(
            "",
            nodes.inline("", words),
            refdomain="std",
            reftype="ref",
            reftarget=label,
            refdoc=self.env.docname,
            refexplicit=True,
            refwarn=True,
        )
        return nodes.paragraph("", "", nodes.Text(before), link, nodes.Text(after))


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    nothing = (leave_open, leave_open)
    app.add_node(Fold, html=(visit, depart), latex=nothing, text=nothing)
    app.add_transform(FoldCells)
