"""A notebook as it was handed in: whether it is one, and which of its cells answer in words."""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from sccbook.checking.plain_data import clean

LARGEST = 50 * 2**20
"""Bytes of the largest file that is read."""
ANCHOR = re.compile(r"\*\*Your answer \((\w+)\):\*\*")
"""The first line of a cell that answers in words."""
STUB = re.compile(r"YOUR ANSWER HERE|_?\(?write here\)?_?|\.\.\.", re.IGNORECASE)
KINDS = {b"%PDF": "a PDF", b"PK": "an archive", b"<": "a page of HTML"}


class Unreadable(ValueError):
    """A file that is no notebook: what it is, and what to ask for."""


def read(path: Path) -> NotebookNode:
    """Read a notebook, and keep its cells' kinds, texts and names, and nothing else.

    Raises:
      Unreadable: if it's none.
    """
    if path.is_symlink() or path.stat().st_size > LARGEST:
        raise Unreadable(
            "it's a link, or too large: ask for the notebook, with its outputs cleared"
        )
    data = path.read_bytes()
    if not data.strip(b" \t\r\n\0"):
        raise Unreadable("it's empty: ask for it again")
    if kind := next((KINDS[begin] for begin in KINDS if data.lstrip().startswith(begin)), None):
        raise Unreadable(f"it's called a notebook and is {kind}: ask for the .ipynb")
    try:
        utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        found = nbformat.reads(data.decode("utf-16" if utf_16 else "utf-8-sig"), as_version=4)
        cells = [_cell(cell) for cell in found.cells]
    except Exception as error:  # a file from anybody
        why = str(error).partition("\n")[0][:200]
        raise Unreadable(f"it isn't in the form of a notebook ({why}): ask for it again") from error
    if not any(cell.source.strip() for cell in cells):
        raise Unreadable("its cells are empty: ask for it again")
    own = found.metadata.get("sccbook")
    return new_notebook(cells=cells, metadata={"sccbook": own} if isinstance(own, dict) else {})


def _cell(cell: NotebookNode) -> NotebookNode:
    make = {"code": new_code_cell, "markdown": new_markdown_cell}.get(cell.cell_type, new_raw_cell)
    text = cell.source if isinstance(cell.source, str) else "".join(map(str, cell.source))
    name = name_of(cell)
    return make(clean(text), metadata={"nbgrader": {"grade_id": name}} if name else {})


def name_of(cell: NotebookNode) -> str:
    """Return what nbgrader calls a cell, or "". The metadata of a cell from anybody may hold anything."""
    match cell.get("metadata"):
        case {"nbgrader": {"grade_id": str(name)}}:
            return name
    return ""


def words(text: str) -> str:
    """Return an answer in words without the line that was handed out, and without its stub."""
    return STUB.sub("", ANCHOR.sub("", text)).strip()


def anchored(text: str) -> str:
    """Return the question that a cell answers in words, or ""."""
    found = ANCHOR.search(text)
    return found[1] if found else ""
