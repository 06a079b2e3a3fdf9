"""Pack what checks an answer in a page: Python modules for Pyodide, which has no JAX.

A page runs the same modules as JupyterLab does, so it finds the same mistakes.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import sccbook
from sccbook.checking.probes import WITHOUT_JAX

ROOT = Path(sccbook.__file__).parent
EXERCISES = ROOT / "exercises"
IMPORTED = re.compile(r"^(?:import|from) (jax|numpy)\b", re.MULTILINE)
PROBE = re.compile(r"""\bprobe=["'](\w+)""")


def in_page(name: str) -> Literal["python", "numpy"] | None:
    """Return what a page needs to check an exercise: Python alone, or NumPy too; None if it takes JAX.

    The exercise's source says it, by what it imports and by its probe.

    Args:
      name: of the exercise.

    Raises:
      ValueError: if there is no exercise of that name.

    Examples:
      >>> in_page("backward_by_hand"), in_page("name_the_clip"), in_page("scale_gradient")
      ('python', 'numpy', None)
    """
    path = EXERCISES / name / "exercise.py"
    if not path.is_file():
        raise ValueError(f"There is no exercise {name!r} in {EXERCISES}. A folder has its name.")
    text = path.read_text(encoding="utf-8")
    imported, probe = IMPORTED.findall(text), [*PROBE.findall(text), "returned"][0]
    if probe not in WITHOUT_JAX or "jax" in imported:
        return None
    return "numpy" if imported or probe == "of_clip" else "python"


def archive() -> bytes:
    """Return a zip of the modules to put on ``sys.path``, the same bytes for the same modules.

    Examples:
      >>> with ZipFile(io.BytesIO(archive())) as files:
      ...     "sccbook/exercises/backward_by_hand/exercise.py" in files.namelist()
      True
    """
    paths = {ROOT / "__init__.py", *ROOT.glob("checking/*.py"), *EXERCISES.glob("*.py")}
    folders = [path.parent for path in EXERCISES.glob("*/exercise.py") if in_page(path.parent.name)]
    paths |= {folder / file for folder in folders for file in ("__init__.py", "exercise.py")}
    with io.BytesIO() as packed:
        with ZipFile(packed, "w", ZIP_DEFLATED) as files:
            for path in sorted(paths - {ROOT / "checking" / "muzero_ports.py"}):
                name = ZipInfo(path.relative_to(ROOT.parent).as_posix())  # dated 1980, always
                files.writestr(name, path.read_bytes(), ZIP_DEFLATED)
        return packed.getvalue()
