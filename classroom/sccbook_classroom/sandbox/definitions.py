"""What a cell defines: its imports, functions, classes, constants and helper files.

Neither what it does, nor code that takes other modules apart or changes them: with the definitions
alone, that isn't there.
"""

import ast
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

HARMLESS = {
    *("jax", "jaxlib", "numpy", "optax", "math", "functools", "itertools", "operator"),
    *("collections", "dataclasses", "typing"),
}
"""Packages that a constant may be computed with."""
BUILTINS = {
    *("abs", "dict", "float", "int", "len", "list", "max", "min", "range", "set", "sorted"),
    *("str", "sum", "tuple", "zip"),
}
MAGIC = "get_ipython().run_cell_magic"
REGISTERS = {"defvjp", "defjvp", "defjvps"}
"""Methods that give a function its derivative: without them it's another function."""
MODULES = HARMLESS | {
    *("sccbook", "scaleclip", "torch", "tensorflow", "keras", "flax", "equinox", "scipy", "abc"),
    *("enum", "random", "time", "warnings", "contextlib", "copy", "fractions", "decimal"),
}
"""What may be imported with the definitions alone, besides helper files."""
REACHES = re.compile(
    r"\b(gc|ctypes\w*|inspect|sys|os|io|types|builtins|bltns|importlib|pickle|exec|eval|compile|open"
    r"|load|getattr|setattr|delattr|globals|locals|vars|attrgetter|methodcaller|get_ipython|testing"
    r"|get_type_hints|ForwardRef|FunctionType|CodeType|lib|f2py|tools|subprocess|socket|\w*thread\w*"
    r"|multiprocessing|concurrent|tofile|fromfile|memmap|save\w*|DataSource|checking|\w*probes"
    r"|\w+_frame|[acg][gir]_code|f_(back|code|globals|locals|builtins))\b"
)
"""Names by which code can reach what observes it. Students' answers seldom have one."""
HIDDEN = re.compile(r"__|_frame|f_back|f_locals|f_globals|/proc|/dev")
"""Parts of a text that can be formatted, or opened, to the same end."""
PLAIN = {"__init__", "__call__", "__new__", "__post_init__", "__name__", "__doc__", "_"}


def reaches(tree: ast.AST, asked: Collection[str] = ()) -> str:
    """Return what in some code can reach beyond it, or "".

    That's a name in ``REACHES``, a hidden one, an attribute that is set of anything but ``self``, or
    a module's own function of a name that is ``asked`` for.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name("self")):
                pass
            case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=name):
                return name
            case ast.Attribute(attr=name) if name in asked or _hidden(name):
                return name
            case ast.Name(id=name) if name.startswith("__") and _hidden(name):
                return name
            case ast.Constant(str(text)) if HIDDEN.search(text):
                return text[:30]
        names = (str(getattr(node, key, "")) for key in ("id", "attr", "name", "module", "arg"))
        if found := REACHES.search(" ".join(names)):
            return found[0]
    return ""


def _hidden(name: str) -> bool:
    return name.startswith("_") and name not in PLAIN


def helper_reaches(name: str, content: str | bytes) -> bool:
    """Tell whether a file isn't to be read with the definitions alone: code that reaches beyond."""
    try:
        code = ast.parse(content) if ".py" in name else ast.Pass()
        imports = (each for each in ast.walk(code) if isinstance(each, ast.Import | ast.ImportFrom))
        plain = all(_importable(_module(each), one) for each in imports for one in each.names)
        return name.endswith((".pyc", ".so")) or bool(reaches(code)) or not plain
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True


def only_definitions(source: str, asked: Collection[str], harmless: set[str]) -> str:
    """Return a cell without the statements that do something.

    Args:
      source: Python, with magics already written as calls of ``get_ipython()``.
      asked: the names of the functions that are graded; whatever is assigned to these is kept.
      harmless: names whose calls may compute a constant, ``BUILTINS`` at first; what the cell
        imports is added.
    """
    try:
        if source.startswith(MAGIC):
            magic, name, text = ast.literal_eval(source.removeprefix(MAGIC))
            if magic in ("time", "capture"):
                return only_definitions(text, asked, harmless)
            return "" if magic != "writefile" or helper_reaches(name, text) else source
        return "\n".join(map(ast.unparse, _kept(ast.parse(source).body, asked, harmless)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def _kept(body: list[Any], asked: Collection[str], harmless: set[str]) -> Iterator[ast.stmt]:
    for node in body:
        kept: object = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        match node:
            case ast.Import() | ast.ImportFrom():
                node.names = [each for each in node.names if _importable(_module(node), each)]
                for name in node.names:
                    if (_module(node) or name.name).partition(".")[0] in HARMLESS:
                        harmless.add((name.asname or name.name).partition(".")[0])
                kept = node.names
            case ast.Try() | ast.If() | ast.ClassDef():  # such as an import that may fail
                inner = () if isinstance(node, ast.ClassDef) else asked
                for block in (node, *getattr(node, "handlers", ())):
                    for part in {"body", "orelse", "finalbody"} & {*block._fields}:
                        setattr(block, part, [*_kept(getattr(block, part), inner, harmless)])
                    block.body = block.body or [ast.Pass()]
                kept = _harmless(getattr(node, "test", ast.Pass()), harmless)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                named = {target.id for target in targets if isinstance(target, ast.Name)}
                kept = named & {*asked} or _harmless(node, harmless)
            case ast.Expr(ast.Call(ast.Attribute(attr=method))):
                kept = method in REGISTERS
            case ast.Expr(ast.NamedExpr(value=value)):
                kept = _harmless(value, harmless)
        if kept and not reaches(node, asked):
            if isinstance(node, ast.ClassDef):  # what is made of harmless parts is harmless, too
                harmless.add(node.name)
            elif isinstance(node, ast.Assign):
                harmless |= named
            yield node


def _module(node: ast.AST) -> str:
    return getattr(node, "module", None) or ""


def _importable(module: str, name: ast.alias) -> bool:
    top = (module or name.name).partition(".")[0]
    return (top in MODULES or _is_helper(top)) and not reaches(name) and not REACHES.search(module)


def _is_helper(name: str) -> bool:
    """Tell whether an import finds a file of the notebook's own, and no other module of its name."""
    loaded = getattr(sys.modules.get(name), "__file__", None) if name in sys.modules else ""
    own = loaded == "" or Path(loaded or "/").is_relative_to(Path.cwd())
    there = Path(f"{name}.py").is_file() or Path(name, "__init__.py").is_file()
    return own and there and name not in sys.stdlib_module_names


def _harmless(node: ast.AST, harmless: set[str]) -> bool:
    """Tell whether a node calls nothing else; the functions that it writes down may."""
    if isinstance(node, ast.Call):
        called = node.func
        while isinstance(called, ast.Attribute):
            called = called.value
        if not (isinstance(called, ast.Name) and called.id in harmless):
            return False
    children = () if isinstance(node, ast.Lambda) else ast.iter_child_nodes(node)
    return all(_harmless(child, harmless) for child in children)
