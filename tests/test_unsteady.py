"""Browser tests that fail are run once more, and forgiven where all pass then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LATE = """
from pathlib import Path
def test_late():
    seen = Path(__file__).with_suffix(".seen")
    assert seen.exists(), (seen.touch(), "late")[1]
"""
WRONG = "\ndef test_wrong():\n    assert 1 == 2\n"


def run(folder: Path, where: str, text: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over one file of tests, with the plugin."""
    file = folder / where / "test_it.py"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.unsteady", "-q", str(file)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "text", "status", "listed"),
    [
        ("tests/site", LATE, 0, True),
        ("tests/site", WRONG, 1, False),
        ("tests/site", LATE + WRONG, 1, False),
        ("tests/ops", LATE, 1, False),
    ],
)
def test_only_a_browser_test_that_passes_alone_is_forgiven(
    tmp_path: Path, where: str, text: str, status: int, listed: bool
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = run(tmp_path, where, text)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("UNSTEADY tests/site/test_it.py::test_late: " in done.stdout) == listed
