"""The Python blocks of each README, and of the pages on how to use the packages, run in order."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
READMES = {
    path.parent.name: path for path in [ROOT / "README.md", *ROOT.glob("packages/*/README.md")]
}
PAGES = READMES | {path.stem: path for path in ROOT.glob("book/use/*.md")}
PYTHON = r"python|\{code-cell\} ipython3"
IN_OTHERS = "py"
"""PyTorch and Keras have an environment of their own, so their blocks are marked ``py``."""
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def having(languages: str) -> list[str]:
    block = re.compile(rf"^```(?:{languages})$", re.M)
    return [name for name, path in PAGES.items() if block.search(path.read_text("utf-8"))]


def renewed(path: Path, languages: str) -> str:
    """Run a page's blocks in order; return the page with what they print in its ``text`` blocks."""
    scope: dict[str, Any] = {"__name__": "readme"}
    printed = io.StringIO()

    def run(found: re.Match[str]) -> str:
        nonlocal printed
        if found[1] == "text":
            lines = printed.getvalue().splitlines()
            return "\n".join(["```text", *map(str.rstrip, lines), "```"])
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(found[2], path.name, "exec"), scope)
        return found[0]

    block = re.compile(rf"^```({languages}|text)\n(.*?)^```$", re.S | re.M)
    return block.sub(run, path.read_text("utf-8"))


def words_and_numbers(path: Path) -> tuple[list[str], list[float]]:
    text = path.read_text("utf-8")
    numbers = [float(number.replace(",", "")) for number in NUMBER.findall(text)]
    return NUMBER.sub("#", text).split(), numbers


@pytest.mark.slow
@pytest.mark.parametrize("name", having(PYTHON))
def test_the_blocks_of_a_page_run_in_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    renewed(PAGES[name], PYTHON)


@pytest.mark.slow
@pytest.mark.parametrize("name", having(IN_OTHERS))
def test_the_blocks_for_other_libraries_run_and_print_what_the_page_shows(
    name: str, tmp_path: Path
) -> None:
    pytest.importorskip(
        "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
    )
    copy = tmp_path / "page.md"
    shutil.copy(PAGES[name], copy)
    # A process for each: TensorFlow and Lightning don't get along in one.
    subprocess.run([sys.executable, __file__, str(copy)], cwd=tmp_path, check=True)
    (words, numbers), (others, again) = map(words_and_numbers, (PAGES[name], copy))
    assert words == others
    assert numbers == pytest.approx(again, rel=0.1, abs=0.01)


def test_a_readme_fits_on_its_screens() -> None:
    lines = {name: path.read_text("utf-8").count("\n") for name, path in READMES.items()}
    assert lines.pop(ROOT.name) <= 150
    assert max(lines.values()) <= 130


# In the environment of these libraries, `python tests/notebooks/test_readme.py PAGE.md ...` puts
# into pages what their blocks print.
if __name__ == "__main__":
    for given in map(Path, sys.argv[1:]):
        given.write_text(renewed(given, IN_OTHERS), "utf-8")
