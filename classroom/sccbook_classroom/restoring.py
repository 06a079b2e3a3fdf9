"""Bring a notebook's cells back into the form that they were handed out in, in place of ``OverwriteCells``."""

from collections import defaultdict
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from sccbook_classroom.reading import anchored, name_of, words

OWN = "sccbook"
"""The key under which a graded notebook, and its test cells, keep what was found."""


class RestoreCells(NbGraderPreprocessor):
    """Restore each cell, whatever has become of it, and note what was not as it should be."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, Any]:
        """Restore a notebook's cells. What nbgrader's metadata in them say doesn't count."""
        known, notes = resources["nbgrader"], []
        there: dict[str, list[NotebookNode]] = defaultdict(list)
        for cell in nb.cells:  # an answer in words may have been typed again, into another cell
            asked = anchored(cell.source) if cell.cell_type != "code" else ""
            there[name_of(cell) or f"written_{asked}"].append(cell)
            cell.metadata = {}
        with Gradebook(known["db_url"]) as book:
            found = book.find_notebook(known["notebook"], known["assignment"])
            points = {cell.name: cell.max_score for cell in found.grade_cells}
            solutions = {cell.name for cell in found.solution_cells}
            for form in found.source_cells:
                own = sorted(there[form.name], key=lambda cell: not words(cell.source))
                if own or form.name in points:  # a function may stand anywhere
                    notes += _restore(nb, own, form, points.get(form.name), form.name in solutions)
        nb.metadata[OWN] = {"notes": notes}
        return nb, resources


def _restore(
    nb: NotebookNode, own: list[NotebookNode], form: Any, points: float | None, solution: bool
) -> list[str]:
    """Put one cell back, in the place of the first of its own."""
    make = new_code_cell if form.cell_type == "code" else new_markdown_cell
    made, notes = make(form.source), []
    made.metadata.nbgrader = NotebookNode(
        grade_id=form.name, grade=points is not None, solution=solution, locked=form.locked, task=False,
        checksum=form.checksum, cell_type=form.cell_type, schema_version=3,
    )  # fmt: skip
    if points is not None:
        made.metadata.nbgrader.points = points
    if not own:
        nb.cells.append(made)
        return [f"its cell {form.name!r} was gone, and was put back"]
    (cell, *_), at = own, next(n for n, one in enumerate(nb.cells) if one is own[0])
    if cell.cell_type != form.cell_type:
        notes.append(
            f"its cell {form.name!r} was turned into {cell.cell_type}, and was turned back"
        )
    if not form.locked and (form.cell_type == "code" or words(cell.source)):
        made.source = cell.source  # blank words stay as handed out: nbgrader gives them 0
    elif form.locked and cell.source.strip() != form.source.strip():
        nb.cells.insert(at, make(cell.source))  # it may be the answer
        notes.append(f"its cell {form.name!r} was changed; it was put back, after what it became")
    cell.clear()
    cell.update(made)
    return notes
