"""Recorded runs of the network of ``recall`` with steps of matched length: ``experiments/matched_clips``."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

PATH = files(__package__) / "matched_clips.json"

DIRECTIONS = ("plain", "global", "array", "agc", "muon")
"""The gradient; clipped at one norm, or one an array, or one a unit; the polar factor of each matrix."""


class Cell(NamedTuple):
    """One direction at one mean step length; of the measures one number a seed.

    Attributes:
      direction: one of ``DIRECTIONS``.
      lengths: ``"own"``, or ``"equal"`` where every step is brought to the target's length.
      target: the mean length of a step.
      rate: what the direction is multiplied by; 0 where lengths are equal.
      right, loss: over the last minibatches.
      mean_step, longest_step: how far the parameters went in a step.
      turn: the mean angle between the step and the gradient, in degrees.
      changed: the share of steps that the clip changes.
    """

    direction: str
    lengths: str
    target: float
    rate: float
    right: tuple[float, ...]
    loss: tuple[float, ...]
    mean_step: tuple[float, ...]
    longest_step: tuple[float, ...]
    turn: tuple[float, ...]
    changed: tuple[float, ...]


@functools.cache
def _read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def provenance() -> dict[str, Any]:
    """Return the versions, the seeds, the steps and the commit of the record."""
    return dict(_read()["provenance"])


def cells(**wanted: Any) -> list[Cell]:
    """Return the recorded cells, all or those of some: ``cells(direction="agc", target=0.06)``."""

    def read(row: Any) -> Cell:
        return Cell(*row[:4], *map(tuple, row[4:]))

    found = map(read, _read()["cells"])
    return [
        cell
        for cell in found
        if all(getattr(cell, name) == value for name, value in wanted.items())
    ]


def written(provenance: Mapping[str, Any], cells: Iterable[Cell]) -> str:
    """Write cells as JSON, one a line."""
    rows = (json.dumps(list(cell), separators=(",", ":")) for cell in cells)
    head = json.dumps(dict(provenance))
    return '{"provenance": ' + head + ',\n"cells": [\n' + ",\n".join(rows) + "\n]}\n"
