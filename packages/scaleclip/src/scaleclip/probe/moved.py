"""Find which group of parameters moved first before a spike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

TIMES = 3.0
"""From this multiple of its own median on, a group has moved."""


@dataclass(frozen=True)
class First:
    """The group that moved first before a spike: an order in time, which isn't yet a cause.

    Attributes:
      group: its name.
      step: the first step of those, up to the spike without a break, in which it was raised.
      times: its norm in the spike, divided by its median before.
      share: its part of the squared norm of the whole gradient in the spike, in [0, 1].
      ratio: the norm of its update, divided by that of its weights, in ``measured``: the last step of
        the window in which both were measured. NaN and None where they weren't.
    """

    group: str
    step: int
    times: float
    share: float
    ratio: float
    measured: int | None


def first(window: Any, times: float = TIMES) -> First | None:
    """Find the group that moved first; ``Spike.first`` says how.

    Args:
      window: a recording whose last step is the spike.
      times: as there.
    """
    half = len(window.steps) // 2
    found = []
    for group, norms in window.groups.items():
        early = norms[:half]
        usual = np.median(early[np.isfinite(early)]) if np.isfinite(early).any() else 0.0
        if not usual > 0:
            continue
        excess = np.nan_to_num(norms / usual, nan=np.inf, posinf=np.inf)
        calm = np.flatnonzero(excess[half:] <= times)
        start = half + (int(calm[-1]) + 1 if calm.size else 0)
        if start < len(norms):
            found.append((start, -float(excess[start]), group, float(excess[-1])))
    if not found:
        return None
    start, _, group, raised = min(found)
    with np.errstate(invalid="ignore"):
        share = float((window.groups[group][-1] / window.norms[-1]) ** 2)
    ratios = window.ratios.get(group, np.zeros(0))
    known = np.flatnonzero(~np.isnan(ratios))
    late = int(known[-1]) if known.size else None
    return First(
        group,
        int(window.steps[start]),
        raised,
        share,
        np.nan if late is None else float(ratios[late]),
        None if late is None else int(window.steps[late]),
    )
