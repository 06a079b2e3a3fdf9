"""Find the files that can change what a chapter prints or draws: what its code imports and reads.

Modules are found by reading import statements; nothing is imported. A package may import its parts
when they are first asked for, so a part also counts where a chapter mentions its name: as a name in
its code, in capitals (``UnrolledFlow`` for ``unrolled_flow``), or as a text. Too many files cost an
execution, and too few would leave a page stale: in doubt a file counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

OURS = ("scaleclip", "explorax", "sccbook")
"""The packages whose modules are followed. Of others the installed versions count."""

VERSIONS = ("requirements.txt", "constraints.txt")
INIT = "__init__.py"
NO_MODULES = (INIT, "node_modules", "tests", "__pycache__")
"""What isn't looked for in a package's folder: its own file, and folders that no module reads."""


def packages() -> dict[str, Path]:
    """Return the folders of the book's own packages by their names."""
    specs = {name: find_spec(name) for name in OURS}
    return {name: Path(spec.origin).parent for name, spec in specs.items() if spec and spec.origin}


def inputs(code: str, folder: Path, root: Path, ours: Mapping[str, Path]) -> list[Path]:
    """Return the files on which the outputs of a chapter depend, in a fixed order.

    Args:
        code: all cells of the chapter.
        folder: where the chapter runs.
        root: the book's folder.
        ours: the folders of the packages whose modules are followed, by name.
    """
    found = {root / name for name in VERSIONS}
    try:
        texts, modules = names_in(code)[1], imported(code, ours)
    except SyntaxError:  # a line for IPython, say
        texts, modules = frozenset(), set()
        found = found.union(*map(all_files, ours.values()))
    for path in modules:
        found |= {path, *data(path.parent)} if path.name == INIT else {path}
    for text in texts:
        if "/" in text and root in (path := (folder / text).resolve()).parents:
            found |= {path, *all_files(path)}
    return sorted(path for path in found if path.is_file())


def imported(code: str, ours: Mapping[str, Path]) -> set[Path]:
    """Return the files of the modules that code imports, directly or through others."""
    names, mentioned = map(set, names_in(code))
    modules: dict[str, Path] = {}
    while names:
        chain = list(modules_on_the_way(names.pop(), ours))
        for module, path in chain:
            if module in modules:
                continue
            modules[module] = path
            is_package = path.name == INIT
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            more, words = names_in(text, module if is_package else module.rpartition(".")[0])
            names |= more
            if "import_module" in words:
                mentioned |= words
            if is_package and not more and module == chain[-1][0]:  # a folder as a whole
                names |= {f"{module}.{part.stem}" for part in parts(path.parent).values()}
        if not names:
            names = {
                f"{module}.{part.stem}"
                for module, path in modules.items()
                if path.name == INIT
                for name, part in parts(path.parent).items()
                if name in mentioned
            } - modules.keys()
    return set(modules.values())


@cache
def names_in(code: str, package: str = "") -> tuple[frozenset[str], frozenset[str]]:
    """Return the dotted names that a module of a package imports, and the words and texts in it."""
    names, words = set[str](), set[str]()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
            names.add(node.value.strip("."))  # import_module("of.a.module")
    return frozenset(names), frozenset(words)


def modules_on_the_way(name: str, ours: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Yield the packages and the module to which a dotted name leads, each with its file."""
    module, *rest = name.split(".")
    if module not in ours:
        return
    path = ours[module]
    yield module, path / INIT
    for word in rest:
        if word not in parts(path):
            return  # something in the module before
        path = parts(path)[word]
        module = f"{module}.{path.stem}"
        yield module, path if path.suffix else path / INIT


@cache
def parts(folder: Path) -> dict[str, Path]:
    """Return the modules and packages in a package's folder, by their names and those in capitals."""
    found = [
        path
        for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if path.stem.isidentifier() and path.name not in NO_MODULES
        if path.suffix == ".py" or path.is_dir()
    ]
    capitals = {"".join(word.capitalize() for word in p.stem.split("_")): p for p in found}
    return capitals | {path.stem: path for path in found}


def data(folder: Path) -> Iterator[Path]:
    """Yield the files that a package may read: neither modules nor Markdown, nor what subpackages have."""
    for path in folder.iterdir():
        if path.is_dir() and path.name not in NO_MODULES and not (path / INIT).is_file():
            yield from data(path)
        elif path.is_file() and path.suffix not in (".py", ".md"):
            yield path


def all_files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, but for those that are installed or compiled."""
    return (path for path in folder.rglob("*") if not {*NO_MODULES[1:]} & {*path.parts})
