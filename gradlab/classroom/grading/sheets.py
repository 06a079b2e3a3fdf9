"""CSV files as spreadsheets and teaching platforms write and read them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")


class SheetError(ValueError):
    """A table that cannot be used, and what to change in it."""


def read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Reads a table with a header, separated by commas or, as some spreadsheets do, semicolons.

    Returns:
      The names of the columns, and the rows, blank ones left out. What is missing in a row is
      "".

    Raises:
      SheetError: if it cannot be read, or has no header.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SheetError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # what Excel writes unless it is asked
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise SheetError(f"{path} is empty: its first line should name the columns.")
    header = [cell.strip() for cell in rows[0]]
    filled = [row for row in rows[1:] if any(cell.strip() for cell in row)]
    return header, [
        {
            name: cell.strip()
            for name, cell in zip(header, [*row, *[""] * len(header)], strict=False)
        }
        for row in filled
    ]


def write(
    path: Path, header: Sequence[str], rows: Iterable[Mapping[str, Any]], *, for_excel: bool = False
) -> None:
    """Writes a table. Text that a spreadsheet would take for a formula is made text again.

    Args:
      path: the file.
      header: the names of the columns.
      rows: by these names; what is missing is "".
      for_excel: whether it begins with the mark by which Excel knows UTF-8.
    """
    with path.open("w", encoding="utf-8-sig" if for_excel else "utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([harmless(name) for name in header])
        for row in rows:
            writer.writerow([harmless(row.get(name, "")) for name in header])


def harmless(value: Any) -> Any:
    """Text that begins like a formula, with an apostrophe before it; anything else as it is."""
    if isinstance(value, str) and value.lstrip(" \n").startswith(FORMULA):
        return "'" + value
    return value


def as_written(value: str) -> str:
    """The inverse of ``harmless``, for text that comes back."""
    return value[1:] if value.startswith("'") and harmless(value[1:]) == value else value


def number(value: float | None) -> str:
    """Points as a table shows them: at most two decimals, and nothing for none."""
    return "" if value is None else f"{round(value, 2):g}"
