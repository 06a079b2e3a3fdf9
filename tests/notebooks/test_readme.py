"""Each of README's blocks of Python runs alone, and shows the figure that it speaks of."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explorax.figure.widget import Figure
from tests.tiers import some_now

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
MAKES_A_FIGURE = re.compile(r"\bexplore\(|from explorax\.figures import")


def blocks(language: str) -> dict[str, str]:
    """Return the blocks of a language, by the line at which they begin."""
    found = re.finditer(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return {f"line {README.count(chr(10), 0, each.start()) + 1}": each[1] for each in found}


BLOCKS = blocks("python")
FIGURES = [block for block in BLOCKS.values() if MAKES_A_FIGURE.search(block)]


def run(block: str) -> Any:
    """Run a block as a cell, and return what a notebook would show below it: its last line's value."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    body = ast.parse(block).body
    shown = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "README.md", "exec"), scope)
    return shown and eval(compile(ast.Expression(shown.value), "README.md", "eval"), scope)


@pytest.mark.slow
@pytest.mark.parametrize("block", some_now(BLOCKS.values(), *FIGURES), ids=BLOCKS)
def test_each_block_runs_alone_and_shows_its_figure(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run(block)
    if block in FIGURES:
        assert isinstance(shown, Figure), "the last line must be a figure"


def test_readme_has_figures() -> None:
    assert len(FIGURES) >= 4


def test_no_block_needs_a_name_from_another(tmp_path: Path) -> None:
    for name, block in (BLOCKS | blocks("py")).items():
        (tmp_path / f"{name}.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", "."]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
