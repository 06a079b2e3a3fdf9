"""Binder installs what its files say, from the repository's root, and a chapter runs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_IN_A_CLONE = shutil.ignore_patterns(".git", ".venv", "_build", "build", "dist", "node_modules")


@pytest.mark.exhaustive  # it installs JAX and JupyterLab anew: a minute and a half
def test_binder_opens_a_chapter(tmp_path):
    clone = tmp_path / "clone"
    shutil.copytree(ROOT, clone, ignore=NOT_IN_A_CLONE, symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    # repo2docker's commands, and where it runs them
    for command in (
        (sys.executable, "-m", "venv", tmp_path / "env"),
        (python, "-m", "pip", "install", "-q", "--no-cache-dir", "-r", ".binder/requirements.txt"),
        (python, "-m", "nbconvert", "--to=notebook", "--execute", "--output=executed",
         "notebooks/01_the_missing_function.ipynb"),
    ):  # fmt: skip
        subprocess.run(command, cwd=clone, check=True)
    assert (clone / "notebooks" / "executed.ipynb").is_file()
