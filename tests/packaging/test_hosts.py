"""A chapter runs where Binder and Colab install what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode

from sccbook.notebook_form import read
from tools.launched import ROOT, copies

pytestmark = pytest.mark.exhaustive  # JAX is installed anew: a minute and a half
NOT_IN_A_CLONE = shutil.ignore_patterns(".git", ".venv", "_build", "build", "dist", "node_modules")


def executed(notebook: Path, folder: Path, *packages: str | Path) -> NotebookNode:
    """Install packages into a new environment, both from a folder; return a notebook executed there."""
    programs = folder.parent / "env" / "bin"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_TARGET", "PYTHON"))}
    environment = kept | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    for command in (
        (sys.executable, "-m", "venv", programs.parent),
        (programs / "python", "-m", "pip", "install", "-q", "--no-cache-dir", *packages),
        (programs / "python", "-m", "nbconvert", "--to=notebook", "--execute", "--inplace", notebook),
    ):  # fmt: skip
        subprocess.run(command, cwd=folder, env=environment, check=True)
    return read(notebook.read_text("utf-8"))


def test_binder_opens_a_chapter(tmp_path: Path) -> None:
    """With repo2docker's commands, from the repository's root."""
    clone = tmp_path / "clone"
    shutil.copytree(ROOT, clone, ignore=NOT_IN_A_CLONE, symlinks=True)
    chapter = clone / "notebooks" / "01_the_missing_function.ipynb"
    assert executed(chapter, clone, "-r", ".binder/requirements.txt")


def test_colabs_first_cell_installs_what_a_chapter_needs(tmp_path: Path) -> None:
    """In a new environment with what Colab has of ours installed, from a clone of this repository."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git repository, which the cell could clone")
    name = "notebooks/08_clipping.ipynb"
    chapter = tmp_path / "there" / "chapter.ipynb"
    chapter.parent.mkdir()
    chapter.write_text(copies(ROOT, ROOT.as_uri(), "")[name], "utf-8")
    there = ("ipykernel", "nbconvert", "jax", "matplotlib", "ipywidgets")
    done = executed(chapter, chapter.parent, "-c", ROOT / "constraints.txt", *there)
    shown = [o.data for cell in done.cells for o in cell.get("outputs", ()) if "data" in o]
    assert any("image/svg+xml" in data.get("text/html", "") for data in shown)
    assert (chapter.parent / "scc" / name).is_file()
