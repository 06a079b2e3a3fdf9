"""The notebook that a page offers has no worked solution, is whole, and runs."""

from __future__ import annotations

from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from tests.site_extension.made_up import code

from sccbook.notebook_form import METADATA, normalise, text_of
from sccbook.site.downloads import offered
from tools.rules import faults
from tools.solutions import needed


def chapter(*cells: Any) -> NotebookNode:
    title = new_markdown_cell("# Title", id="title")
    return normalise(new_notebook(cells=[title, *cells], metadata=METADATA))


SOLVED = (
    code("import math", id="setup"),
    new_markdown_cell("## Your turn", id="exercise"),
    code("def mine(x):\n    return x", "exercise", printed="Not yet\n", id="exercise-stub"),
    new_markdown_cell("Folded away.", id="solution", metadata={"tags": ["solution"]}),
    code("def worked(x):\n    return math.pi", "solution", id="solution-code"),
    code("assert worked(1) != 3", "solution", id="nearly"),
    code("mine(1)", id="after"),
)


def test_what_is_offered_is_the_notebook_without_its_solution_in_normal_form() -> None:
    whole = chapter(*SOLVED)
    form = offered(whole)
    assert [cell.id for cell in form.cells] == [
        "title", "setup", "exercise", "exercise-stub", "after"
    ]  # fmt: skip
    assert form.cells[3].source == SOLVED[2].source
    assert form.cells[3].outputs[0].text == "Not yet\n"
    assert faults(text_of(form)) == []
    assert offered(form) == form  # a second time changes nothing
    assert len(whole.cells) == len(SOLVED) + 1  # and the chapter is left alone


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ("worked(1)", ["worked"]),
        ("def g(x):\n    return worked(x)", ["worked"]),
        ("print(worked, np.pi)", ["np", "worked"]),
        ("mine(1)", []),
        ("worked = mine\nworked(1)", []),  # its own
        ("both(1)", []),  # made before the solution, too
    ],
)
def test_a_kept_cell_may_not_need_a_removed_one(after: str, names: list[str]) -> None:
    cells = (
        code("def mine(x):\n    return x\n\nboth = mine", "exercise", id="stub"),
        code("import numpy as np\nworked = both = abs", "solution", id="solution-code"),
        code("worked(1)", "solution", id="proof"),
        code(after, id="after"),
    )
    found = list(needed(chapter(*cells)))
    assert [fault.rule.split("'")[1] for fault in found] == names
    assert all(fault.name == "after" and fault.cell == 5 for fault in found)


def test_a_shown_cell_may_not_need_a_name_that_only_a_check_defines() -> None:
    check = code("twice = 2 * x\nassert twice == 2", "check", id="proof")
    cells = (
        code("x = 1", id="x"),
        check,
        code("twice = 3", "check", id="again"),
        code("print(twice, x)", id="after"),
    )
    (fault,) = needed(chapter(*cells))
    assert (fault.cell, fault.name, fault.rule.split("'")[1]) == (5, "after", "twice")
    assert "the page shows no such cell" in fault.rule
