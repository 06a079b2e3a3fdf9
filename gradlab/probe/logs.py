"""Norms from elsewhere: any list of them, a CSV file, a JSON file of ours, or a TensorBoard log."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gradlab.probe.recording import Recording

GROUP = "norm/"
"""What names the column of a group in the CSV files that ``Recording.to_csv`` writes."""


def load(source: Any, *, name: str = "", limit: float | None = None) -> Recording:
    """Return a recording of norms that were logged by other means.

    Args:
      source: a ``Recording``; a list or an array of norms; or the path of a CSV file with a heading
        (as Weights & Biases exports it), of a JSON file by ``Recording.to_json``, or of a TensorBoard
        log, a file or its folder.
      name: of the column, or the tag, that has the norms. By default the one whose name has "norm"
        in it.
      limit: what the norms were clipped to, if it is known and not in the file.

    Raises:
      FileNotFoundError: if there is no such file.
      ImportError: for a TensorBoard log, where the package ``tensorboard`` is not installed.
      ValueError: if there are no norms in it, or several columns that may be meant; it names them.
    """
    if isinstance(source, Recording):
        return source
    if not isinstance(source, (str, os.PathLike)):
        return _of(_numbers(source), None, limit)
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"There is no {path}: expected a CSV, a JSON or a TensorBoard log.")
    if path.suffix == ".json":
        return _from_json(path)
    if path.is_dir() or "tfevents" in path.name:
        return _from_tensorboard(path, name, limit)
    return _from_csv(path, name, limit)


def _of(
    norms: np.ndarray,
    steps: np.ndarray | None,
    limits: np.ndarray | float | None,
    groups: Mapping[str, np.ndarray] | None = None,
) -> Recording:
    in_force = np.broadcast_to(np.float64(np.inf if limits is None else limits), norms.shape).copy()
    return Recording(
        steps=np.arange(1, len(norms) + 1) if steps is None else steps.astype(np.int64),
        norms=norms,
        limits=in_force,
        groups=groups or {},
        seen=len(norms),
        clipped=int(np.sum(norms > in_force)),
        nonfinite=int(np.sum(~np.isfinite(norms))),
    )


def _numbers(values: Any) -> np.ndarray:
    norms = np.asarray(values, np.float64)
    if norms.ndim != 1 or not norms.size or np.any(norms < 0):
        raise ValueError(
            f"Norms must be one list of numbers, 0 or more, but an array of shape {norms.shape} was "
            "given" + (" with negative ones." if np.any(norms < 0) else ".")
        )
    return norms


def _from_json(path: Path) -> Recording:
    stored = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(stored, dict) or "norms" not in stored:
        raise ValueError(f"{path} is no recording: expected a file by Recording.to_json.")
    steps = np.asarray(stored["steps"], np.int64)
    arrays: Any = {key: np.asarray(stored[key], np.float64) for key in ("norms", "limits")}
    by_group: Any = {
        key: {name: np.asarray(values, np.float64) for name, values in stored[key].items()}
        for key in ("groups", "updates", "weights", "beyond")
    }
    return Recording(**(stored | {"steps": steps} | arrays | by_group))


def _from_csv(path: Path, name: str, limit: float | None) -> Recording:
    with path.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    columns = list(rows[0]) if rows else []
    own = "norm" in columns and not name  # ours, whose groups are norms too
    chosen = "norm" if own else _chosen(path, name, columns, "columns")
    rows = [row for row in rows if row[chosen]]
    read = {column: [row[column] for row in rows] for column in columns}
    steps = next((read[column] for column in columns if column.lower() == "step"), None)
    limits = _floats(read["limit"]) if own and "limit" in columns and limit is None else limit
    groups = {
        column.removeprefix(GROUP): _floats(read[column])
        for column in columns
        if own and column.startswith(GROUP)
    }
    numbered = None if steps is None else _floats(steps)
    return _of(_numbers(_floats(read[chosen])), numbered, limits, groups)


def _floats(texts: list[str]) -> np.ndarray:
    return np.array([float(text) if text else math.nan for text in texts])


def _from_tensorboard(path: Path, name: str, limit: float | None) -> Recording:
    try:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
        from tensorboard.util.tensor_util import make_ndarray
    except ImportError as missing:
        raise ImportError(
            f"{path} is a TensorBoard log, which the package tensorboard reads: pip install tensorboard"
        ) from missing
    log = EventAccumulator(str(path), size_guidance={"scalars": 0, "tensors": 0}).Reload()
    tags = log.Tags()
    chosen = _chosen(path, name, [*tags["scalars"], *tags["tensors"]], "tags")
    if chosen in tags["scalars"]:
        events = [(event.step, event.value) for event in log.Scalars(chosen)]
    else:  # as TensorFlow 2 writes them
        events = [(e.step, float(make_ndarray(e.tensor_proto))) for e in log.Tensors(chosen)]
    steps, norms = zip(*events, strict=True)
    return _of(_numbers(norms), np.asarray(steps), limit)


def _chosen(path: Path, name: str, names: list[str], kind: str) -> str:
    """The name that is asked for, or the only one that may be meant."""
    if name in names:
        return name
    # Weights & Biases exports the least and the largest of each point, too
    own = [n for n in names if "norm" in n.lower() and not n.endswith(("__MIN", "__MAX"))]
    if not name and len(own) == 1:
        return own[0]
    problem = f"has no {name!r}" if name else f"has {len(own)} {kind} with 'norm' in their names"
    listed = ", ".join(map(repr, names[:12])) or "none"
    raise ValueError(f"{path} {problem}. Its {kind} are {listed}. Say which by name=...")
