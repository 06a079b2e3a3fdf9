"""Names that a reader misses: what stays may need nothing that only a cell out of sight makes.

The notebook that a page offers has no worked solution, and must run. And nobody who reads the page
looks for a name in the cells tagged ``check``, which it shows as a mark.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nbformat import NotebookNode

from sccbook.notebook_form import CHECK, tags
from sccbook.site.downloads import SOLUTION
from tools.rules import Fault, parsed

OUT_OF_SIGHT = {
    SOLUTION: "the notebook that a page offers has no such cell. Make it here, or tag this cell so too",
    CHECK: "the page shows no such cell. Make it in a cell that is seen, or tag this one so too",
}
"""Tags of cells that others may not need, and why."""


def needed(notebook: NotebookNode) -> Iterator[Fault]:
    """Yield a fault for each cell that uses a name which only a cell before it, out of sight, makes."""
    cells = [(n, c) for n, c in enumerate(notebook.cells, start=1) if c.cell_type == "code"]
    for tag, why in OUT_OF_SIGHT.items():
        kept, left_out = set[str](), set[str]()
        for number, cell in cells:
            made, used = _names(cell.source)
            if tag in tags(cell):
                left_out |= made - kept
                continue
            kept |= made
            for name in sorted(used & left_out - kept):
                rule = f"it uses {name!r}, which only a cell tagged {tag!r} makes: {why}"
                yield Fault(number, cell.get("id", ""), rule)


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell makes, and those that it uses."""
    made, used = set[str](), set[str]()
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    return made, used
