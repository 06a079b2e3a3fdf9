"""Ways are timed by turns, and compared within a round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import turns
from benchmarks.turns import by_turns, clocked, summary


def test_all_have_their_turn_equally_often_there_and_back() -> None:
    order: list[str] = []
    rounds = by_turns({name: lambda name=name: order.append(name) or 0.0 for name in "ab"}, 3)
    assert "".join(order) == "abbaab"
    assert rounds == {"a": [0.0] * 3, "b": [0.0] * 3}


def test_a_round_lasts_as_long_as_asked_and_counts_by_its_median(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments: Iterator[float] = iter([0.0, 1.0, 2.0, 3.0])
    monkeypatch.setattr(turns.time, "perf_counter", lambda: next(moments))
    times = iter([1.0, 9.0, 2.0])
    assert by_turns({"a": lambda: next(times)}, rounds=1, seconds=2.5) == {"a": [2.0]}


def test_a_time_is_that_of_one_step_in_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    moments: Iterator[float] = iter([1.0, 1.5])
    monkeypatch.setattr(turns.time, "perf_counter", lambda: next(moments))
    assert clocked(lambda: None, steps=10)() == pytest.approx(0.05)


def test_a_ratio_is_that_of_one_round_and_its_median_and_ends_are_those_of_the_rounds() -> None:
    rounds = {"a": [2.0, 30.0, 8.0], "b": [1.0, 10.0, 8.0]}
    assert summary(rounds, "ms", "a / b", "c / b") == {
        "a, ms": 8000.0, "b, ms": 8000.0, "a / b": [2.0, 1.0, 3.0]
    }  # fmt: skip
