"""The same code in several libraries: files of ``snippets/``, and the cells that show them.

A Markdown cell that is tagged ``tabs`` and has ``"snippets": "scale_gradient"`` in its metadata
shows the files of ``snippets/scale_gradient``. ``fill`` writes them into it, and ``stale`` names
the cells that show something else.
"""

from __future__ import annotations

from pathlib import Path

from nbformat import NotebookNode

from gradlab.notebook_form import tags
from gradlab.site.marked import TABS
from tools.rules import Fault

FOLDER = Path(__file__).parents[1] / "snippets"
NAMES = {"jax": "JAX", "pytorch": "PyTorch", "tensorflow": "TensorFlow", "keras": "Keras"}
"""The files of an operation, in the order of their tabs, and the tabs' names."""

KEY = "snippets"
"""What in a cell's metadata names the operation."""


def shown(operation: str, folder: Path = FOLDER) -> str:
    """Return an operation's files as a cell of tabs: bold names, each with a block below.

    Raises:
        ValueError: where there is no such operation.
    """
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
        if cell.cell_type != "markdown" or TABS not in tags(cell):
            rule = f"its metadata name {KEY}, so it must be a Markdown cell tagged {TABS!r}"
        else:
            try:
                if cell.source != shown(cell.metadata[KEY], folder):
                    rule = f"it differs from snippets/{cell.metadata[KEY]}: run 'execute'"
            except ValueError as wrong:
                rule = str(wrong)
        if rule:
            found.append(Fault(number, cell.get("id", ""), rule))
    return found
