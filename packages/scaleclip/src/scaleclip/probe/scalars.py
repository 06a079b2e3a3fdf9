"""The numbers of a recording by name, as loggers take them: a dict for each step."""

from __future__ import annotations

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
    rows: dict[int, dict[str, float]] = {n: {} for n in recording.steps.tolist() if n > after}
    for name, (values, known) in _measured(recording).items():
        chosen = known & (recording.steps > after)
        steps = recording.steps[chosen].tolist()
        for step, value in zip(steps, values[chosen].tolist(), strict=True):
            rows[step][f"{prefix}/{name}"] = value
    return rows


def counts(recording: Recording, prefix: str) -> dict[str, float]:
    """Name what is counted over many steps."""
    return {
        f"{prefix}/share_clipped": recording.share_clipped(),
        f"{prefix}/steps_not_finite": float(recording.nonfinite + (recording.unseen or 0)),
        f"{prefix}/steps_skipped": float(recording.skipped),
        f"{prefix}/spikes": float(recording.spiked),
    }


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
