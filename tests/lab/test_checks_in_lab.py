"""A chapter in the frame, in a real JupyterLab: its proofs are collapsed, the rest is to be read."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from sccbook.notebook_form import CHECK, read, tags
from tools.lab import STARTS, lab

pytestmark = pytest.mark.exhaustive

CHAPTER = Path(__file__).parents[2] / "notebooks" / "01_the_missing_function.ipynb"


def test_the_cells_that_only_assert_are_collapsed_and_can_be_opened(
    tmp_path: Path, browser: Any
) -> None:
    shutil.copy(CHAPTER, tmp_path)
    cells = read(CHAPTER.read_text(encoding="utf-8")).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    with lab(tmp_path) as address:
        page = browser.new_context(viewport={"width": 1500, "height": 1300}).new_page()
        page.goto(f"{address}/lab/tree/{CHAPTER.name}")
        page.wait_for_function(
            f"window.jupyterapp?.shell.currentWidget?.content?.widgets?.length === {len(cells)}",
            timeout=STARTS * 1000,
        )
        hidden = """window.jupyterapp.shell.currentWidget.content.widgets
          .filter((cell) => cell.model.type === "code").map((cell) => cell.inputHidden)"""
        assert page.evaluate(hidden) == [CHECK in tags(cell) for cell in code]
        page.evaluate("window.jupyterapp.commands.execute('notebook:show-all-cell-code')")
        assert not any(page.evaluate(hidden))
        page.context.close()
