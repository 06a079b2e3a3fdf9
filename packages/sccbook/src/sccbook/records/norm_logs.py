"""Gradient norms of small trainings, as they were recorded: ``experiments/norm_logs`` made them."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np

PATH = files(__package__) / "norm_logs.json"
NAMES = ("language", "recurrent", "policy")
"""A small transformer with AdamW, the network of ``recall`` with SGD, REINFORCE with Adam."""


@functools.cache
def _read() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def provenance() -> dict[str, Any]:
    """Return the versions, the steps and the commit of the record."""
    return dict(_read()["provenance"])


def norms(name: str) -> np.ndarray:
    """Return the gradient's norm at each step, before any clip: float64 ``[n]``.

    Args:
      name: one of ``NAMES``, whose runs were not clipped, or ``"language, clipped"``.

    Raises:
      ValueError: for another name.
    """
    return np.array(_log(name)["norms"])


def logged(name: str) -> np.ndarray:
    """Return the loss of each step, or for ``"policy"`` the mean return: float64 ``[n]``."""
    return np.array(_log(name)["logged"])


def limit(name: str) -> float:
    """Return what a run was clipped at, inf for none."""
    return float((*_log(name)["limit"], np.inf)[0])


def _log(name: str) -> dict[str, list[float]]:
    logs: dict[str, dict[str, list[float]]] = _read()["logs"]
    if name not in logs:
        raise ValueError(f"There is no log {name!r}; expected one of {', '.join(map(repr, logs))}.")
    return logs[name]


def spikes() -> dict[str, dict[str, np.ndarray]]:
    """Return what one long gradient cost the network of ``recall``: by optimizer and what was done.

    Float64 ``[16, 2]``: by seed the share named right 10 to 59 and 200 to 249 steps after a
    gradient that was 1,000 times too long.
    """
    found = _read()["spikes"]
    return {
        optimizer: {answer: np.array(right) for answer, right in by.items()}
        for optimizer, by in found.items()
    }


def written(
    provenance: Mapping[str, Any],
    logs: Mapping[str, Mapping[str, list[float]]],
    spikes: Mapping[str, Any],
) -> str:
    """Write logs as JSON, one a line."""

    def short(thing: Any) -> str:
        return json.dumps(thing, separators=(",", ":"))

    rows = (f"{json.dumps(name)}: {short(log)}" for name, log in logs.items())
    cells = (f"{json.dumps(name)}: {short(by)}" for name, by in spikes.items())
    return (
        '{"provenance": '
        + json.dumps(dict(provenance))
        + ',\n"logs": {\n'
        + ",\n".join(rows)
        + '\n},\n"spikes": {\n'
        + ",\n".join(cells)
        + "\n}}\n"
    )
