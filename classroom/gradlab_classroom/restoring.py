"""Restore a notebook's cells before it is graded: ``nbgrader``'s preprocessor in place of ``OverwriteCells``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from gradlab_classroom.reading import anchored, name_of, words

OWN = "gradlab"
"""The key under which a graded notebook, and its test cells, keep what was found."""


class RestoreCells(NbGraderPreprocessor):
    """Give each cell the form that it was handed out in, whatever has become of it, and note it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, Any]:
        """Restore a notebook's cells. What nbgrader's metadata in them say doesn't count."""
        known = resources["nbgrader"]
        with Gradebook(known["db_url"]) as book:
            found = book.find_notebook(known["notebook"], known["assignment"])
            points = {cell.name: cell.max_score for cell in found.grade_cells}
            solutions = {cell.name for cell in found.solution_cells}
            forms = {cell.name: _form(cell, points, solutions) for cell in found.source_cells}
        notes: list[str] = []
        there: dict[str, NotebookNode] = {}
        for cell in nb.cells:
            name, cell.metadata = name_of(cell), {}
            if name in forms:
                there.setdefault(name, cell)
                if anchored(there[name].source) and not words(there[name].source):
                    there[name] = cell  # of two answers in words the first that isn't blank
        for cell in nb.cells:  # typed again, into a cell of its own
            name = f"written_{anchored(cell.source)}"
            if name in forms and name not in there and cell.cell_type != "code":
                there[name] = cell
                notes.append(f"the answer {name[8:]!r} stands in a cell of its own")
        for name, form in forms.items():
            if name not in there:
                if name not in points:
                    continue  # the function may stand anywhere
                there[name] = _new(form)
                nb.cells.append(there[name])
                notes.append(f"its cell {name!r} was gone, and was put back")
            notes += _restore(there[name], form, nb)
        nb.metadata[OWN] = {"notes": notes}
        return nb, resources


def _form(cell: Any, points: Mapping[str, float], solutions: set[str]) -> dict[str, Any]:
    """A cell as the gradebook has it."""
    metadata = {
        "grade_id": cell.name,
        "grade": cell.name in points,
        "solution": cell.name in solutions,
        "task": False,
        "locked": cell.locked,
        "checksum": cell.checksum,
        "cell_type": cell.cell_type,
        "schema_version": 3,
        **({"points": points[cell.name]} if cell.name in points else {}),
    }
    return {"type": cell.cell_type, "source": cell.source, "metadata": metadata}


def _new(form: Mapping[str, Any]) -> NotebookNode:
    return {"code": new_code_cell, "markdown": new_markdown_cell}[form["type"]](form["source"])


def _restore(cell: NotebookNode, form: Mapping[str, Any], nb: NotebookNode) -> list[str]:
    """Bring one cell back into its form, and return notes on what was not as it should be."""
    name, locked, notes = form["metadata"]["grade_id"], form["metadata"]["locked"], []
    if cell.cell_type != form["type"]:
        notes.append(f"its cell {name!r} was turned into {cell.cell_type}, and was turned back")
        made = _new({**form, "source": cell.source})
        cell.clear()
        cell.update(made)
    if locked and cell.source.strip() != form["source"].strip():
        at = next(n for n, one in enumerate(nb.cells) if one is cell)
        nb.cells.insert(at, _new({**form, "source": cell.source}))  # it may be the answer
        notes.append(f"its cell {name!r} was changed; it was put back, after what it became")
    blank = form["type"] == "markdown" and form["metadata"]["solution"] and not words(cell.source)
    if locked or blank:  # nbgrader gives 0 to words that are as they were handed out
        cell.source = form["source"]
    cell.metadata = NotebookNode(nbgrader=NotebookNode(form["metadata"]))
    return notes
