"""Load norms from lists, CSV, JSON and JSON lines as loggers write them, and TensorBoard logs."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from scaleclip.probe.recording import Culprit, Recording, Spike

STEPS = ("global_step", "step", "iteration", "iter", "_step")
"""Names of a column of steps, the best first: W&B's own ``_step`` counts calls of its log."""
MISSING = {"", "none", "null", "n/a", "na"}
"""What a cell says where nothing was logged. NaN is a norm that isn't finite."""
SEPARATORS = ",;\t"
WRAPPED = re.compile(r"[\w.]+\(\[?([^\s,()\[\]]+)\]?(?:,[^()]*(?:\([^()]*\))?[^()]*)?\)")
"""A number as a program prints it: tensor(0.53, device='cuda:0'), Array(0.53, dtype=float32)."""

NUMERIC = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|nan|[-+]?inf", re.IGNORECASE)
"""A number as a CSV file has it, where a heading is expected."""


@dataclass(frozen=True)
class Cells:
    """A table as it was logged: by column its cells, and of each row where it is, in words."""

    name: str
    columns: Mapping[str, list[Any]]
    rows: list[str]


def load(source: Any, *, name: str = "", limit: float | None = None, step: str = "") -> Recording:
    """Make a recording of norms that were logged by other means.

    >>> from scaleclip import probe
    >>> print(probe.load([0.5, 1.0, 4.0], limit=2.0))
    3 steps, 1 clipped, 0 not finite
    norm: median 1, 90th percentile 3.4, largest 4 in step 3
    limit 2: clips 33.3 % of these steps, keeps 63.6 % of their total length

    Rows without a norm are left out. Where steps go back, as after a resume, the earlier rows from
    that step on are left out, with a warning; steps that fall throughout are turned round. Without
    steps the rows are numbered from 1.

    Args:
      source: a ``Recording``; a list or an array of norms; or the path of a log: a CSV file with a
        heading, its columns separated by commas, semicolons or tabs (as Weights & Biases and
        Lightning write them); JSON lines; a JSON file that has a list of norms or of rows, a dict of
        lists, Hugging Face's ``trainer_state.json``, or a recording by ``to_json``; a TensorBoard log, a
        file or its folder.
      name: of the column, or the tag, that has the norms. By default the one whose name has "norm"
        in it.
      limit: what the norms were clipped to, if it is known and not in the file.
      step: of the column that has the steps; by default ``global_step``, ``step``, ``iteration``,
        ``iter`` or ``_step``, after any slash, in this order.

    Raises:
      FileNotFoundError: if there is no such file.
      ImportError: for a TensorBoard log, where the package ``tensorboard`` is not installed.
      ValueError: if there are no norms in it, or several columns that may be meant; or if a cell can't
        be read: it names the file, the row and the column.
    """
    if isinstance(source, Recording):
        return source
    if not isinstance(source, (str, os.PathLike)):
        return _of_list(source, limit)
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"There is no {path}: expected a CSV, a JSON or a TensorBoard log.")
    if path.is_dir() or "tfevents" in path.name:
        return _from_tensorboard(path, name, limit)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not UTF-8 text: {error}. Save it as a CSV in UTF-8."
        ) from error
    if text.lstrip()[:1] in ("{", "["):
        cells = _from_json(path, text)
        if isinstance(cells, Recording):
            return cells
    else:
        cells = _from_csv(path, text)
    return _of_cells(cells, name, limit, step)


def _of_list(values: Any, limit: float | None) -> Recording:
    if isinstance(values, list | tuple):
        values = [float(v) if np.ndim(v) == 0 and hasattr(v, "__float__") else v for v in values]
    given = np.asarray(values)
    if given.ndim != 1 or not given.size:
        raise ValueError(
            f"Norms must be one list of numbers, 0 or more, but an array of shape {given.shape} was given."
        )
    cells = Cells("The list", {"norm": given.tolist()}, [f"entry {n}" for n in range(len(given))])
    return _of_cells(cells, "norm", limit, "")


def _of_cells(cells: Cells, name: str, limit: float | None, step: str) -> Recording:
    chosen = _chosen(cells.name, name, [*cells.columns], "columns")
    logged = [_number(cells, chosen, n) for n in range(len(cells.rows))]
    rows = [n for n, norm in enumerate(logged) if norm is not None]
    if not rows:
        raise ValueError(f"{cells.name} has no number in the column {chosen!r}.")
    for n in rows:
        if logged[n] < 0:  # type: ignore[operator]
            raise ValueError(f"{_place(cells, chosen, n)} is negative; expected a norm, 0 or more.")
    counted = _step_column(cells, step)
    steps = [n + 1 if counted is None else _whole(cells, counted, n) for n in rows]
    kept = _in_order(cells, steps, rows)
    norms = np.array([logged[rows[k]] for k in kept], np.float64)
    limits = np.full(len(norms), np.float64(math.inf if limit is None else limit))
    return Recording(
        steps=np.array([steps[k] for k in kept], np.int64),
        norms=norms,
        limits=limits,
        seen=len(norms),
        clipped=int(np.sum(norms > limits)),
        nonfinite=int(np.sum(~np.isfinite(norms))),
    )


def _number(cells: Cells, column: str, row: int) -> float | None:
    """Read a cell; None where nothing was logged.

    Raises:
      ValueError: if it isn't a number.
    """
    cell = cells.columns[column][row]
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING):
        return None
    if not isinstance(cell, bool) and isinstance(cell, int | float):
        return float(cell)
    if isinstance(cell, str):
        text = cell.strip()
        wrapped = WRAPPED.fullmatch(text)
        try:
            return float((wrapped[1] if wrapped else text).replace("_", "x"))
        except ValueError:
            pass
    hint = " Write decimals with a point." if isinstance(cell, str) and "," in cell else ""
    raise ValueError(f"{_place(cells, column, row)} isn't a number.{hint}")


def _whole(cells: Cells, column: str, row: int) -> int:
    value = _number(cells, column, row)
    if value is None or not value.is_integer():
        raise ValueError(
            f"{_place(cells, column, row)} isn't the number of a step, and has a norm."
        )
    return int(value)


def _place(cells: Cells, column: str, row: int) -> str:
    cell = cells.columns[column][row]
    return f"{cells.name}, {cells.rows[row]}, column {column!r}: {cell!r}"


def _step_column(cells: Cells, step: str) -> str | None:
    if step and step not in cells.columns:
        listed = ", ".join(map(repr, cells.columns))
        raise ValueError(f"{cells.name} has no {step!r}. Its columns are {listed}.")
    if step:
        return step
    last = {column: re.split(r"/| - ", column)[-1].lower() for column in cells.columns}
    for wanted in STEPS:
        found = [column for column, end in last.items() if end == wanted]
        if len(found) > 1:
            raise ValueError(
                f"{cells.name} has {len(found)} columns of steps: {', '.join(map(repr, found))}. Say which "
                "by step=..."
            )
        if found:
            return found[0]
    return None


def _in_order(cells: Cells, steps: list[int], rows: list[int]) -> list[int]:
    """Which rows to keep, in the order of their steps."""
    if len(steps) > 2 and all(a > b for a, b in pairwise(steps)):
        warnings.warn(
            f"{cells.name}: the steps fall from {steps[0]} to {steps[-1]}; they are turned round.",
            stacklevel=4,
        )
        return [*range(len(steps))][::-1]
    kept: list[int] = []
    back = []
    for n, step in enumerate(steps):
        if kept and step <= steps[kept[-1]]:
            back.append(n)
            while kept and steps[kept[-1]] >= step:
                kept.pop()
        kept.append(n)
    if back:
        first, left = back[0], len(steps) - len(kept)
        warnings.warn(
            f"{cells.name}, {cells.rows[rows[first]]}: the step goes from {steps[first - 1]} to "
            f"{steps[first]}, as where a run is resumed"
            + (f" ({len(back)} such places)" if len(back) > 1 else "")
            + f". Of each step the last row is kept, and {left} earlier ones are left out. If these are "
            "several runs, load each by itself.",
            stacklevel=4,
        )
    return kept


def _from_json(path: Path, text: str) -> Recording | Cells:
    try:
        stored = json.loads(text)
    except json.JSONDecodeError as error:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not text.lstrip().startswith("{") or _json(lines[0][1]) is None:
            raise ValueError(f"{path}, line {error.lineno}: isn't JSON: {error.msg}.") from error
        rows = {f"line {n}": _json(line) for n, line in lines}
        broken = [place for place, row in rows.items() if not isinstance(row, dict)]
        if broken:
            raise ValueError(f"{path}, {broken[0]}: isn't a JSON object.") from error
        return _of_rows(path, rows.items())
    if isinstance(stored, dict) and {"steps", "norms", "limits", "groups"} <= set(stored):
        return _own(stored)
    if isinstance(stored, dict) and isinstance(stored.get("log_history"), list):
        stored = stored["log_history"]  # Hugging Face's trainer_state.json
    if isinstance(stored, dict):
        lists = {key: value for key, value in stored.items() if isinstance(value, list)}
        stored = [stored]
        if lists and len({len(value) for value in lists.values()}) == 1:
            rows_of = zip(*lists.values(), strict=True)
            stored = [dict(zip(lists, row, strict=True)) for row in rows_of]
    named = [row if isinstance(row, dict) else {"norm": row} for row in stored]
    nested = any(isinstance(row, list) for row in stored)
    if not stored or nested or len({isinstance(row, dict) for row in stored}) > 1:
        raise ValueError(
            f"{path} has no norms: expected a file by Recording.to_json, a list of norms or of rows, "
            "JSON lines, or Hugging Face's trainer_state.json."
        )
    return _of_rows(path, ((f"entry {n}", row) for n, row in enumerate(named)))


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None


def _of_rows(path: Path, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> Cells:
    """Rows of named values, each maybe with others: nested names are joined by slashes."""
    flat = [(place, dict(_flat(row))) for place, row in rows]
    columns = dict.fromkeys(key for _, row in flat for key in row)
    by_column = {column: [row.get(column) for _, row in flat] for column in columns}
    return Cells(str(path), by_column, [place for place, _ in flat])


def _flat(row: Mapping[str, Any], above: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}/")
        else:
            yield above + key, value


def _own(stored: dict[str, Any]) -> Recording:
    steps = np.asarray(stored["steps"], np.int64)
    arrays: Any = {key: np.asarray(stored[key], np.float64) for key in ("norms", "limits")}
    by_group: Any = {
        key: {name: np.asarray(values, np.float64) for name, values in stored[key].items()}
        for key in ("groups", "updates", "weights", "beyond")
    }
    culprit, history = stored.get("culprit"), stored.get("history")
    nested: Any = {
        "culprit": culprit and Culprit(culprit["step"], tuple(culprit["groups"])),
        "spikes": tuple(
            Spike(**(spike | {"window": _own(spike["window"])}))
            for spike in stored.get("spikes", ())
        ),
        "history": history and _own(history),
    }
    return Recording(**(stored | {"steps": steps} | arrays | by_group | nested))


def _from_csv(path: Path, text: str) -> Cells:
    heading = text.partition("\n")[0]
    separator = max(
        SEPARATORS, key=lambda mark: len(next(csv.reader([heading], delimiter=mark), []))
    )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    single = heading.count(separator) == 0  # an empty line is then a cell without a norm
    lines = [
        (reader.line_num, [cell.strip() for cell in line or [""]])
        for line in reader
        if line or single
    ]
    if not lines:
        raise ValueError(f"{path} is empty: expected a heading, and a row for each step.")
    (_, names), *rows = lines
    if all(NUMERIC.fullmatch(cell) for cell in names):
        raise ValueError(
            f"{path} has no heading: its first row is {', '.join(names[:4])}. Give the columns names, or "
            "the numbers themselves: probe.load(numpy.loadtxt(path))."
        )
    if not rows:
        raise ValueError(f"{path} has a heading, {', '.join(names[:12])}, and no rows below it.")
    for number, row in rows:
        if len(row) != len(names):
            raise ValueError(
                f"{path}, line {number}: has {len(row)} cells, but the heading has {len(names)}."
            )
    twice = {name for name in names if name and names.count(name) > 1}
    if twice:
        raise ValueError(f"{path} has two columns {min(twice)!r}. Give them different names.")
    columns = {name: [row[n] for _, row in rows] for n, name in enumerate(names)}
    return Cells(str(path), columns, [f"line {number}" for number, _ in rows])


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
    columns: dict[str, list[Any]] = {"step": [s for s, _ in events], chosen: [v for _, v in events]}
    cells = Cells(str(path), columns, [f"event {n}" for n in range(len(events))])
    return _of_cells(cells, chosen, limit, "step")


def _chosen(path: Path | str, name: str, names: list[str], kind: str) -> str:
    """The name that is asked for, or the only one that may be meant."""
    if (name or "norm") in names:
        return name or "norm"
    # Weights & Biases exports the least and the largest of each point, too
    own = [n for n in names if "norm" in n.lower() and not n.endswith(("__MIN", "__MAX"))]
    if not name and len(own) == 1:
        return own[0]
    problem = f"has no {name!r}" if name else f"has {len(own)} {kind} with 'norm' in their names"
    listed = ", ".join(map(repr, names[:12])) or "none"
    raise ValueError(f"{path} {problem}. Its {kind} are {listed}. Say which by name=...")
