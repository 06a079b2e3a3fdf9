"""README's Python runs as it stands, one block a cell, and shows the figures that it speaks of."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from gradlab.figure.widget import Figure
from tests.tiers import some_now

README = Path(__file__).parents[2] / "README.md"
CELLS = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
MAKES_A_FIGURE = re.compile(r"\bexplore\(|from gradlab\.figures import")
FIGURES = [cell for cell in CELLS if MAKES_A_FIGURE.search(cell)]


def run(cell: str, scope: dict[str, Any]) -> Any:
    """Run a cell, and return what a notebook would show below it: the value of its last line."""
    body = ast.parse(cell).body
    shown = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "README.md", "exec"), scope)
    return shown and eval(compile(ast.Expression(shown.value), "README.md", "eval"), scope)


@pytest.mark.slow
@pytest.mark.parametrize("cells", some_now((FIGURES, CELLS), FIGURES), ids=("figures", "all"))
def test_each_block_runs_after_those_before_it_and_shows_its_figure(
    cells: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"__name__": "__main__"}
    shown = [run(cell, scope) for cell in cells]
    hidden = [
        cell
        for cell, value in zip(cells, shown, strict=True)
        if cell in FIGURES and not isinstance(value, Figure)
    ]
    assert FIGURES
    assert not hidden, "the last line is no figure:\n" + "\n".join(hidden)
