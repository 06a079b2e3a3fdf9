"""Shared by the tests of assignments: their notebooks, and a run of their cells."""

from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import patch

import jax
import matplotlib.pyplot as plt
from nbformat import NotebookNode

from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE
from sccbook.notebook_form import read
from sccbook_classroom.course import Assignment, load
from tests.cells import run_cell

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


def run_quietly(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell as in a new kernel, show none of its plots, and return what it would show."""
    with jax.enable_x64(False), patch.object(plt, "show", lambda: plt.close("all")):
        return run_cell(source, namespace)


def earned(cells: Sequence[NotebookNode], assignment: Assignment) -> dict[str, float]:
    """Run the cells of a notebook, as a fresh kernel would; return what each function earns."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    worth = {
        grader(cell).get("grade_id"): run_quietly(cell.source, namespace)
        for cell in cells
        if cell.cell_type == "code"
    }
    return {name: worth[name] for name in assignment.functions}
