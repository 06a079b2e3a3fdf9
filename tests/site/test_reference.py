"""The reference lists every public name of the packages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.site.book import ROOT

MODULES = {
    "scaleclip": ("ops", "transforms", "probe", "ledger", "figure", "torch", "keras"),
    "explorax": ("", "controls", "views", "compiler"),
    "sccbook": ("exercises",),
}
NAMES = [".".join(filter(None, (top, name))) for top, names in MODULES.items() for name in names]
ELSEWHERE = {"Control"}  # the base of the controls, which nobody makes


def public(module: str) -> set[str]:
    """Return the names that a module exports, without importing it: PyTorch may be missing."""
    top, _, rest = module.partition(".")
    path = ROOT / "packages" / top / "src" / top / rest.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for line in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__all__":
            return {str(name) for name in ast.literal_eval(line.value)}
    raise AssertionError(f"{source} has no __all__.")


@pytest.mark.parametrize("module", NAMES)
def test_every_public_name_is_in_the_reference(module: str, site: Path) -> None:
    pages = (site / "book/reference").glob("*.html")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    where = "explorax" if module == "explorax.controls" else module
    missing = {name for name in public(module) if f' id="{where}.{name}"' not in text}
    assert missing - ELSEWHERE == set()
