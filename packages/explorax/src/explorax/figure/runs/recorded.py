"""The records of a run: as a figure's results, and as the few numbers that a picture needs.

``frontend/src/runtime/run/records.js`` is the other half.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

WHOLE = 2000
"""Steps of a recorded run that the page is given one by one; of more, the extremes on the way."""
READY, UNDER_WAY, COMPLETE, STOPPED = range(4)
"""The cases of a run, and so of the sentences that state it."""


def listed(steps: int) -> list[int]:
    """Return the steps that a table lists: 1, 2, 5, 10 and so on, and the last."""
    decades = (m * 10**e for e in itertools.count() for m in (1, 2, 5))
    return [*itertools.takewhile(lambda step: step < steps, decades), steps]


class Records(NamedTuple):
    """What a run has recorded, a number a step, by name.

    Attributes:
      values: the arrays, all of the same length; what follows a number that is not finite is
        not looked at.
      steps: how many the run takes.
    """

    values: Mapping[str, np.ndarray]
    steps: int

    @property
    def finite(self) -> int:
        """Count the steps before a record that isn't finite."""
        lost = ~np.all([np.isfinite(array) for array in self.values.values()], axis=0)
        return int(np.argmax(lost)) if np.any(lost) else self.steps

    def results(self, until: int | None = None) -> dict[str, np.ndarray]:
        """Return the figure's results, as ``Run`` names them, after so many steps."""
        until = self.steps if until is None else min(until, self.steps)
        taken = min(self.finite, until)
        lost = self.finite < until
        at = np.array(listed(self.steps))
        cut = {
            name: np.where(np.arange(self.steps) < taken, array, np.nan)
            for name, array in self.values.items()
        }
        case = STOPPED if lost else COMPLETE if taken == self.steps else UNDER_WAY
        return {
            **cut,
            **{f"last_{name}": array[max(taken, 1) - 1] for name, array in cut.items()},
            **{f"{name}_at": array[at - 1] for name, array in cut.items()},
            "step_at": at.astype(np.float64),
            "steps": np.array(taken),
            "reached": np.array(np.sum(at <= taken)),
            "case": np.array(case),
        }

    def describe(self, drawn: Collection[str], tabled: Collection[str]) -> dict[str, Any]:
        """Describe the records as plain data, with the digits that a picture and a sentence need.

        Args:
          drawn: names of those of which a picture needs more than what a table lists.
          tabled: names of those that a table lists; of the others only the last number is kept.
        """
        taken = self.finite
        stated = {*listed(self.steps), taken}

        def points(name: str, array: np.ndarray) -> dict[str, list[Any]]:
            kept = (
                _places(array[:taken], stated)
                if name in drawn
                else sorted((stated if name in tabled else {taken}) & {*range(1, taken + 1)})
            )
            digits = (6 if step in stated else 3 for step in kept)
            values = [float(f"{array[n - 1]:.{d}g}") for n, d in zip(kept, digits, strict=True)]
            return {"values": values} if len(kept) == taken else {"at": kept, "values": values}

        points_ = {name: points(name, array) for name, array in self.values.items()}
        return {"taken": taken, "points": points_}


def _places(array: np.ndarray, wanted: set[int]) -> list[int]:
    """Return the steps, from 1, at which a run is kept."""
    if array.size <= WHOLE:
        return list(range(1, array.size + 1))
    parts = np.array_split(np.arange(array.size), WHOLE // 4)
    extremes = (part[find(array[part])] + 1 for part in parts for find in (np.argmin, np.argmax))
    return sorted({1, *map(int, extremes), *(step for step in wanted if 1 <= step <= array.size)})
