"""CSV files as spreadsheets and teaching platforms write and read them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gradlab_classroom.grading.student_text import printable

FORMULA = ("=", "+", "-", "@")
PARTS = re.compile(r"([;\uff1b\u037e\t\r\n])")
"""Marks at which a spreadsheet may begin a new cell: many separate by semicolons, in quotes or not."""
BEFORE = re.compile(r"[\s'\u200b-\u200f\u2060\ufeff]*")
"""Characters that may stand before a formula's sign, and not be seen."""


class SheetError(ValueError):
    """A table that cannot be used, and what to change in it."""


def read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Read a table with a header, separated by commas or, as some spreadsheets do, semicolons.

    Returns:
      The names of the columns, and the rows, blank ones left out. What is missing in a row is
      "".

    Raises:
      SheetError: if it cannot be read, or has no header.
    """
    header, rows = numbered(path)
    return header, [row for _, row in rows]


def numbered(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """Do what ``read`` does, with the number before each row that a spreadsheet shows."""
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
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise SheetError(f"{path} is no table that can be read: {error}.") from error
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise SheetError(f"{path} is empty: its first line should name the columns.")
    header = [cell.strip() for cell in rows[0]]
    blank = [""] * len(header)
    return header, [
        (n, {name: cell.strip() for name, cell in zip(header, [*row, *blank], strict=False)})
        for n, row in enumerate(rows[1:], start=2)
        if any(cell.strip() for cell in row)
    ]


def write(
    path: Path, header: Sequence[str], rows: Iterable[Mapping[str, Any]], *, for_excel: bool = False
) -> None:
    """Write a table. Text that a spreadsheet would take for a formula is made text again.

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
    """Text as a table can hold it, with an apostrophe before each part that looks like a formula.

    A part is what may become a cell of its own. Anything but text is left as it is.
    """
    if not isinstance(value, str):
        return value
    return "".join("'" + part if _formula(part) else part for part in PARTS.split(printable(value)))


def as_written(value: str) -> str:
    """The inverse of ``harmless``, for text that comes back."""
    return "".join(
        part[1:] if part.startswith("'") and _formula(part) else part for part in PARTS.split(value)
    )


def _formula(part: str) -> bool:
    """Tell whether it begins with a formula's sign, in any of the widths that a sign has."""
    return unicodedata.normalize("NFKC", BEFORE.sub("", part, count=1)[:1]).startswith(FORMULA)


def number(value: float | None) -> str:
    """Points as a table shows them: at most two decimals, and nothing for none."""
    return "" if value is None else f"{round(value, 2):g}"
