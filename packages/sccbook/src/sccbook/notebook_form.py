"""The form in which a chapter is stored: its text outputs, and nothing that differs between two runs.

Kept is what strict nbval compares. Dropped is what it does not compare and what would swell the
history: pictures and widget views. ``normalise`` brings a notebook into the form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import nbformat as untyped_nbformat
from nbformat import NotebookNode

nbformat: Any = untyped_nbformat  # its functions carry no types

DROPPED = ("image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json")
"""The types that nbval leaves out of its comparison."""

METADATA: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("tags", "mystnb", "snippets", "draws")
"""What is kept of a cell's metadata: ``snippets`` names the files that a cell of tabs shows, ``draws`` what a figure shows of it."""

CHECK = "check"
"""The tag of a cell that only asserts. JupyterLab shows it collapsed, as ``COLLAPSED`` says."""
COLLAPSED: dict[str, Any] = {"jupyter": {"source_hidden": True}}

NOT_COMPARED = "nbval-ignore-output"
"""The tag of a cell whose output differs from run to run (a timing): none is stored."""


def tags(cell: NotebookNode) -> list[str]:
    """Return a cell's tags."""
    return list(cell.metadata.get("tags", []))


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Return a copy of a notebook in normal form; a second time changes nothing.

    Sources stay as they are, but for empty lines around them. The copy has cell ids, execution
    counts from 1, and of the metadata only what the book reads.
    """
    form: NotebookNode = nbformat.v4.new_notebook(metadata=nbformat.from_dict(METADATA))
    form.nbformat, form.nbformat_minor = 4, 5
    count, names = 0, set[str]()
    for cell in notebook.cells:
        source = cell.source.strip("\n")
        kept = {key: cell.metadata[key] for key in CELL_METADATA if cell.metadata.get(key)}
        new = nbformat.from_dict({"cell_type": cell.cell_type, "metadata": kept, "source": source})
        new.id = _name(cell, source, names)
        if cell.cell_type == "code":
            if CHECK in tags(cell):
                new.metadata.update(nbformat.from_dict(COLLAPSED))
            count += 1
            new.execution_count = count
            ignored = NOT_COMPARED in tags(cell)
            new.outputs = [] if ignored else list(_outputs(cell.get("outputs", []), count))
        form.cells.append(new)
    return form


def _name(cell: NotebookNode, source: str, names: set[str]) -> str:
    """Return the cell's own id, or one made from its source where it has none of its own."""
    name = cell.get("id", "")
    salt = 0
    while not name or name in names:
        name = hashlib.sha256(f"{salt}{source}".encode()).hexdigest()[:8]
        salt += 1
    names.add(name)
    return str(name)


def _outputs(outputs: list[NotebookNode], count: int) -> Iterator[NotebookNode]:
    """Yield outputs without what nbval does not compare, pieces of one stream joined."""
    streams: dict[str, NotebookNode] = {}
    for output in outputs:
        kind = output.output_type
        if kind == "stream":
            if output.name in streams:
                streams[output.name].text += output.text
                continue
            streams[output.name] = new = nbformat.v4.new_output(
                "stream", name=output.name, text=output.text
            )
        elif kind == "error":
            new = nbformat.v4.new_output(
                "error", ename=output.ename, evalue=output.evalue, traceback=[]
            )
        else:
            data = {key: output.data[key] for key in sorted(output.data) if key not in DROPPED}
            if not data:
                continue
            new = nbformat.v4.new_output(kind, data=data)
            if kind == "execute_result":
                new.execution_count = count
        yield new


def read(text: str) -> NotebookNode:
    """Return the notebook that a file's text holds, as it stands there.

    Unlike ``nbformat.reads`` it gives no cell a new id at random.

    Raises:
        ValueError: where the text is no notebook of format 4.
    """
    try:
        notebook: NotebookNode = nbformat.v4.reads(text)
        nbformat.validate(normalise(notebook))
    except Exception as bad:  # it may fail in many ways
        raise ValueError(f"not a notebook of format 4: {type(bad).__name__}: {bad}") from bad
    return notebook


def text_of(notebook: NotebookNode) -> str:
    """Return a notebook as the text of its file."""
    return str(nbformat.writes(notebook, version=4)).rstrip("\n") + "\n"


INSTALL = """\
# Installs the book's packages where they're missing, as on Colab: a minute or two.
try:
    import sccbook
except ImportError:
    !git clone --quiet --depth 1{} "{}" scc
    !cd scc/packages && pip install --quiet ./scaleclip ./explorax "./sccbook[chapters]\""""


def install_cell(repository: str, branch: str = "") -> NotebookNode:
    """Return a cell that installs the book's packages from a repository where they're missing.

    It doesn't install JupyterLab: where the cell is run, there is something to run it in.
    """
    source = INSTALL.format(branch and f" --branch {branch}", repository)
    cell: NotebookNode = nbformat.v4.new_code_cell(source, id="install")
    return cell
