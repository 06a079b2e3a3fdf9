"""The frames of a figure that is dragged, read off a DevTools trace."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

EVENTS = ("pointermove", "input")
SCRIPT = ("EventDispatch", "FunctionCall", "FireAnimationFrame", "RunMicrotasks", "TimerFire")
RENDERING = ("UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
MARK = "gradlab-changed"
"""The user timing mark that says that a figure changed."""


@dataclass(frozen=True)
class Frame:
    """Milliseconds of the main thread, from an event to the end of the commit.

    ``processor`` is what of ``total`` the thread had a processor for: less, where other
    programs wanted it too.
    """

    total: float
    processor: float
    script: float
    rendering: float


Span = tuple[float, float]


def frames(trace: Sequence[dict[str, Any]]) -> list[Frame]:
    """Finds the frames in which a pointer or a slider changed a figure.

    Args:
      trace: events as ``Tracing.dataCollected`` gives them; ``MARK`` says when a figure changed.
    """
    thread = _main_thread(trace)
    events = sorted(
        (e for e in trace if (e["pid"], e["tid"]) == thread and e["ph"] in "XIR"),
        key=lambda event: float(event["ts"]),
    )

    def spans(*names: str) -> list[Span]:
        found = (e for e in events if e["ph"] == "X" and e["name"] in names)
        return [(e["ts"], e["ts"] + e["dur"]) for e in found]

    starts = [
        e["ts"] for e in events
        if e["name"] == "EventDispatch" and e["args"]["data"]["type"] in EVENTS
    ]  # fmt: skip
    changes = [e["ts"] for e in events if e["name"] == MARK]
    tasks, script, rendering = spans("RunTask"), spans(*SCRIPT), spans(*RENDERING)
    shares = [
        e.get("tdur", e["dur"]) / e["dur"]
        for e in events
        if e["ph"] == "X" and e["name"] == "RunTask"
    ]
    found, before = [], 0.0
    for _, end in spans("Commit"):
        start = min((ts for ts in starts if before <= ts < end), default=None)
        if start is not None and any(start <= ts <= end for ts in changes):
            total, *parts = (
                _length(within(part, start, end)) for part in (tasks, script, rendering)
            )
            processor = sum(
                share * _length(within([task], start, end))
                for task, share in zip(tasks, shares, strict=True)
            )
            found.append(Frame(total, processor, *parts))
        before = end
    return found


def _main_thread(trace: Iterable[dict[str, Any]]) -> tuple[int, int]:
    """The main thread of the page: of all with that name, the one where the figure changed."""
    events = list(trace)
    named = {
        (e["pid"], e["tid"]) for e in events
        if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }  # fmt: skip
    busy = Counter((e["pid"], e["tid"]) for e in events if e["name"] in (MARK, "EventDispatch"))
    if not named & busy.keys():
        raise ValueError("The trace has no event on the main thread of a page.")
    return max(named & busy.keys(), key=lambda thread: busy[thread])


def within(spans: Iterable[Span], start: float, end: float) -> list[Span]:
    """The parts of spans that lie between two times."""
    cut = ((max(a, start), min(b, end)) for a, b in spans)
    return [(a, b) for a, b in cut if a < b]


def _length(spans: Iterable[Span]) -> float:
    """Milliseconds that spans in microseconds cover together; what they share counts once."""
    covered, reached = 0.0, -math.inf
    for a, b in sorted(spans):
        covered += max(0.0, b - max(a, reached))
        reached = max(reached, b)
    return covered / 1000


def summary(rounds: Sequence[Sequence[Frame]]) -> dict[str, float]:
    """The medians over rounds, each of which has frames."""

    def p95s(times: Callable[[Frame], float]) -> list[float]:
        return [float(np.quantile([times(frame) for frame in found], 0.95)) for found in rounds]

    totals = p95s(lambda frame: frame.total)
    everything = [frame for found in rounds for frame in found]
    return {
        "frames": len(everything),
        "median": statistics.median(frame.total for frame in everything),
        "p95": statistics.median(totals),
        "worst": max(totals),
        "processor": statistics.median(p95s(lambda frame: frame.processor)),
        "script": statistics.median(frame.script for frame in everything),
        "rendering": statistics.median(frame.rendering for frame in everything),
    }
