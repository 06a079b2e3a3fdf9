"""The chapter that is offered without its worked solutions must run: no name comes from a cell left out."""

from __future__ import annotations

import ast

from nbformat import NotebookNode

from gradlab.notebook_form import tags
from gradlab.site.downloads import SOLUTION
from tools.rules import Fault


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
