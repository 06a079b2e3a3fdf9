"""Recorded runs of the policy gradient of ``policy``: ``experiments/policy_clips`` made them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

PATH = files(__package__) / "policy_clips.json"


class Cell(NamedTuple):
    """One surrogate, limit, optimizer, rate and number of steps; of the measures one number a seed.

    Attributes:
      surrogate, limit, optimizer, rate, epochs: as ``gradlab.unroll.policy.step`` takes them; a
        limit of 0 stands for none.
      reward: in per cent of the best, after the last batch.
      largest: the largest ratio of the run.
      falls, falls_far: batches in which the reward fell by more than 10 points, and those of them
        whose largest ratio was above 10.
      far: batches whose largest ratio was above 10.
      stopped: the mean share of samples past PPO's clip after a batch's last step.
      clipped: the share of batches with a gradient that is longer than 0.3.
    """

    surrogate: str
    limit: float
    optimizer: str
    rate: float
    epochs: int
    reward: tuple[float, ...]
    largest: tuple[float, ...]
    falls: tuple[int, ...]
    falls_far: tuple[int, ...]
    far: tuple[int, ...]
    stopped: tuple[float, ...]
    clipped: tuple[float, ...]


@functools.cache
def _read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def provenance() -> dict[str, Any]:
    """Return the versions, the seeds, the batches and the commit of the record."""
    return dict(_read()["provenance"])


def cells(**wanted: Any) -> list[Cell]:
    """Return the recorded cells, all or those of some: ``cells(surrogate="ppo", optimizer="sgd")``."""

    def read(row: Any) -> Cell:
        return Cell(*row[:5], *map(tuple, row[5:]))

    return [
        cell
        for cell in map(read, _read()["cells"])
        if all(getattr(cell, name) == value for name, value in wanted.items())
    ]


def written(provenance: Mapping[str, Any], cells: Iterable[Cell]) -> str:
    """Write cells as JSON, one a line."""
    rows = (json.dumps(list(cell), separators=(",", ":")) for cell in cells)
    head = json.dumps(dict(provenance))
    return '{"provenance": ' + head + ',\n"cells": [\n' + ",\n".join(rows) + "\n]}\n"
