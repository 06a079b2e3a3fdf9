"""A frame's time is read off a trace, and off nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.program.trace import MARK, Frame, frames

MAIN, OTHER = (7, 1), (8, 1)


def event(name: str, start: float, length: float = 0.0, thread: Any = MAIN, **args: Any) -> Any:
    """A trace event, times in milliseconds; its thread has half of them to itself."""
    where = {"pid": thread[0], "tid": thread[1]}
    found = {"name": name, "ph": "I", "ts": 1000 * start, "tts": 500 * start, "args": args, **where}
    lasts = {"ph": "X", "dur": 1000 * length, "tdur": 500 * length}
    return {**found, **lasts} if length else found


def threads() -> list[Any]:
    return [
        {"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": "CrRendererMain"}}
        for pid, tid in (MAIN, OTHER)
    ]  # fmt: skip


def dispatch(kind: str, start: float, length: float) -> Any:
    return event("EventDispatch", start, length, data={"type": kind})


def one_frame(at: float) -> list[Any]:
    """Two tasks: 1 ms before the event, 5 ms with it, 2 ms of nothing, 4 ms with the commit."""
    return [
        event("RunTask", at - 1, 6),
        dispatch("pointermove", at, 4),
        event("FunctionCall", at + 0.5, 3),
        event(MARK, at + 4),
        event("RunTask", at + 7, 4),
        event("Layout", at + 7, 2),
        event("Paint", at + 9, 1),
        event("Commit", at + 10, 1),
    ]


def test_a_frame_is_what_the_tasks_take_from_the_event_to_the_end_of_the_commit() -> None:
    (found,) = frames([*threads(), *one_frame(100.0)])
    assert found == Frame(wall=9.0, processor=4.5, script=2.0, rendering=2.0)


def test_the_events_before_one_commit_are_one_frame() -> None:
    trace = [*threads(), dispatch("pointermove", 97, 1), dispatch("input", 98, 1), *one_frame(100)]
    (found,) = frames(trace)
    assert found.wall == pytest.approx(10.0), "the tasks from the first of them on"
    assert found.script == pytest.approx(3.0)


def test_a_frame_in_which_no_figure_changed_does_not_count() -> None:
    idle = [e for e in one_frame(50.0) if e["name"] != MARK]
    assert len(frames([*threads(), *idle, *one_frame(100.0)])) == 1


def test_a_frame_without_the_readers_hand_does_not_count() -> None:
    announced = [e for e in one_frame(50.0) if e["name"] != "EventDispatch"]
    assert len(frames([*threads(), *announced, *one_frame(100.0)])) == 1


def test_other_threads_do_not_count() -> None:
    elsewhere = [event(e["name"], 101, 5, OTHER) for e in one_frame(0.0) if e["name"] == "RunTask"]
    assert frames([*threads(), *elsewhere, *one_frame(100.0)])[0].wall == pytest.approx(9.0)
