"""Read what a recorder kept, from the recorder or from a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from scaleclip.probe._sizes import SPIKES
from scaleclip.probe.recording import Culprit, Recording, Spike
from scaleclip.torch._arguments import describe
from scaleclip.torch._tally import BROKEN, CLIPPED, CULPRIT, HOT, LONGEST, SPIKED
from scaleclip.torch._track import LOST
from scaleclip.torch.groups import unwrapped_groups

KEYS = ("rows", "counts", "seen", "groups")
"""What every record in a checkpoint has; the first version had no more."""


class Recorded(Protocol):
    """A ``Recorder``."""

    def state_dict(self) -> dict[str, Any]: ...


def read(state: Recorded | Mapping[str, Any]) -> Recording:
    """Read what was recorded, from a recorder or from its ``state_dict`` in a checkpoint.

    >>> import torch
    >>> from scaleclip.torch import Recorder, read
    >>> model = torch.nn.Linear(2, 1, bias=False)
    >>> recorder = Recorder(model)
    >>> model(torch.tensor([3.0, 4.0])).backward()
    >>> norm = recorder.clip_by_global_norm_(1.0)
    >>> print(read(recorder.state_dict()))
    1 step, 1 clipped, 0 not finite
    norm: median 5, 90th percentile 5, largest 5 in step 1
    limit 1: clips 100 % of these steps, keeps 20 % of their total length
    <BLANKLINE>
    group  median  largest  of norm²
    all         5        5     100 %

    A checkpoint needs neither the model nor its recorder::

        checkpoint = torch.load("run.pt")
        print(read(checkpoint["recorder"]))  # saved as {"recorder": recorder.state_dict(), ...}

    Args:
      state: a ``Recorder``, or what its ``state_dict`` returned.

    Returns:
      A ``scaleclip.probe.Recording`` of the steps that were kept, numbered from 1, in NumPy.

    Raises:
      TypeError: if it is neither.
      ValueError: if it lacks a part of a record, or has several.
    """
    records = checked(state)
    if [*records] != [""]:
        raise ValueError(
            f"The recorder keeps a record of each part of the model, of {', '.join(records)}; expected "
            "one. Read them all: recorder.read_all(), or read_all(state) of a checkpoint."
        )
    return _recording(records[""])


def read_all(state: Recorded | Mapping[str, Any]) -> dict[str, Recording]:
    """Read the record of each part of a model, by its name.

    >>> import torch
    >>> from scaleclip.torch import Recorder, read_all
    >>> model = torch.nn.Linear(2, 1)
    >>> recorder = Recorder(model, parts=lambda path, p: "kernel" if p.dim() == 2 else "bias")
    >>> model(torch.tensor([3.0, 4.0])).backward()
    >>> norm = recorder.clip_by_global_norm_({"kernel": 2.0, "bias": torch.inf})
    >>> {name: float(r.norms[0]) for name, r in read_all(recorder).items()}
    {'kernel': 5.0, 'bias': 1.0}

    Args:
      state: as in ``read``.

    Returns:
      Recordings; of a recorder without parts one, by the name ``""``.

    Raises:
      TypeError, ValueError: as ``read``.
    """
    return {name: _recording(record) for name, record in checked(state).items()}


def checked(state: Any) -> Mapping[str, Mapping[str, Any]]:
    """Return the records that there are, by part; by ``""`` if there are no parts."""
    state = state.state_dict() if hasattr(state, "clip_by_global_norm_") else state
    if not isinstance(state, Mapping):
        raise TypeError(
            f"state must be the state_dict() of a Recorder, but {describe(state)} was given."
        )
    records: Mapping[str, Mapping[str, Any]] = state.get("parts", {"": state})
    for record in records.values():
        missing = [key for key in KEYS if key not in record]
        if missing:
            raise ValueError(
                f"state must be the state_dict() of a Recorder, with {', '.join(KEYS)}, but it lacks "
                f"{', '.join(missing)}; it has {few([*map(str, record)])}. Give the part of the "
                "checkpoint that the record was saved under."
            )
    return records


def few(texts: list[str]) -> str:
    """Write the first six of several names."""
    return ", ".join(texts[:6]) + (f" and {len(texts) - 6} more" if len(texts) > 6 else "")


def _recording(record: Mapping[str, Any]) -> Recording:
    names, seen = unwrapped_groups(record["groups"]), int(record["seen"])
    rows, counts = _array(record["rows"]), _array(record["counts"])
    counts = np.pad(counts, (0, HOT + 1 + len(names) - len(counts)))  # the first version had two
    found: dict[str, Any] = {
        "seen": seen,
        "clipped": int(counts[CLIPPED]),
        "nonfinite": int(counts[BROKEN]),
    }
    broken = tuple(name for name, n in zip(names, counts[HOT + 1 :], strict=True) if n)
    whole, stride = _array(record.get("history", record["rows"][:0])), int(record.get("stride", 1))
    return Recording(
        **_columns(rows, np.arange(seen - len(rows), seen), names),
        **found,
        skipped=int(record.get("skipped", 0)),
        streak=int(counts[LONGEST]),
        culprit=Culprit(int(counts[CULPRIT]), broken) if counts[CULPRIT] else None,
        spiked=int(counts[SPIKED]) if "spikes" in record else None,
        spikes=tuple(_spikes(record, int(counts[SPIKED]), names)),
        history=Recording(
            **_columns(*_known(whole, np.arange(len(whole)) * stride), names), **found
        )
        if len(whole)
        else None,
    )


def _spikes(record: Mapping[str, Any], count: int, names: list[str]) -> Iterator[Spike]:
    """The last spikes, the oldest first."""
    if not count:
        return
    windows, marks, medians = map(_array, record["spikes"])
    for row in (n % SPIKES for n in range(max(0, count - SPIKES), count)):
        step, tag = map(int, marks[row])
        rows, steps = _known(windows[row], np.arange(step - len(windows[row]), step))
        window = Recording(
            **_columns(rows, steps, names),
            seen=len(rows),
            clipped=int(np.sum(rows[:, 0] > rows[:, 1])),
            nonfinite=int(np.sum(~np.isfinite(rows[:, 0]))),
        )
        yield Spike(float(medians[row]), None if tag < 0 else tag, window)


def _columns(rows: np.ndarray, steps: np.ndarray, names: list[str]) -> dict[str, Any]:
    """What a recording has of rows of norm, limit and groups, and maybe updates and weights."""
    kinds = ("groups", "updates", "weights")[: (rows.shape[1] - 2) // len(names)]
    found: dict[str, Any] = {kind: {} for kind in kinds}
    for n, column in enumerate(rows[:, 2:].T):
        found[kinds[n // len(names)]][names[n % len(names)]] = column.copy()
    return {"steps": steps + 1, "norms": rows[:, 0].copy(), "limits": rows[:, 1].copy(), **found}


def _known(rows: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = rows[:, 1] != LOST
    return rows[found], steps[found]


def _array(values: Tensor) -> np.ndarray:
    """Fetch numbers, and wait for them; counts stay whole numbers."""
    numbers: np.ndarray = values.detach().cpu().numpy()
    return numbers.astype(np.float64) if numbers.dtype.kind == "f" else numbers
