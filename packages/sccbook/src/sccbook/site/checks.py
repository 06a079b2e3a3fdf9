"""Show a cell that only asserts as a small mark at the end of what it proves; the mark opens the cell.

What it proves comes before it: a paragraph, the last one of a list, or else a table, a formula, or
the output of a cell, and the mark goes below that. Cells that follow one another share a mark.

Processors and compilers differ, so a check can fail on a reader's machine. The mark then reads
"failed on this machine", the book is built all the same, and the failures are listed when it is
done. Tests refuse a book that has any. A cell of another kind that fails still stops the build.
"""

from __future__ import annotations

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from sccbook.notebook_form import CHECK
from sccbook.site.boxes import wrapped
from sccbook.site.cells import cells, error_of, is_cell, runs, tags_of
from sccbook.site.downloads import SOLUTION
from sccbook.site.folds import fold
from sccbook.site.python import EXERCISE

READS, NAME = "checked", "checked: show the code that proves this"
FAILED, FAILED_NAME = (
    "failed on this machine",
    "failed on this machine: show the code and the error",
)

MAY_FAIL = (CHECK, EXERCISE, SOLUTION)
"""The tags of cells whose failure doesn't stop the build: what comes after them needs none of them."""
LISTED = "failed_checks"
"""Where a page's failures are kept, in Sphinx's metadata of the page."""
REPORT = "failed_checks.txt"
"""The file beside the built book that lists them; there is none where nothing failed."""


def last_words(node: nodes.Node) -> nodes.Node:
    """Return the paragraph in which a list ends; any other node as it is."""
    while isinstance(node, nodes.bullet_list | nodes.enumerated_list | nodes.list_item):
        node = node.children[-1]
    return node


def mark(claim: nodes.Node | None, together: list[nodes.Element]) -> None:
    """Put the mark of some cells, which leave their place, at the end of what they prove."""
    failed = any(map(error_of, together))
    reads, name = (FAILED, FAILED_NAME) if failed else (READS, NAME)
    sign = wrapped(together, fold(f"{CHECK} failed" if failed else CHECK, reads, name=name))
    claim = last_words(claim) if claim else None
    if isinstance(claim, nodes.paragraph):
        sign.parent.remove(sign)
        wrapped([claim], nodes.container(classes=["claim"])).append(sign)
    elif claim is not None and is_cell(claim):
        sign.parent.remove(sign)
        claim.append(sign)


def list_failures(page: SphinxTransform) -> None:
    """Keep which checks of a page failed; stop where another cell did."""
    failed = []
    for cell in cells(page.document):
        if not (error := error_of(cell)):
            continue
        first = cell.astext().strip().split("\n")[0]
        if not set(MAY_FAIL) & set(tags_of(cell)):
            raise ExtensionError(f"{page.env.docname}: the cell that begins {first!r}: {error}")
        failed.append(f"the cell that begins {first!r}: {error}")
    page.env.metadata[page.env.docname][LISTED] = failed


def mark_checks(page: SphinxTransform) -> None:
    """Mark what is checked on one page."""
    for together in runs(page.document, CHECK):
        parent = together[0].parent
        at = parent.index(together[0])
        mark(parent.children[at - 1] if at else None, together)


def report(app: Sphinx) -> None:
    """List what failed: on stderr, and in a file for whoever shows or tests the book."""
    failed = [
        f"  {page}: {check}"
        for page, metadata in sorted(app.env.metadata.items())
        for check in metadata.get(LISTED, ())
    ]
    path = Path(app.outdir).with_name(REPORT)
    path.unlink(missing_ok=True)
    if failed:
        count = "1 check" if len(failed) == 1 else f"{len(failed)} checks"
        lines = [
            f"warning: {count} failed on this machine. The pages say where, and the rest of the",
            "book is as it should be. It may be the processor, or the versions that are installed:",
            *failed,
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        sys.stderr.write(path.read_text(encoding="utf-8"))
