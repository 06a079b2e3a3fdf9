"""Pack what checks an answer in a page: Python modules for Pyodide, which has no JAX.

A page runs the same modules as JupyterLab does, so it finds the same mistakes.
"""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import sccbook
from sccbook.checking.probes import WITHOUT_JAX
from sccbook.exercises.catalogue import EXERCISES, find_exercise

ROOT = Path(sccbook.__file__).parent


def in_page(name: str) -> Literal["python", "numpy"] | None:
    """Return what a page needs to check an exercise: Python alone, or NumPy too; None if it takes JAX.

    Args:
      name: of the exercise.

    Raises:
      ValueError: if there is no exercise of that name.

    Examples:
      >>> in_page("backward_by_hand"), in_page("name_the_clip"), in_page("scale_gradient")
      ('python', 'numpy', None)
    """
    probe = find_exercise(name).probe
    imported = {"jax", "np"} & vars(import_module(f"sccbook.exercises.{name}.exercise")).keys()
    if probe not in WITHOUT_JAX or "jax" in imported:
        return None
    return "numpy" if imported or probe == "of_clip" else "python"


def archive() -> bytes:
    """Return a zip of the modules to put on ``sys.path``, the same bytes for the same modules.

    Examples:
      >>> from zipfile import is_zipfile
      >>> is_zipfile(io.BytesIO(archive()))
      True
    """
    paths = {ROOT / "__init__.py", *ROOT.glob("checking/*.py"), *ROOT.glob("exercises/*.py")}
    folders = [ROOT / "exercises" / name for name in EXERCISES if in_page(name)]
    paths |= {folder / file for folder in folders for file in ("__init__.py", "exercise.py")}
    with io.BytesIO() as packed:
        with ZipFile(packed, "w", ZIP_DEFLATED) as files:
            for path in sorted(paths - {ROOT / "checking" / "muzero_ports.py"}):
                name = ZipInfo(
                    path.relative_to(ROOT.parent).as_posix()
                )  # of 1980, whenever it's made
                files.writestr(name, path.read_bytes(), ZIP_DEFLATED)
        return packed.getvalue()
