"""Imports run one way: the classroom imports gradlab, never back, and nothing in it goes in a circle."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from classroom.tests.paths import ROOT

PACKAGE = ROOT / "classroom" / "gradlab_classroom"


def imported(path: Path) -> Iterator[str]:
    """What a module imports, at its top or anywhere: ``"a.b"`` of ``import a.b`` and ``from a import b``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def module(path: Path) -> str:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")


def folder(name: str) -> str:
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("part", [str, folder], ids=["modules", "folders"])
def test_nothing_in_the_classroom_goes_in_a_circle(part: Callable[[str], str]) -> None:
    names = {module(path): path for path in PACKAGE.rglob("*.py")}
    arrows: dict[str, set[str]] = defaultdict(set)
    for name, path in names.items():
        for target in imported(path):
            known = target if target in names else target.rpartition(".")[0]
            if known in names and part(known) != part(name):
                arrows[part(name)].add(part(known))
    assert len(arrows) >= 5
    TopologicalSorter(arrows).prepare()  # it raises a CycleError, which shows the circle


def test_gradlab_imports_nothing_of_the_classroom() -> None:
    for path in (ROOT / "gradlab").rglob("*.py"):
        assert not [name for name in imported(path) if "classroom" in name], path


def test_the_classroom_needs_nothing_of_the_site() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert not [name for name in imported(path) if name.startswith("gradlab.site")], path
