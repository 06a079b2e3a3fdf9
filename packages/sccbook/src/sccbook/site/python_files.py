"""Pack what checks an answer in a page: Python modules for Pyodide, which has no JAX.

A page runs the same modules as JupyterLab does, so it finds the same mistakes.
"""

import io
import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import sccbook

ROOT = Path(sccbook.__file__).parent
JAX = re.compile(r'^(?:import|from) jax\b|\bprobe="(?!of_clip|returned")', re.MULTILINE)
NUMPY = re.compile(r'^(?:import|from) numpy\b|\bprobe="of_clip"', re.MULTILINE)
"""How an exercise's source shows what it needs: by its imports and its probe."""


def in_page(name: str) -> str | None:
    """Return what a page needs to check an exercise: Python alone, or NumPy too; None if it takes JAX.

    Args:
      name: of the exercise.

    Raises:
      FileNotFoundError: if there is no exercise of that name.

    Examples:
      >>> in_page("backward_by_hand"), in_page("name_the_clip"), in_page("scale_gradient")
      ('python', 'numpy', None)
    """
    text = (ROOT / "exercises" / name / "exercise.py").read_text(encoding="utf-8")
    return None if JAX.search(text) else "numpy" if NUMPY.search(text) else "python"


def asks_of_new_numbers(name: str) -> bool:
    """Return whether an exercise can be asked of numbers drawn from a seed.

    Examples:
      >>> asks_of_new_numbers("backward_by_hand"), asks_of_new_numbers("name_the_clip")
      (True, False)
    """
    return "\n    draw=" in (ROOT / "exercises" / name / "exercise.py").read_text(encoding="utf-8")


def archive() -> bytes:
    """Return a zip of the modules to put on ``sys.path``, the same bytes for the same modules.

    Examples:
      >>> with ZipFile(io.BytesIO(archive())) as files:
      ...     "sccbook/exercises/backward_by_hand/exercise.py" in files.namelist()
      True
    """
    paths = [
        ROOT / "__init__.py",
        *ROOT.glob("checking/*.py"),
        *ROOT.glob("exercises/*.py"),
        *(p for p in ROOT.glob("exercises/*/[!t]*.py") if in_page(p.parent.name)),  # no test_*.py
    ]
    packed = io.BytesIO()
    with ZipFile(packed, "w") as files:
        for path in sorted(paths):
            undated = ZipInfo(path.relative_to(ROOT.parent).as_posix())
            files.writestr(undated, path.read_bytes(), ZIP_DEFLATED)
    return packed.getvalue()
