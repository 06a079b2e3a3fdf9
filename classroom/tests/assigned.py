"""Shared by the tests of assignments: their notebooks, and a run of their cells."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import jax
from gradlab_classroom.course import Assignment, load
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE
from gradlab.notebook_form import read

COURSE = load(COURSE_FILE)
NAMES = tuple(COURSE.assignments)


def notebook(kind: str, name: str) -> NotebookNode:
    """The notebook of an assignment in ``source`` or ``release``."""
    path = ASSIGNMENTS / kind / name / f"{name}.ipynb"
    return read(path.read_text(encoding="utf-8"))


def grader(cell: NotebookNode) -> Mapping[str, Any]:
    """Return what nbgrader knows of a cell."""
    return cell.metadata.get("nbgrader", {})


def code(cells: Sequence[NotebookNode]) -> list[str]:
    return [cell.source for cell in cells if cell.cell_type == "code"]


def of_grade_id(book: NotebookNode, grade_id: str) -> NotebookNode:
    (found,) = [cell for cell in book.cells if grader(cell).get("grade_id") == grade_id]
    return found


def require_nbgraders_form(book: NotebookNode) -> None:
    """Raise nbgrader's own error where a notebook's cells are not in the form that it expects."""
    from nbgrader.nbgraderformat import MetadataValidator  # a second that quick tests do without

    MetadataValidator().validate_nb(book)


def words(text: str) -> str:
    """Text with its white space folded."""
    return " ".join(text.split())


def run(sources: Sequence[str]) -> tuple[dict[str, Any], list[Any]]:
    """Run cells in a namespace of their own, as a fresh kernel would, with 32-bit numbers.

    Returns:
      The namespace, and of each cell what its last line is worth, or None.
    """
    import matplotlib.pyplot as plt

    namespace: dict[str, Any] = {"__name__": "__main__"}
    values = []
    show, plt.show = plt.show, lambda: plt.close("all")
    try:
        with jax.enable_x64(False):
            for source in sources:
                values.append(_value(TransformerManager().transform_cell(source), namespace))
    finally:
        plt.show = show
    return namespace, values


def _value(source: str, namespace: dict[str, Any]) -> Any:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), namespace)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def earned(cells: Sequence[NotebookNode], assignment: Assignment) -> dict[str, float]:
    """Run the cells of a notebook; return what each of its test cells is worth."""
    codes = [cell for cell in cells if cell.cell_type == "code"]
    _, values = run([cell.source for cell in codes])
    return {
        grader(cell)["grade_id"]: value
        for cell, value in zip(codes, values, strict=True)
        if grader(cell).get("grade")
    }
