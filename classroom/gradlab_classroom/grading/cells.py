"""A notebook's code cells, run one after another in one namespace, without Jupyter."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import linecache
import re
import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

TIMED = ("time", "timeit", "prun", "capture")
"""Magics at the top of a cell that run it. All the others do nothing here: see ``unrun``."""
HARMLESS_PACKAGES = {"jax", "jaxlib", "numpy", "functools", "math", "optax"}
HARMLESS_BUILTINS = {"abs", "dict", "float", "int", "len", "list", "max", "min", "range", "sum"}
HARMLESS_BUILTINS |= {"sorted", "tuple", "zip"}
REGISTERS = {"defvjp", "defjvp", "defjvps"}
"""Methods that give a function its derivative: without them it is another function."""


class Cells:
    """The cells and their names.

    Attributes:
      sources: the cells' texts.
      bare: the indices of cells of which only imports, definitions and plain assignments are run.
      namespace: what they define.
      notes: what a grader should know.
    """

    def __init__(
        self, sources: Sequence[str], bare: Collection[int], names: Collection[str]
    ) -> None:
        self.sources, self.bare = list(sources), set(bare)
        self.notes: list[str] = []
        self._names = tuple(names)
        self._functions: dict[str, Callable[..., Any]] = {}
        module = types.ModuleType("__main__")
        self.namespace = module.__dict__
        self.namespace.update(
            __builtins__=builtins, get_ipython=lambda: _Shell(self.namespace), display=_display
        )
        sys.modules["__main__"] = module
        self._harmless = set(HARMLESS_BUILTINS)

    def run(self, index: int) -> None:
        """Run one cell. Whatever it raises is raised."""
        source, file = _without_magics(self.sources[index]), f"<cell {index + 1}>"
        tree = ast.parse(source, file)
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        self._harmless |= set(_imported(tree))
        if index in self.bare:
            tree.body = [statement for statement in tree.body if self._runs_nothing(statement)]
        try:
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(tree, file, "exec", flags, dont_inherit=True)
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(eval(code, self.namespace))
            else:
                exec(code, self.namespace)
        finally:
            self._recall()

    def function(self, name: str) -> Any:
        """Return what stands under a name; or the function that did, where a value has replaced it."""
        found = self.namespace.get(name)
        if not callable(found) and name in self._functions:
            self.notes.append(f"{name} was a function, then a value; the function was run")
            return self._functions[name]
        return found

    def _recall(self) -> None:
        for name in self._names:
            if callable(found := self.namespace.get(name)):
                self._functions[name] = found

    def _runs_nothing(self, node: ast.stmt) -> bool:
        """Tell whether a statement only imports, defines or assigns."""
        match node:
            case ast.Import() | ast.ImportFrom():
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return True
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return all(self._harmless_call(call) for call in _calls(node))
            case ast.Expr(ast.Call(ast.Attribute(attr=method))):
                return method in REGISTERS
        return False

    def _harmless_call(self, call: ast.Call) -> bool:
        called = call.func
        while isinstance(called, ast.Attribute):
            called = called.value
        return isinstance(called, ast.Name) and called.id in self._harmless


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
            names = [
                (alias.name, alias.asname or alias.name.partition(".")[0]) for alias in node.names
            ]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "", alias.asname or alias.name) for alias in node.names]
        else:
            continue
        yield from (name for module, name in names if _package(module) in HARMLESS_PACKAGES)


def _package(module: str) -> str:
    return module.partition(".")[0]


def _without_magics(source: str) -> str:
    """The text with ``%`` and ``!`` turned into calls of ``get_ipython()``."""
    first, _, rest = source.lstrip().partition("\n")
    if first.startswith("%%"):
        return _without_magics(rest) if first[2:].split(" ")[0] in TIMED else ""
    changed = re.sub(r"^(\s*)%(\w+)[ \t]*(.*)$", _line_magic, source, flags=re.MULTILINE)
    changed = re.sub(r"^(\s*)!(.*)$", _command, changed, flags=re.MULTILINE)
    for text in (source, changed):
        if is_python(text):
            return text
    return _as_jupyter(source)  # what is rarer, such as `files = !ls`, takes Jupyter's own time


def is_python(source: str) -> bool:
    """Tell whether a text has no magics and no slips."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _line_magic(found: re.Match[str]) -> str:
    space, name, line = found.groups()
    return f"{space}get_ipython().run_line_magic({name!r}, {line!r})"


def _command(found: re.Match[str]) -> str:
    return f"{found[1]}get_ipython().system({found[2]!r})"


def _as_jupyter(source: str) -> str:
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        return source
    return str(TransformerManager().transform_cell(source))  # type: ignore[no-untyped-call]


def _display(*things: Any, **_: Any) -> None:
    for thing in things:
        print(repr(thing)[:10_000])


class _Shell:
    """Stands in for IPython's shell: it runs what is to be timed, and does nothing else."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.user_ns: Mapping[str, Any] = namespace
        self._namespace = namespace

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> None:
        """``%time x = f(3)`` runs its line; ``%pip install jax`` does nothing."""
        if name == "time":
            exec(line, self._namespace)

    def system(self, command: str) -> None:
        """``!command`` does nothing."""

    def getoutput(self, command: str) -> list[str]:
        """``lines = !command`` finds no lines."""
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None
