"""What a cell defines: its imports, functions, classes, constants and files, and nothing it does.

Nor what reaches beyond a notebook: code that takes itself or other modules apart, or changes them,
is no definition. A function that needs it is not there with the definitions alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

HARMLESS = {"jax", "jaxlib", "numpy", "optax", "math", "functools", "itertools", "operator"}
HARMLESS |= {"collections", "dataclasses", "typing"}
"""Packages that a constant may be computed with."""
BUILTINS = {"abs", "dict", "float", "int", "len", "list", "max", "min", "range", "set", "sorted"}
BUILTINS |= {"str", "sum", "tuple", "zip"}
REGISTERS = {"defvjp", "defjvp", "defjvps"}
"""Methods that give a function its derivative: without them it's another function."""
REACHES = re.compile(
    r"\b(gc|ctypes|inspect|sys|builtins|importlib|runpy|pickle|unittest|get_ipython|exec|eval|compile"
    r"|getattr|setattr|delattr|globals|locals|vars|attrgetter|methodcaller|_getframe|settrace"
    r"|setprofile|checking|\w*probes|\w*thread\w*|multiprocessing|concurrent"
    r"|__(?!init__|call__|new__|post_init__|name__|doc__|future__)\w+__)\b",
    re.IGNORECASE,
)
"""Names by which code can reach what observes it. Students' answers seldom have one."""


def reaches(tree: ast.AST, asked: Collection[str] = ()) -> str:
    """Return what in some code can reach beyond it, or "".

    It's a name in ``REACHES``, an attribute of another object that is set, or another module's
    function with the name of one that is ``asked`` for.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name("self" | "cls" | "ctx")):
                pass
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                return f".{name} ="
            case ast.Attribute(attr=name) if name in asked:
                return f".{name}"
        for field in ("id", "attr", "name", "module", "arg"):
            if found := REACHES.search(str(getattr(node, field, ""))):
                return found[0]
    return ""


def only_definitions(source: str, asked: Collection[str], harmless: set[str]) -> str:
    """Return a cell without the statements that do something.

    Args:
      source: Python, with magics already written as calls of ``get_ipython()``.
      asked: the names of the functions that are graded; whatever is assigned to these is kept.
      harmless: names whose calls may compute a constant, ``BUILTINS`` at first; what the cell
        imports is added.
    """
    try:
        tree = ast.parse(source)
        tree.body = list(_kept(tree.body, asked, harmless))
        return ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def _kept(body: list[ast.stmt], asked: Collection[str], harmless: set[str]) -> Iterator[ast.stmt]:
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom():
                node.names = [each for each in node.names if not reaches(each)]
                module = getattr(node, "module", None) or ""
                if node.names and not REACHES.search(module):
                    bound = {(module or each.name, each.asname or each.name) for each in node.names}
                    roots = {(one.partition(".")[0], two.partition(".")[0]) for one, two in bound}
                    harmless.update(name for package, name in roots if package in HARMLESS)
                    yield node
            case ast.Try() | ast.If() | ast.With() | ast.ClassDef():  # an import that may fail
                inner = () if isinstance(node, ast.ClassDef) else asked
                for block in (node, *getattr(node, "handlers", ())):
                    for part in ("body", "orelse", "finalbody"):
                        if hasattr(block, part):
                            setattr(block, part, [*_kept(getattr(block, part), inner, harmless)])
                    block.body = block.body or [ast.Pass()]
                heads = [node.test] if isinstance(node, ast.If) else getattr(node, "items", [])
                if all(_harmless(head, harmless) for head in heads) and not reaches(node, asked):
                    yield node
            case ast.Expr(
                ast.Call(
                    ast.Attribute(ast.Call(ast.Name("get_ipython"), []), "run_cell_magic"),
                    [ast.Constant(magic), ast.Constant(), ast.Constant(str(text))],
                )
            ):
                if magic == "writefile":  # a helper, which is looked at when it's imported
                    yield node
                elif magic in ("time", "capture"):
                    yield from _kept(ast.parse(text).body, asked, harmless)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not reaches(node, asked):
                yield node
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if not reaches(node, asked):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {target.id for target in targets if isinstance(target, ast.Name)}
                if names & set(asked) or _harmless(node, harmless):
                    yield node
            case ast.Expr(ast.Call(ast.Attribute(attr=method))) if method in REGISTERS:
                if not reaches(node):
                    yield node


def _harmless(node: ast.AST, harmless: set[str]) -> bool:
    """Tell whether a node calls nothing else; the functions that it writes down may."""
    if isinstance(node, ast.Lambda):
        return True
    if isinstance(node, ast.Call):
        called = node.func
        while isinstance(called, ast.Attribute):
            called = called.value
        if not (isinstance(called, ast.Name) and called.id in harmless):
            return False
    return all(_harmless(child, harmless) for child in ast.iter_child_nodes(node))
