"""A record of an experiment: a file of cells beside this module, and what they were made with."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

Cell = TypeVar("Cell", bound=tuple[Any, ...])


class Record(Generic[Cell]):
    """The cells of an experiment.

    Args:
      name: of the file, without its ending.
      cell: what a row is: a named tuple whose fields are texts, numbers and tuples of numbers.
    """

    def __init__(self, name: str, cell: Callable[..., Cell]) -> None:
        self.path: Traversable = files(__package__) / f"{name}.json"
        self._cell = cell

    @functools.cached_property
    def _read(self) -> Any:
        return json.loads(self.path.read_text(encoding="utf-8"))

    def provenance(self) -> dict[str, Any]:
        """Return the versions, the settings and the commit of the record."""
        return dict(self._read["provenance"])

    def cells(self, **wanted: Any) -> list[Cell]:
        """Return the recorded cells, all or those whose fields are these."""
        return [
            cell
            for cell in map(self._of_row, self._read["cells"])
            if all(getattr(cell, name) == value for name, value in wanted.items())
        ]

    def _of_row(self, row: list[Any]) -> Cell:
        return self._cell(*(tuple(value) if isinstance(value, list) else value for value in row))

    def written(self, provenance: Mapping[str, Any], cells: Iterable[Cell]) -> str:
        """Write cells as JSON, one a line."""
        rows = (json.dumps(list(cell), separators=(",", ":")) for cell in cells)
        head = json.dumps(dict(provenance))
        return '{"provenance": ' + head + ',\n"cells": [\n' + ",\n".join(rows) + "\n]}\n"
