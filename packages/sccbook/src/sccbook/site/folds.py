"""Fold or hide what readers of a page rarely need: set-up, plotting code, the code of a figure, solutions.

A cell's tag says which. In the notebook nothing is hidden: there the code is to be run. A fold is
``<details>``, so that it needs no script.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

from sccbook.site.boxes import box, wrapped
from sccbook.site.cells import cells, lines, runs, source_of
from sccbook.site.downloads import SOLUTION
from sccbook.site.python import EXERCISE, needs

HIDDEN = "figure"
"""The tag of a cell whose code the page leaves out: it only shows a figure."""

FOLDED = {"set-up": "Set-up: {}", "plot": "How this is drawn: {}"}
"""The tags of cells whose code is folded, and what the fold reads."""

A_SOLUTION = "A solution"
ELSEWHERE, HERE = "To change this and run it in JupyterLab, ", "Edit and run it here, or "
RUN = (
    "run-a-chapter",
    "open the chapter as a notebook",
    ".",
)
"""What stands above a cell that is to be changed and run, after where it is: the label of a place in the book, the link's words, words."""


def fold(kind: str, summary: str, name: str = "") -> nodes.Element:
    """Return a fold, closed and still empty; its name, if it has one, is read out instead of the summary."""
    label = f' aria-label="{escape(name)}"' if name else ""
    begin = f'<details class="{kind}"><summary{label}>{escape(summary)}</summary>\n'
    return box(begin, "</details>\n")


def fold_cells(page: SphinxTransform) -> None:
    """Fold or hide the cells of one page."""
    for cell in cells(page.document, HIDDEN):
        if source := source_of(cell):
            cell.remove(source)
    for tag, reads in FOLDED.items():
        for cell in cells(page.document, tag):
            if source := source_of(cell):
                wrapped([source], fold("fold", reads.format(lines(source))))
    for cell in cells(page.document, EXERCISE):
        cell.parent.insert(cell.parent.index(cell), how_to_run(page, cell))
    for together in runs(page.document, SOLUTION):
        wrapped(together, fold("fold solution", A_SOLUTION))


def how_to_run(page: SphinxTransform, cell: nodes.Element) -> nodes.paragraph:
    """Return the line above an exercise."""
    before = HERE if needs(cell, page.env.srcdir) else ELSEWHERE
    label, words, after = RUN
    link = pending_xref(
        "",
        nodes.inline("", words),
        refdomain="std",
        reftype="ref",
        reftarget=label,
        refdoc=page.env.docname,
        refexplicit=True,
        refwarn=True,
    )
    return nodes.paragraph("", "", nodes.Text(before), link, nodes.Text(after))
