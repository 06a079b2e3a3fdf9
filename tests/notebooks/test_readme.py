"""The Python blocks of each README, and of the pages on how to use the packages, run in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
READMES = {
    path.parent.name: path for path in [ROOT / "README.md", *ROOT.glob("packages/*/README.md")]
}
PAGES = READMES | {path.stem: path for path in ROOT.glob("book/use/*.md")}
IN_PYTORCH = [name for name, path in PAGES.items() if "\n```py\n" in path.read_text("utf-8")]
"""PyTorch has an environment of its own, so its blocks are marked ``py``, the others ``python``."""


def run_blocks(path: Path, language: str) -> None:
    found = re.findall(rf"^```(?:{language})\n(.*?)^```$", path.read_text("utf-8"), re.S | re.M)
    assert found
    scope: dict[str, Any] = {"__name__": "readme"}
    for block in found:
        exec(compile(block, path.name, "exec"), scope)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_blocks_of_a_page_run_in_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_blocks(PAGES[name], r"python|\{code-cell\} ipython3")


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_PYTORCH)
def test_the_blocks_for_pytorch_run_in_order(name: str) -> None:
    pytest.importorskip(
        "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
    )
    run_blocks(PAGES[name], "py")


def test_a_readme_fits_on_its_screens() -> None:
    lines = {name: path.read_text("utf-8").count("\n") for name, path in READMES.items()}
    assert lines.pop(ROOT.name) <= 150
    assert max(lines.values()) <= 130
