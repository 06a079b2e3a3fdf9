"""Likeness of answers by their text: nothing that counts, but an instructor may want to look."""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

SMALLEST = 60
"""Parts of a function's syntax tree: below, honest answers are often the same."""
LARGEST = 200_000
"""Letters of a cell: what is longer was not typed."""


def trees(sources: Iterable[str]) -> list[ast.Module]:
    """The syntax trees of cells that are Python; the others are left out."""
    found = []
    for source in sources:
        if len(source) <= LARGEST:
            try:
                found.append(ast.parse(source))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return found


def borrowed(cells: Sequence[ast.Module], functions: Collection[str]) -> list[str]:
    """Notes on functions that are asked for, and are named as the package's own."""
    packages: set[str] = set()
    notes: dict[str, None] = {}
    for node in (node for cell in cells for node in ast.walk(cell)):
        if isinstance(node, ast.Import):
            for one in node.names:
                if _of_the_package(one.name):
                    packages.add(one.asname or one.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom) and _of_the_package(node.module or ""):
            packages.update(one.asname or one.name for one in node.names)
            for one in node.names:
                if one.name in functions:
                    notes[f"it imports {one.name} from {node.module}, and is asked to write it"] = (
                        None
                    )
    for node in (node for cell in cells for node in ast.walk(cell)):
        if isinstance(node, ast.Attribute) and node.attr in functions and _root(node) in packages:
            notes[f"it uses gradlab's own {node.attr}, and is asked to write it"] = None
    return list(notes)


def _of_the_package(module: str) -> bool:
    return module.split(".")[0] == "gradlab" and not module.startswith("gradlab.exercises")


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def fingerprints(cells: Sequence[ast.Module], functions: Collection[str]) -> dict[str, str]:
    """A hash of each function's syntax, where it is beyond the trivial: names count, layout does not."""
    found: dict[str, str] = {}
    for node in (node for cell in cells for node in cell.body):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            found.pop(node.name, None)
            if print_ := _fingerprint(node):
                found[node.name] = print_
    return found


def _fingerprint(function: ast.FunctionDef) -> str:
    """Of one function, or "" where it is short, or is nested deeper than Python's stack."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if sum(1 for one in body for _ in ast.walk(one)) < SMALLEST:
        return ""
    try:
        text = "\n".join(ast.dump(one) for one in [function.args, *body])
    except (RecursionError, MemoryError, ValueError):  # ValueError: an integer of 5,000 digits
        return ""
    return hashlib.sha256(text.encode()).hexdigest()


def alike(
    prints: Iterable[tuple[str, str, Mapping[str, str]]],
) -> Iterator[tuple[str, str, list[str]]]:
    """Students whose function is the same text.

    Args:
      prints: student, assignment, and what ``fingerprints`` gave.

    Yields:
      The assignment, the function and the students.
    """
    groups: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for student, assignment, own in prints:
        for name, print_ in own.items():
            groups[assignment, name, print_].add(student)
    for (assignment, name, _), students in sorted(groups.items()):
        if len(students) > 1:
            yield assignment, name, sorted(students)
