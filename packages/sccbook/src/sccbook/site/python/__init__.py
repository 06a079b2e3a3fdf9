"""Let readers edit and run code in the page, by Python in their browser: which cells, and what Python needs there.

A cell tagged ``run`` can be run where the page is, and so can an exercise whose check needs no JAX. Such a cell has a button
(``edit_here``); all else is fetched when it's pressed. The files come with the book (``gather``): no other host is asked.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

import explorax.frontend
from sccbook.site.boxes import box
from sccbook.site.cells import cells, source_of, tags_of
from sccbook.site.python_files import archive, asks_of_new_numbers, in_page

HERE = Path(__file__).parent
BUILT = HERE.parents[1] / "dist" / "python"
PYODIDE = Path(explorax.frontend.__file__).parent / "node_modules" / "pyodide"
CORE = (
    "pyodide.js",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
NUMPY = Path("_build", "python", "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl")
"""NumPy for Pyodide, from the book's folder, where ``tools.numpy_wheel`` has fetched it."""

RUN, EXERCISE = "run", "exercise"
CHECKED = re.compile(r'check\("(\w+)"')
USES_NUMPY = re.compile(r"\bnp\.")
BUTTON = '<p class="edit-here"><button type="button" class="btn btn-sm"{data}>Edit and run</button>'


def needs(cell: nodes.Element, root: Path) -> str | None:
    """Return what a cell needs to run in a page: ``"python"`` or ``"numpy"``; None if it can't.

    Args:
        cell: of code, in MyST-NB's tree.
        root: the book's folder.
    """
    found: str | None = None
    if name := exercise_of(cell):
        found = in_page(name)
    elif RUN in tags_of(cell):
        found = "numpy" if USES_NUMPY.search(cell.astext()) else "python"
    return None if found == "numpy" and not (root / NUMPY).is_file() else found


def exercise_of(cell: nodes.Element) -> str:
    """Return the name of the exercise that a cell is the beginning of, or ""."""
    found = CHECKED.search(cell.astext()) if EXERCISE in tags_of(cell) else None
    return found[1] if found else ""


def edit_here(page: SphinxTransform) -> None:
    """Put a button below the code of each cell of a page that runs there; ``draws`` says what a figure shows of it."""
    for cell in cells(page.document):
        source, found = source_of(cell), needs(cell, Path(page.env.srcdir))
        if source is None or found is None or source.parent is not cell:
            continue  # folded code runs before what needs it
        name, drawn = exercise_of(cell), cell["cell_metadata"].get("draws")
        data = f' data-needs="{found}"' if found == "numpy" else ""
        if name and asks_of_new_numbers(name):
            data += f' data-variant="{name}"'
        data += f' data-draws="{html.escape(json.dumps(drawn))}"' if drawn else ""
        cell.insert(cell.index(source) + 1, box(BUTTON.format(data=data), "</p>\n"))


def gather(folder: Path, root: Path) -> None:
    """Put what Python in the page needs into a folder, with its licences.

    Args:
        folder: of the site's static files.
        root: the book's folder.

    Raises:
        ExtensionError: if Pyodide isn't installed where the front end is built.
    """
    if not (PYODIDE / CORE[0]).is_file():
        raise ExtensionError(
            f"{PYODIDE} has no Pyodide. Install what the front end needs: make views"
        )
    served = folder / "python"
    served.mkdir()
    built = (BUILT / name for name in ("block.js", "block.css", "editor.js", "worker.js"))
    ours = (HERE / "driver.py", HERE / "LICENSES.txt", *built)
    for file in (*(PYODIDE / name for name in CORE), *ours):
        shutil.copy(file, served)
    shutil.copy(BUILT / "LICENSES.txt", served / "editor-LICENSES.txt")
    (served / "sccbook.zip").write_bytes(archive())
    if (wheel := root / NUMPY).is_file():
        shutil.copy(wheel, served)
        with ZipFile(wheel) as packed:
            licence = next(name for name in packed.namelist() if name.endswith("LICENSE.txt"))
            (served / "numpy-LICENSE.txt").write_bytes(packed.read(licence))
