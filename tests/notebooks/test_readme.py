"""The Python blocks of each README run, from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
READMES = {
    path.parent.name: path for path in [ROOT / "README.md", *ROOT.glob("packages/*/README.md")]
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READMES)
def test_the_blocks_of_a_readme_run_in_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"^```python\n(.*?)^```$", READMES[name].read_text("utf-8"), re.S | re.M)
    assert found
    scope: dict[str, Any] = {"__name__": "readme"}
    for block in found:
        exec(compile(block, READMES[name].name, "exec"), scope)


def test_a_readme_fits_on_its_screens() -> None:
    lines = {name: path.read_text("utf-8").count("\n") for name, path in READMES.items()}
    assert lines.pop(ROOT.name) <= 150
    assert max(lines.values()) <= 130
