"""Write the notebook that a page offers for download: the chapter, without its worked solutions.

A page keeps its solution, folded. A notebook is for working in, and there the answer would stand
one cell below the exercise. So what is offered leaves out the cells tagged ``solution``, those that
introduce a solution or prove it included. What stays must run without them.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from gradlab.site.normal_form import normalise, read, tags, text_of
from gradlab.site.rules import Fault

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SOLUTION = "solution"
FOLDER = "_sources"
"""Where Sphinx puts each page's source, and where the page's link leads."""


def offered(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook in normal form, without the cells of its solutions."""
    form = normalise(notebook)
    form.cells = [cell for cell in form.cells if SOLUTION not in tags(cell)]
    return normalise(form)  # counted from 1 again


def needed(notebook: NotebookNode) -> list[Fault]:
    """Return a fault for each cell that uses a name which only a cell before it, left out, makes."""
    found: list[Fault] = []
    kept, left_out = set[str](), set[str]()
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type != "code":
            continue
        made, used = _names(cell.source)
        if SOLUTION in tags(cell):
            left_out |= made - kept
            continue
        kept |= made
        found += [
            Fault(
                number,
                cell.get("id", ""),
                f"it uses {name!r}, which only a cell tagged {SOLUTION!r} makes: the notebook that "
                "a page offers has no such cell. Make it here, or tag this cell so too",
            )
            for name in sorted(used & left_out - kept)
        ]
    return found


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell makes, and those that it uses."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # another rule tells of it
        return set(), set()
    made, used = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    return made, used


def leave_out(app: Sphinx, exception: Exception | None) -> None:
    """Write each notebook of the built site anew, as it is offered."""
    if exception is not None or app.builder.format != "html":
        return
    for path in sorted((Path(app.outdir) / FOLDER).rglob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        without = text_of(offered(read(text)))
        if without != text:
            path.write_text(without, encoding="utf-8", newline="\n")


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.connect("build-finished", leave_out)
