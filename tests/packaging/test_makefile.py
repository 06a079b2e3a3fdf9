"""The Makefile where it must refuse, and where it must do nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with the Makefile, and with programs of the test's own first on the PATH."""
    for folder in ("bin", "book", "notebooks", "packages/explorax/src/explorax/frontend/src"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", tmp_path)
    return tmp_path


def program(house: Path, name: str, script: str) -> Path:
    path = house / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def make(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    return subprocess.run(
        ["make", *arguments],
        cwd=house,
        env={**kept, "PATH": f"{house / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


UNAME = 'case "$1" in -s) echo {} ;; -m) echo x86_64 ;; esac'
PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11", "python3")


@pytest.mark.parametrize(
    ("programs", "python", "said"),
    [
        ({"uname": UNAME.format("Darwin")}, "", r"Intel[\s\S]*JAX publishes no wheels"),
        (
            {"uname": UNAME.format("MINGW64_NT-10.0")},
            "",
            r"MINGW64_NT-10\.0 x86_64[\s\S]*pip install -r requirements-read\.txt",
        ),
        (
            dict.fromkeys(PYTHONS, "exit 1"),
            "",
            r"tried python3\.14 python3\.13 python3\.12 python3\.11 python3\.[\s\S]*make PYTHON=",
        ),
        (
            {"python3.9": "exit 1"},
            "PYTHON=bin/python3.9",
            r"PYTHON=bin/python3\.9 is no Python from 3\.11 to 3\.14",
        ),
    ],
    ids=["an Intel Mac", "another system", "no Python", "a Python too old"],
)
def test_what_cannot_be_used_is_refused_with_what_to_do(house, programs, python, said):
    for name, script in programs.items():
        program(house, name, script)
    done = make(house, "python", *filter(None, [python]))
    assert done.returncode != 0
    assert re.search(said, done.stderr)
    assert not (house / ".venv").exists()


@pytest.mark.exhaustive
def test_the_environment_is_made_once_and_keeps_its_python(house):
    made = make(house, "python", f"PYTHON={sys.executable}")
    assert made.returncode == 0, made.stderr
    assert f"Making .venv with Python {VERSION}" in made.stdout
    again = make(house, "python")
    assert (again.returncode, again.stdout) == (0, "")
    other = program(house, "other", "echo 3.99")
    changed = make(house, "python", f"PYTHON={other}")
    assert changed.returncode != 0
    assert f".venv has Python {VERSION}" in changed.stderr
    assert "make distclean" in changed.stderr


def test_help_lists_every_command_that_the_readme_could_name(house):
    listed = make(house).stdout
    for command in ("serve", "book", "lab", "test", "test-quick", "notebooks", "wheel", "clean"):
        assert re.search(rf"^  {command} ", listed, re.MULTILINE), command
