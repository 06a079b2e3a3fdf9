"""The same code in several libraries: files of ``snippets/``, and the cells that show them.

A Markdown cell that is tagged ``tabs`` and has ``"snippets": "scale_gradient"`` in its metadata
shows the files of ``snippets/scale_gradient``; one that is tagged ``rows`` and has
``"snippets": "rosetta: clip_by_norm"`` shows that table of ``snippets/rosetta.toml``. ``fill`` writes them into
it, and ``stale`` names the cells that show something else.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from sccbook.notebook_form import tags
from sccbook.site.containers import ROWS, TABS
from tools.rules import Fault

FOLDER = Path(__file__).parents[1] / "snippets"
NAMES = {"jax": "JAX", "pytorch": "PyTorch", "tensorflow": "TensorFlow", "keras": "Keras"}
"""The files of an operation, in the order of their tabs, and the tabs' names."""

KEY = "snippets"
"""What in a cell's metadata names the operation."""

ROSETTA, GONE = "rosetta: ", "gone"
COLUMNS = {
    "numpy": "NumPy", "scaleclip": "scaleclip", "optax": "JAX, Optax", "flax": "Flax",
    "equinox": "Equinox", "keras": "Keras", "keras_model": "Keras, a compiled model",
    "tensorflow": "TensorFlow", "pytorch": "PyTorch", "pytorch_amp": "PyTorch, with a GradScaler",
    "sonnet": "Sonnet",
}  # fmt: skip
"""The libraries of the Rosetta, in the order of their rows, and the rows' names."""


def shown(operation: str, folder: Path = FOLDER) -> str:
    """Return an operation's files as a cell of tabs, or its table as one of rows: names, each with a block below.

    Raises:
        ValueError: if there is no such operation.
    """
    if operation.startswith(ROSETTA):
        return _rows(operation.removeprefix(ROSETTA), folder)
    files = [folder / operation / f"{stem}.py" for stem in NAMES]
    blocks = [
        f"**{NAMES[file.stem]}**\n\n```python\n{file.read_text(encoding='utf-8').strip()}\n```"
        for file in files
        if file.is_file()
    ]
    if not blocks:
        known = sorted(path.name for path in folder.iterdir() if path.is_dir())
        raise ValueError(
            f"snippets/{operation} has no {', '.join(f'{stem}.py' for stem in NAMES)}; "
            f"there are {', '.join(known)}"
        )
    return "\n\n".join(blocks)


def _rows(operation: str, folder: Path) -> str:
    """Return a table of ``rosetta.toml``: a block for each library that has a cell."""
    tables = tomllib.loads((folder / "rosetta.toml").read_text(encoding="utf-8"))
    if operation == GONE:
        return "\n\n".join(
            _row(f"**`{old['form']}`**: {old['was']}. Now:", old["now"]) for old in tables[GONE]
        )
    table: dict[str, Any] = tables.get(operation, {})
    if "says" not in table:
        known = sorted(name for name, found in tables.items() if "says" in found)
        raise ValueError(
            f"snippets/rosetta.toml has no operation {operation!r}; there are {', '.join(known)}"
        )
    by_hand = {*table.get("written_out", [])} - {"numpy"}  # which writes most of them out
    rows = [
        _row(f"**{name}**" + (", by hand" if key in by_hand else ""), table[key])
        for key, name in COLUMNS.items()
        if key in table and key not in table.get("shown_above", ())
    ]
    return "\n\n".join(rows)


def _row(name: str, code: str) -> str:
    return f"{name}\n\n```python\n{code.strip()}\n```"


def fill(notebook: NotebookNode, folder: Path = FOLDER) -> None:
    """Write the files into the cells that show them.

    Raises:
        ValueError: where a cell names no operation that there is.
    """
    for cell in notebook.cells:
        if KEY in cell.metadata and cell.cell_type == "markdown":
            cell.source = shown(cell.metadata[KEY], folder)


def stale(notebook: NotebookNode, folder: Path = FOLDER) -> list[Fault]:
    """Return a fault for each cell that does not show the files that it names."""
    found = []
    for number, cell in enumerate(notebook.cells, start=1):
        if KEY not in cell.metadata:
            continue
        rule = ""
        tag = ROWS if cell.metadata[KEY].startswith(ROSETTA) else TABS
        if cell.cell_type != "markdown" or tag not in tags(cell):
            rule = f"its metadata name {KEY}, so it must be a Markdown cell tagged {tag!r}"
        else:
            try:
                if cell.source != shown(cell.metadata[KEY], folder):
                    rule = f"it differs from snippets/, {cell.metadata[KEY]}: run 'execute'"
            except ValueError as wrong:
                rule = str(wrong)
        if rule:
            found.append(Fault(number, cell.get("id", ""), rule))
    return found
