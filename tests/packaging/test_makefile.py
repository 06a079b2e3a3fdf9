"""The Makefile where it must refuse, and what it lists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from tools.site.contents import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
UNAME = 'case "$1" in -s) echo {} ;; -m) echo {} ;; esac'


@pytest.mark.parametrize(
    ("program", "script", "says"),
    [
        ("uname", UNAME.format("Darwin", "x86_64"), r"Darwin x86_64[\s\S]*Intel"),
        ("uname", UNAME.format("MINGW64_NT-10.0", "x86_64"), r"pip install -r requirements-read"),
        ("python3", "exit 1", r"sudo apt-get install python3-venv"),
    ],
    ids=["an Intel Mac", "Windows", "a Python without venv"],
)
def test_a_machine_that_cannot_be_used_is_told_what_to_do(tmp_path, program, script, says):
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "bin").mkdir()
    path = tmp_path / "bin" / program
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    done = subprocess.run(
        ["make", "_build/uv/bin/uv"],
        cwd=tmp_path,
        env={**kept, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert re.search(says, done.stderr)
    assert not (tmp_path / "_build" / "uv").exists()


def test_help_lists_a_newcomers_five_commands_first():
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = re.findall(r"^  make ([\w-]+)", done.stdout, re.MULTILINE)
    assert listed[:5] == ["serve", "lab", "test-quick", "test", "format"]
