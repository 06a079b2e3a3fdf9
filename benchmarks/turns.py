"""Time ways to the same end by turns, so that what else the machine does falls on all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.report import Row

Rounds = dict[str, list[float]]
"""Of each way the median of its times, in seconds, in each round."""
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}


def clocked(call: Callable[[], Any], steps: int = 1) -> Callable[[], float]:
    """Return what calls, and tells the seconds that one of ``steps`` steps took."""

    def timed() -> float:
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) / steps

    return timed


def by_turns(ways: Mapping[str, Callable[[], float]], rounds: int, seconds: float = 0.0) -> Rounds:
    """Time all ways in each round: one after another, the next time in the other order.

    Args:
      ways: each does its work once, and returns the seconds that it took.
      rounds: how many.
      seconds: how long a round lasts, for each way; each has its turn once at least.
    """
    order = list(ways)
    found: Rounds = {name: [] for name in order}
    for _ in range(rounds):
        times: Rounds = {name: [] for name in order}
        end = time.perf_counter() + seconds * len(order)
        while not times[order[0]] or time.perf_counter() < end:
            for name in order:
                times[name].append(ways[name]())
            order.reverse()
        for name, taken in times.items():
            found[name].append(statistics.median(taken))
    return found


def summary(rounds: Rounds, unit: str, *ratios: str) -> Row:
    """The median of each way's times, and ratios of two ways' times in the same round.

    Args:
      rounds: as ``by_turns`` returns them.
      unit: of the times.
      ratios: such as ``a / b``; the median over rounds, the lowest and the highest. A ratio of
        what was not timed is left out.
    """
    row: Row = {f"{name}, {unit}": UNITS[unit] * statistics.median(rounds[name]) for name in rounds}
    for ratio in ratios:
        above, _, below = ratio.partition(" / ")
        if above in rounds and below in rounds:
            each = [a / b for a, b in zip(rounds[above], rounds[below], strict=True)]
            row[ratio] = [statistics.median(each), min(each), max(each)]
    return row
