"""Find which group of parameters moved first before a spike."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scaleclip.probe.report import median


class First(NamedTuple):
    """The group that moved first before a spike: an order in time, which isn't yet a cause.

    Attributes:
      group: its name.
      step: the first step of those, up to the spike without a break, in which it was raised.
      times: its norm in the spike, divided by its median before, or by that of the whole norm if its
        own is 0.
      share: its part of the squared norm of the whole gradient in the spike, in [0, 1].
      ratio: the norm of its update in the spike, divided by that of its weights; NaN where updates
        weren't measured in that step.
    """

    group: str
    step: int
    times: float
    share: float
    ratio: float


def first(window: Any, times: float) -> First | None:
    """Find the group that moved first; ``Spike.first`` says how.

    Args:
      window: a recording whose last step is the spike.
      times: as there.
    """
    half, found = len(window.steps) // 2, []
    for group, norms in window.groups.items():
        usual = median(norms[:half]) or median(window.norms[:half])
        calm = np.flatnonzero(norms[half:] <= times * usual)
        start = half + (int(calm[-1]) + 1 if calm.size else 0)
        if usual >= 0 and start < len(norms):  # NaN where none is known
            then = float(np.nan_to_num(norms[start], nan=np.inf))
            risen, times_now = ((n / usual if usual else np.inf) for n in (then, float(norms[-1])))
            found.append((start, -risen, group, times_now))
    if not found:
        return None
    start, _, group, excess = min(found)
    return First(
        group,
        int(window.steps[start]),
        excess,
        float(window.groups[group][-1] / window.norms[-1]) ** 2,
        float(window.ratios.get(group, [np.nan])[-1]),
    )
