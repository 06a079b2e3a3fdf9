"""Records of the book's experiments: ``load("remedies").cells(remedy="clip")``.

A record is a JSON file beside this module. Its cells are named tuples; ``schemas`` says what each
of their fields means, and ``load("remedies").fields()`` shows it.
"""

from __future__ import annotations

import functools
import json
from collections import namedtuple
from collections.abc import Callable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from sccbook.records.schemas import SCHEMAS

Cell: TypeAlias = Any
"""A named tuple with the fields of its record."""


class Record(dict[str, Any]):
    """A record as its file has it.

    ``record["provenance"]`` holds the versions, the settings and the commit that it was made with.
    Most records have cells, in one part of the file or in several.
    """

    def __init__(self, name: str) -> None:
        super().__init__(json.loads(path(name).read_text(encoding="utf-8")))
        self.name = name

    def fields(self, part: str = "cells") -> dict[str, str]:
        """Return the names of a cell's fields, and what each of them means."""
        return _schema(self.name, part)

    def cells(self, part: str = "cells", /, **wanted: Any) -> list[Cell]:
        """Return the cells of a part, all or those whose fields have the values wanted."""
        new = cell_of(self.name, part)
        cells = (new(*(tuple(x) if isinstance(x, list) else x for x in row)) for row in self[part])
        return [
            cell
            for cell in cells
            if all(getattr(cell, field) == value for field, value in wanted.items())
        ]

    def cell(self, part: str = "cells", /, **wanted: Any) -> Cell:
        """Return the only cell whose fields have the values wanted.

        Raises:
          ValueError: if there is none, or more than one.
        """
        found = self.cells(part, **wanted)
        if len(found) != 1:
            raise ValueError(f"{len(found)} cells of {self.name!r} have {wanted}; expected one.")
        return found[0]


@functools.cache
def load(name: str) -> Record:
    """Load a record by its name, such as ``"remedies"``.

    Raises:
      ValueError: if there is no such record; the message lists those there are.

    Examples:
      >>> remedies = load("remedies")
      >>> remedies.fields()["rate"]
      'the learning rate'
      >>> cell = remedies.cell(arm="grid", remedy="nothing", optimizer="sgd", rate=0.01)
      >>> cell.longest_gradient
      (12.4,)
    """
    every = sorted(file.name for file in files(__package__).iterdir())
    names = [name.removesuffix(".json") for name in every if name.endswith(".json")]
    if name not in names:
        raise ValueError(f"There is no record {name!r}; expected one of {', '.join(names)}.")
    return Record(name)


def cell_of(name: str, part: str = "cells") -> Callable[..., Cell]:
    """Return the type of a record's cells, to make new ones with."""
    return namedtuple("Cell", _schema(name, part))


def path(name: str) -> Traversable:
    """Return the file of a record."""
    return files(__package__) / f"{name}.json"


def written(record: Mapping[str, Any]) -> str:
    """Write a record as JSON: its provenance on one line, then a line for each entry of its parts."""

    def lines(part: Any) -> str:
        if isinstance(part, dict):
            rows = [f"{json.dumps(name)}: {_short(entry)}" for name, entry in part.items()]
            return "{\n" + ",\n".join(rows) + "\n}"
        return "[\n" + ",\n".join(map(_short, part)) + "\n]"

    parts = [f'"provenance": {json.dumps(record["provenance"])}']
    parts += [f"{json.dumps(k)}: {lines(part)}" for k, part in record.items() if k != "provenance"]
    return "{" + ",\n".join(parts) + "}\n"


def _short(entry: Any) -> str:
    return json.dumps(entry, separators=(",", ":"))


def _schema(name: str, part: str) -> dict[str, str]:
    return SCHEMAS[name if part == "cells" else f"{name}.{part}"]
