"""CSV files as spreadsheets and teaching platforms write and read them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.plain_data import clean

CONTROL = re.compile(
    r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""Characters that a page or a table can't hold, or that turn the text around them."""
PARTS = re.compile(r"([;\uff1b\u037e\t\r\n])")
"""Marks at which a spreadsheet may begin a new cell."""
BEFORE = re.compile(r"[\s'\u200b-\u200f\u2060\ufeff]*")
"""Characters that may stand before a formula's sign, and not be seen."""


class SheetError(ValueError):
    """A table that can't be used, and what to change in it."""


def printable(text: str) -> str:
    """Return a text as a page or a table can hold it, in one form where Unicode has several."""
    return unicodedata.normalize("NFC", CONTROL.sub("", clean(text)))


def read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Read a table with a header, separated by commas, semicolons or tabs; blank rows are left out.

    Raises:
      SheetError: if it can't be read, or has no header.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SheetError(f"{path} can't be read: {error.strerror}.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # what Excel writes unless it's asked
    first = text.split("\n", 1)[0]
    try:
        rows = list(
            csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
        )
    except csv.Error as error:
        raise SheetError(
            f"{path} is no table: {error}. Save it from a spreadsheet as CSV again."
        ) from error
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise SheetError(f"{path} is empty: its first line should name the columns.")
    header = [cell.strip() for cell in rows[0]]
    blank = [""] * len(header)
    return header, [
        {name: as_written(cell.strip()) for name, cell in zip(header, [*row, *blank], strict=False)}
        for row in rows[1:]
        if any(cell.strip() for cell in row)
    ]


def write(path: Path, header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table. Text that a spreadsheet would take for a formula is made text again."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([harmless(name) for name in header])
        for row in rows:
            writer.writerow([harmless(row.get(name, "")) for name in header])


def harmless(value: Any) -> Any:
    """Return text with an apostrophe before each part that looks like a formula; else the value."""
    if not isinstance(value, str):
        return value
    return "".join("'" + part if _formula(part) else part for part in PARTS.split(printable(value)))


def as_written(value: str) -> str:
    """Undo ``harmless``, for text that comes back."""
    return "".join(
        part[1:] if part.startswith("'") and _formula(part) else part for part in PARTS.split(value)
    )


def _formula(part: str) -> bool:
    """Tell whether it begins with a formula's sign, in any of the widths that a sign has."""
    start = unicodedata.normalize("NFKC", BEFORE.sub("", part, count=1)[:1])
    return start.startswith(("=", "+", "-", "@"))


def number(value: float | None) -> str:
    """Points as a table shows them: at most two decimals, and nothing for none."""
    return "" if value is None else f"{round(value, 2):g}"
