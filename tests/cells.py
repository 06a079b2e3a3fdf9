"""Cells of code, as a kernel runs them."""

from __future__ import annotations

import ast
from typing import Any


def run_cell(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell; return what it would show, the value of its last line, or None if that has none."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
