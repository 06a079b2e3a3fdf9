"""One file that was handed in: its cells, whatever wrote it, or why it cannot be read.

A file is data from anybody. Nothing of it is executed, and nothing of it counts but the text of
its cells: not its outputs, nor its metadata, which only help to recognise what it is.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.plain_data import clean
from gradlab_classroom.grading import salvage

LARGEST = 200 * 2**20
"""Bytes of the largest file that is read."""
LARGE = 10 * 2**20
"""Bytes above which a process of its own reads it, since JSON takes up to twenty times a file's size."""
MEMORY, SECONDS = 6 * 2**30, 120


class Unreadable(ValueError):
    """A file that is no notebook: what it is, and what to ask for."""


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
      code: whether it is one of code; else its text is Markdown.
      text: what was typed into it.
      grade_id: what nbgrader calls it, or nothing.
    """

    code: bool
    text: str
    grade_id: str = ""


@dataclass(frozen=True)
class Document:
    """The contents of a notebook.

    Attributes:
      cells: code and Markdown, in their order.
      assignment: what its metadata say that it is, or nothing.
      notes: what the instructor should know of the file.
    """

    cells: tuple[Cell, ...]
    assignment: str = ""
    notes: tuple[str, ...] = ()


def read(path: Path, largest: int = LARGEST) -> Document:
    """Read a notebook, and salvage what it can of one that is broken.

    Args:
      path: the file.
      largest: in bytes.

    Raises:
      Unreadable: if there is nothing to grade in it; the message says why.
    """
    if path.is_symlink():
        raise Unreadable("it is a link, not a file. Put the notebook itself there.")
    size = path.stat().st_size
    if size == 0:
        raise Unreadable("the file is empty. Ask for the notebook again.")
    if size > largest:
        raise Unreadable(
            f"the file has {size / 2**20:.0f} MiB, and at most {largest / 2**20:.0f} are read. Ask "
            "for it again with its outputs cleared."
        )
    if path.suffix.lower() != ".ipynb":
        raise Unreadable(_named_as(path))
    if size > LARGE:
        return _read_elsewhere(path)
    return parsed(path.read_bytes())


def parsed(data: bytes) -> Document:
    """Read a notebook that is in memory.

    Raises:
      Unreadable: if there is nothing to grade in it.
    """
    if kind := _kind(data):
        raise Unreadable(f"the file is called a notebook, but it is {kind}. Ask for the .ipynb.")
    text, notes = _decoded(data)
    if not text.strip(" \t\r\n\ufeff\0"):
        raise Unreadable("there is nothing in the file but blanks. Ask for the notebook again.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        found, note = salvage.salvaged(text)
        if found is None:
            raise Unreadable(
                f"the file is not in the form of a notebook ({error}), and no cell could be saved."
            ) from None
        notes = [*notes, note]
    if not isinstance(found, dict):
        raise Unreadable(
            f"the file holds JSON, but no notebook: its top level is a {type(found).__name__}."
        )
    cells = tuple(_cell(cell) for cell in _cells(found) if isinstance(cell, dict))
    if not any(cell.text.strip() for cell in cells):
        raise Unreadable("the notebook has no cells with text in them. Ask for it again.")
    return Document(cells, _inside(found, "metadata", "gradlab", "assignment"), tuple(notes))


def _decoded(data: bytes) -> tuple[str, list[str]]:
    for encoding in ("utf-8-sig", "utf-16"):
        try:
            if encoding == "utf-8-sig" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                return data.decode(encoding), []
        except UnicodeDecodeError:
            continue
    note = "the file is not in UTF-8: some letters in text and comments may be wrong"
    return data.decode("utf-8", errors="replace"), [note]


def _cells(found: Mapping[str, Any]) -> Sequence[Any]:
    """The list of cells, where the present form or that of IPython 2 has it."""
    if isinstance(found.get("cells"), list):
        cells: list[Any] = found["cells"]
        return cells
    sheets = found.get("worksheets")
    if isinstance(sheets, list):
        parts = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        return [cell for part in parts if isinstance(part, list) for cell in part]
    raise Unreadable(
        "it has no list of cells. Either it is no notebook, or it is damaged: ask for it again."
    )


def _cell(given: Mapping[str, Any]) -> Cell:
    source = given.get("source", given.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    code = given.get("cell_type") == "code"
    grade_id = _inside(given, "metadata", "nbgrader", "grade_id")
    return Cell(code, clean(source) if isinstance(source, str) else "", grade_id)


def _inside(given: Any, *keys: str) -> str:
    for key in keys:
        given = given.get(key) if isinstance(given, dict) else None
    return clean(given[:200]) if isinstance(given, str) else ""


def _kind(data: bytes) -> str:
    start = data[:512].lstrip().lower()
    for marks, kind in (
        ((b"pk\x03\x04",), "a zip archive"),
        ((b"%pdf",), "a PDF"),
        ((b"<!doctype html", b"<html"), "a web page"),
        ((b"\x1f\x8b",), "a gzip archive"),
        ((b"rar!", b"7z\xbc\xaf"), "an archive"),
        ((b"\x89png", b"\xff\xd8\xff"), "a picture"),
    ):
        if start.startswith(marks):
            return kind
    return ""


def _named_as(path: Path) -> str:
    suffix = path.suffix.lower()
    kind = {
        ".py": "a Python script",
        ".zip": "a zip archive, which is not opened",
        ".html": "a web page",
        ".pdf": "a PDF",
    }.get(suffix, f"a {suffix} file")
    return clean(f"{path.name} is {kind}, and no notebook was handed in. Ask for the .ipynb.")


def _read_elsewhere(path: Path) -> Document:
    """Read a large file in a process that may take ``MEMORY``, and end without harm."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__, os.fspath(path.resolve())],
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"the file could not be read within {SECONDS} s.") from None
    if done.returncode != 0:
        raise Unreadable("the file is too large to be read. Ask for it with its outputs cleared.")
    answer = json.loads(done.stdout)
    if "unreadable" in answer:
        raise Unreadable(answer["unreadable"])
    cells = tuple(Cell(**cell) for cell in answer["cells"])
    return Document(cells, answer["assignment"], tuple(answer["notes"]))


def _main(path: str) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    try:
        answer: dict[str, Any] = asdict(parsed(Path(path).read_bytes()))
    except Unreadable as error:
        answer = {"unreadable": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    _main(sys.argv[1])
