"""Write the notebook that a page offers for download: the chapter, without its worked solutions.

A page keeps its solution, folded. A notebook is for working in, and there the answer would stand
one cell below the exercise. So what is offered leaves out the cells tagged ``solution``, those that
introduce a solution or prove it included. What stays must run without them.
"""

from __future__ import annotations

from pathlib import Path

from nbformat import NotebookNode
from sphinx.application import Sphinx

from sccbook.notebook_form import normalise, read, tags, text_of

SOLUTION = "solution"
FOLDER = "_sources"
"""Folder where Sphinx puts each page's source, and to which the page's link leads."""


def offered(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook in normal form, without the cells of its solutions."""
    form = normalise(notebook)
    form.cells = [cell for cell in form.cells if SOLUTION not in tags(cell)]
    return normalise(form)  # counted from 1 again


def leave_out(app: Sphinx) -> None:
    """Write each notebook of the built site anew, as it is offered."""
    folder = Path(app.outdir, FOLDER)
    for path in sorted(folder.rglob("*.ipynb")):
        if not Path(app.srcdir, path.relative_to(folder)).is_file():
            path.unlink()  # the theme's, of a page in Markdown with code
            continue
        text = path.read_text(encoding="utf-8")
        without = text_of(offered(read(text)))
        if without != text:
            path.write_text(without, encoding="utf-8", newline="\n")
