"""What the tests of the built book share beside a browser: the figures that a chapter shows."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jax
import pytest

from gradlab.figure.widget import Figure

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def figures_of() -> Iterator[Callable[[str], list[Figure]]]:
    """The figures that a built page's chapter shows, in order: ``figures_of("notebooks/x.html")``.

    Its code cells are run here, in one namespace, as the book's kernel runs them.
    """

    @cache
    def run(page: str) -> list[Figure]:
        text = (ROOT / page).with_suffix(".ipynb").read_text(encoding="utf-8")
        sources = ["".join(c["source"]) for c in json.loads(text)["cells"] if is_code(c)]
        names: dict[str, Any] = {}
        shown = [result_of(source, names) for source in sources]
        return [figure for figure in shown if isinstance(figure, Figure)]

    before = jax.config.jax_enable_x64
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADLAB_OUTPUT", "site")
        yield run
    jax.config.update("jax_enable_x64", before)


def is_code(cell: dict[str, Any]) -> bool:
    return bool(cell["cell_type"] == "code")


def result_of(source: str, names: dict[str, Any]) -> Any:
    """What a cell would show: the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
