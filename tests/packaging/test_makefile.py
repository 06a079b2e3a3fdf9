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
    for folder in ("bin", "book", "notebooks", "gradlab/frontend/src"):
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


def test_an_intel_mac_is_told_why(house):
    program(house, "uname", 'case "$1" in -s) echo Darwin ;; -m) echo x86_64 ;; esac')
    done = make(house, "python")
    assert done.returncode != 0
    assert "Intel" in done.stderr
    assert "JAX publishes no wheels" in done.stderr
    assert not (house / ".venv").exists()


def test_another_system_is_told_what_to_do_instead(house):
    program(house, "uname", 'case "$1" in -s) echo MINGW64_NT-10.0 ;; -m) echo x86_64 ;; esac')
    done = make(house, "python")
    assert done.returncode != 0
    assert "MINGW64_NT-10.0 x86_64" in done.stderr
    assert "pip install -r requirements.txt" in done.stderr


def test_no_usable_python_says_which_were_tried(house):
    for name in ("python3.13", "python3.12", "python3.11", "python3"):
        program(house, name, "exit 1")
    done = make(house, "python")
    assert done.returncode != 0
    assert "tried python3.13 python3.12 python3.11 python3." in done.stderr
    assert "make PYTHON=" in done.stderr


def test_a_named_python_that_is_too_old_is_refused_by_name(house):
    old = program(house, "python3.9", "exit 1")
    done = make(house, "python", f"PYTHON={old}")
    assert done.returncode != 0
    assert f"PYTHON={old} is no Python from 3.11 to 3.13" in done.stderr


@pytest.mark.slow
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
