"""The numbers of a recording by name, as loggers take them: a dict for each step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

Recording = Any
"""A ``scaleclip.probe.Recording``, whose module imports this one."""


def columns(recording: Recording) -> dict[str, np.ndarray]:
    """Name the values of every kept step: float64 ``[n]``, NaN where a value wasn't measured."""
    return {name: values for name, (values, _) in _measured(recording).items()}


def by_step(recording: Recording, prefix: str, after: int = 0) -> dict[int, dict[str, float]]:
    """Gather by step what was measured in it; a limit that is inf is none, and is left out.

    Args:
      recording: of ``n`` steps.
      prefix: what every name begins with, before a slash.
      after: steps up to this one are left out.
    """
    recording = rows_after(recording, after)
    rows: dict[int, dict[str, float]] = {n: {} for n in recording.steps.tolist()}
    for name, (values, known) in _measured(recording).items():
        steps = recording.steps[known].tolist()
        for step, value in zip(steps, values[known].tolist(), strict=True):
            rows[step][f"{prefix}/{name}"] = value
    return rows


def rows_after(recording: Recording, after: int, more: int = 0) -> Recording:
    """Leave out the rows up to a step, but for so many before it."""
    first = max(0, int(np.searchsorted(recording.steps, after, "right")) - more)
    whole = {name: getattr(recording, name)[first:] for name in ("steps", "norms", "limits")}
    for name in ("groups", "updates", "weights", "beyond"):
        whole[name] = {group: norms[first:] for group, norms in getattr(recording, name).items()}
    return replace(recording, **whole)


def counts(recording: Recording, prefix: str) -> dict[str, float]:
    """Name what is counted over many steps."""
    found = {
        "share_clipped": recording.share_clipped(),
        "steps_not_finite": recording.nonfinite + (recording.unseen or 0),
        "steps_skipped": recording.skipped,
        "spikes": recording.spiked,
    }
    return {f"{prefix}/{name}": float(n) for name, n in found.items() if n is not None}


def _measured(recording: Recording) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By name the values of a scalar and, as bool ``[n]``, the steps in which it was measured."""
    always = np.ones(len(recording.steps), bool)
    found = {
        "norm": (recording.norms, always),
        "limit": (recording.limits, np.isfinite(recording.limits)),
        "factor": (recording.factors, always),
    }
    found |= {f"norm/{group}": (norms, always) for group, norms in recording.groups.items()}
    late = {"update_to_weight": recording.ratios, "beyond_constraint": recording.beyond}
    return found | {
        f"{kind}/{group}": (values, ~np.isnan(recording.weights[group]))
        for kind, by in late.items()
        for group, values in by.items()  # a ratio may be NaN where it was measured: 0 / 0
    }
