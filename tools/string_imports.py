"""Refuse imports through strings and entry points that go against the packages' order.

import-linter reads import statements. A module named in a string, for ``import_module`` or as an
entry point, is an import too, so none may name a package that its own must not import.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ORDER = ("explorax", "scaleclip", "sccbook", "sccbook_classroom")
"""The packages; each may import those before it, and ``scaleclip`` only in ``figure`` the first."""
MODULE = re.compile(rf"({'|'.join(reversed(ORDER))})(\.\w+)*(:\w+)?")
SOURCES = {name: Path("packages", name, "src", name) for name in ORDER[:-1]}
SOURCES["sccbook_classroom"] = Path("classroom", "sccbook_classroom")


def strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the strings of a module that aren't docstrings."""
    texts = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node


def wrong(package: str, file: Path, name: str) -> bool:
    """Say whether a file may not name that package."""
    if package == "scaleclip" and name == "explorax":
        return "figure" not in file.parts and file.name != "_extras.py"  # what to install
    return ORDER.index(name) > ORDER.index(package)


def main() -> None:
    """Print each such string, and fail where there is one."""
    found = []
    for package, folder in SOURCES.items():
        for file in sorted(folder.rglob("*.py")):
            if file.name.startswith("test_") or "node_modules" in file.parts:
                continue
            for node in strings(ast.parse(file.read_text(encoding="utf-8"))):
                named = MODULE.fullmatch(str(node.value))
                if named and wrong(package, file, named[1]):
                    found.append(
                        f"{file}:{node.lineno}: {package} names {node.value!r} in a string."
                    )
    if found:
        sys.exit("\n".join(found) + "\nLet the other package register itself instead.")


if __name__ == "__main__":
    main()
