"""The frames of a figure that is dragged, read off a DevTools trace."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

EVENTS = ("pointermove", "input")
SCRIPT = ("EventDispatch", "FunctionCall", "FireAnimationFrame", "RunMicrotasks", "TimerFire")
RENDERING = ("UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
MARK = "gradlab-changed"
"""The user timing mark that says that a figure changed."""


class Frame(NamedTuple):
    """Milliseconds of the main thread, from an event to the end of the commit."""

    total: float
    script: float
    rendering: float


Span = tuple[float, float]


def frames(trace: Sequence[dict[str, Any]]) -> list[Frame]:
    """Find the frames in which a pointer or a slider changed a figure.

    Args:
      trace: events of DevTools; ``MARK`` says when a figure changed.
    """
    thread = _main_thread(trace)
    events = sorted(
        (e for e in trace if (e["pid"], e["tid"]) == thread and e["ph"] in "XIR"),
        key=lambda event: float(event["ts"]),
    )

    def spans(*names: str) -> list[Span]:
        return [
            (e["ts"], e["ts"] + e["dur"]) for e in events if e["ph"] == "X" and e["name"] in names
        ]

    starts = [
        e["ts"] for e in events
        if e["name"] == "EventDispatch" and e["args"]["data"]["type"] in EVENTS
    ]  # fmt: skip
    changes = [e["ts"] for e in events if e["name"] == MARK]
    parts = spans("RunTask"), spans(*SCRIPT), spans(*RENDERING)
    found, before = [], 0.0
    for _, end in spans("Commit"):
        start = min((ts for ts in starts if before <= ts < end), default=None)
        if start is not None and any(start <= ts <= end for ts in changes):
            found.append(Frame(*(_length(part, start, end) for part in parts)))
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


def _length(spans: Iterable[Span], start: float, end: float) -> float:
    """Milliseconds between two times that spans in microseconds cover; overlaps count once."""
    covered, reached = 0.0, -math.inf
    for a, b in sorted((max(a, start), min(b, end)) for a, b in spans):
        covered += max(0.0, b - max(a, reached))
        reached = max(reached, b)
    return covered / 1000
