"""What a cell defines: its imports, functions, classes, constants and magics, and nothing it does."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

HARMLESS = {"jax", "jaxlib", "numpy", "functools", "math", "optax", "operator", "itertools"}
"""Packages that a constant may be computed with."""
BUILTINS = {"abs", "dict", "float", "int", "len", "list", "max", "min", "range", "set", "sorted"}
BUILTINS |= {"str", "sum", "tuple", "zip"}
MAGICS = {"run_line_magic", "run_cell_magic", "system", "getoutput"}
REGISTERS = {"defvjp", "defjvp", "defjvps"}
"""Methods that give a function its derivative: without them it's another function."""


def only_definitions(source: str, asked: Collection[str], harmless: set[str]) -> str:
    """Return a cell without the statements that do something.

    Args:
      source: Python, with magics already written as calls of ``get_ipython()``.
      asked: the names of the functions that are graded; whatever is assigned to these is kept.
      harmless: names whose calls may compute a constant, ``BUILTINS`` at first; what the cell imports
        is added.
    """
    try:
        tree = ast.parse(source)
        harmless |= set(_imported(tree))
        tree.body = list(_kept(tree.body, asked, harmless))
        return ast.unparse(tree)
    except SyntaxError:
        return source  # to be run for its error
    except (ValueError, RecursionError, MemoryError):
        return ""


def _kept(body: list[ast.stmt], asked: Collection[str], harmless: set[str]) -> Iterator[ast.stmt]:
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node
            case ast.ClassDef():
                node.body = [*_kept(node.body, (), harmless)] or [ast.Pass()]
                yield node
            case ast.Try() | ast.If() | ast.With():  # such as an import that may fail
                for part in ("body", "orelse", "finalbody"):
                    if hasattr(node, part):
                        setattr(node, part, [*_kept(getattr(node, part), asked, harmless)])
                for handler in getattr(node, "handlers", ()):
                    handler.body = [*_kept(handler.body, asked, harmless)] or [ast.Pass()]
                heads = [node.test] if isinstance(node, ast.If) else getattr(node, "items", [])
                if all(_harmless(call, harmless) for head in heads for call in _calls(head)):
                    node.body = node.body or [ast.Pass()]
                    yield node
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                calls = all(_harmless(call, harmless) for call in _calls(node))
                if calls or _targets(node) & set(asked):
                    yield node
            case ast.Expr(ast.Call(ast.Attribute(attr=method))) if method in REGISTERS | MAGICS:
                yield node


def _targets(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _harmless(call: ast.Call, harmless: set[str]) -> bool:
    called = call.func
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in harmless


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that a statement makes, not those of functions that it writes down."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names under which harmless packages, or parts of them, are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            pairs = [(each.name, each.asname or each.name.partition(".")[0]) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            pairs = [(node.module or "", each.asname or each.name) for each in node.names]
        else:
            continue
        yield from (name for module, name in pairs if module.partition(".")[0] in HARMLESS)
