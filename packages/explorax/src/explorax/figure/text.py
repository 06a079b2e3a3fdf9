"""A figure in plain text: its table, and what a notebook shows without a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorax.figure.spec import Table
from explorax.words.number_format import GENERAL, format_number
from explorax.words.template import fill


def rows(shown: Table | None, values: Mapping[str, Any]) -> list[list[str]]:
    """Return a table's cells, headings included; none without a table.

    Args:
      shown: which results are in it.
      values: settings and results, by name.
    """
    if shown is None:
        return []
    fixed = isinstance(shown.count, int)
    (heading, name), *_ = shown.columns
    count = int(shown.count) if fixed else _count(shown, values)

    def written(value: Any) -> str:
        return format_number(float(value), GENERAL if shown.general else ",.2f")

    if np.ndim(values[name]) == 2:
        matrix = np.asarray(values[name])
        wide = matrix.shape[1] if fixed else count
        head = [fill(heading, {**values, "n": str(n + 1)}) for n in range(wide)]
        body = [
            [written(matrix[k, j]) if j <= k or not shown.triangle else "" for j in range(wide)]
            for k in range(count)
        ]
    else:
        head = [fill(heading, values) for heading, _ in shown.columns]
        body = [
            [written(np.ravel(values[name])[k]) for _, name in shown.columns] for k in range(count)
        ]
    headings = [shown.rows] * count if isinstance(shown.rows, str) else shown.rows
    named = [fill(row, {**values, "n": str(k)}) for k, row in enumerate(headings, 1)]
    return [["", *head], *([name, *row] for name, row in zip(named, body, strict=True))]


def _count(shown: Table, values: Mapping[str, Any]) -> int:
    """Count the rows that are shown: as many as asked for, and at most as many as there are."""
    said = float(values.get(str(shown.count), 1))
    shapes = [np.shape(values[name]) for _, name in shown.columns]
    most = min(min(shape) if shape else 1 for shape in shapes)
    return int(min(max(said, 0), most)) if said == said else 0


def lines(sentence: str, table: Sequence[Sequence[str]]) -> str:
    """Write a sentence, and a table with its columns aligned."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    below = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    return "\n".join([sentence, *below])
