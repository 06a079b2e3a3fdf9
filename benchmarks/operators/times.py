"""Times programs by turns, so that what else the machine does falls on all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.report import spread

Calls = Mapping[str, Callable[[], Any]]
Rounds = dict[str, list[float]]
"""Of each program the median time of a call, in microseconds, in each round."""


def by_turns(calls: Calls, rounds: int, seconds: float, share: int = 1) -> Rounds:
    """Times all programs in each round, one call of each after another, there and back.

    Args:
      calls: the programs; each is called twice before it is timed.
      rounds: how many.
      seconds: how long a round lasts for each program; it is called twice at least.
      share: how many steps a call does: a time is divided by it.

    Returns:
      The medians of the rounds.
    """
    for call in calls.values():
        call()
        call()
    found: Rounds = {name: [] for name in calls}
    there_and_back = [*calls, *reversed(list(calls))]
    for _ in range(rounds):
        samples: Rounds = {name: [] for name in calls}
        end = time.perf_counter() + seconds * len(calls)
        while not samples[there_and_back[0]] or time.perf_counter() < end:
            for name in there_and_back:
                start = time.perf_counter()
                calls[name]()
                samples[name].append(1e6 * (time.perf_counter() - start) / share)
        for name, times in samples.items():
            found[name].append(statistics.median(times))
    return found


def compared(rounds: Rounds, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The medians over rounds, and ratios of two programs' times in the same round.

    Args:
      rounds: as ``by_turns`` returns them.
      pairs: of each ratio the program above and the one below the line.
    """
    return {
        "times": {name: statistics.median(times) for name, times in rounds.items()},
        "best": {name: min(times) for name, times in rounds.items()},
        "ratios": {
            f"{above} / {below}": spread(
                [a / b for a, b in zip(rounds[above], rounds[below], strict=True)]
            )
            for above, below in pairs
        },
    }
