"""The frames of a figure that is dragged, read off a DevTools trace."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

EVENTS = ("pointermove", "input")
SCRIPT = ("EventDispatch", "FunctionCall", "FireAnimationFrame", "RunMicrotasks", "TimerFire")
RENDERING = ("UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
MARK = "explorax-changed"
"""The user timing mark that says that a figure changed."""


class Frame(NamedTuple):
    """Milliseconds of the main thread, from an event to the end of the commit.

    Attributes:
      wall: of its tasks, by the clock on the wall.
      processor: of its tasks, by the thread's own clock: what it waited for others is not in it.
      script, rendering: of the processor's, what handlers and what style, layout and paint took.
    """

    wall: float
    processor: float
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

    def spans(clock: str, *names: str) -> list[Span]:
        lasted = clock.replace("ts", "dur")
        return [
            (e[clock], e[clock] + e[lasted]) for e in events if lasted in e and e["name"] in names
        ]

    starts = [
        (e["ts"], e["tts"]) for e in events
        if e["name"] == "EventDispatch" and e["args"]["data"]["type"] in EVENTS
    ]  # fmt: skip
    changes = [e["ts"] for e in events if e["name"] == MARK]
    parts = [("ts", ["RunTask"]), ("tts", ["RunTask"]), ("tts", SCRIPT), ("tts", RENDERING)]
    lengths = [(clock == "tts", spans(clock, *names)) for clock, names in parts]
    found, before = [], 0.0
    for ends in zip(
        (end for _, end in spans("ts", "Commit")),
        (end for _, end in spans("tts", "Commit")),
        strict=True,
    ):
        start = min((start for start in starts if before <= start[0] < ends[0]), default=None)
        if start and any(start[0] <= ts <= ends[0] for ts in changes):
            found.append(Frame(*(_length(part, start[own], ends[own]) for own, part in lengths)))
        before = ends[0]
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
