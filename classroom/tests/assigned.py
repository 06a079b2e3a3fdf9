"""Shared by the tests of assignments: their notebooks, and a run of their cells."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import patch

import jax
import matplotlib.pyplot as plt
from nbformat import NotebookNode

from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE
from sccbook.notebook_form import read
from sccbook_classroom.course import Assignment, load

COURSE = load(COURSE_FILE)
NAMES = tuple(COURSE.assignments)


def notebook(kind: str, name: str) -> NotebookNode:
    """The notebook of an assignment in ``source`` or ``release``."""
    return read((ASSIGNMENTS / kind / name / f"{name}.ipynb").read_text(encoding="utf-8"))


def grader(cell: NotebookNode) -> Mapping[str, Any]:
    """Return what nbgrader knows of a cell."""
    return cell.metadata.get("nbgrader", {})


def code(cells: Sequence[NotebookNode]) -> list[str]:
    return [cell.source for cell in cells if cell.cell_type == "code"]


def of_grade_id(book: NotebookNode, grade_id: str) -> NotebookNode:
    (found,) = [cell for cell in book.cells if grader(cell).get("grade_id") == grade_id]
    return found


def run_cell(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell, show none of its plots, and return what its last line is worth, or None."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with jax.enable_x64(False), patch.object(plt, "show", lambda: plt.close("all")):
        exec(compile(tree, "<cell>", "exec"), namespace)
        return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def earned(cells: Sequence[NotebookNode], assignment: Assignment) -> dict[str, float]:
    """Run the cells of a notebook, as a fresh kernel would; return what each function earns."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    worth = {
        grader(cell).get("grade_id"): run_cell(cell.source, namespace)
        for cell in cells
        if cell.cell_type == "code"
    }
    return {name: worth[name] for name in assignment.functions}
