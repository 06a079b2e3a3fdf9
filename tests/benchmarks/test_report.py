"""Alternatives are timed in turn and compared within a round, and tables round to three digits."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.report import by_turns, cell, summary, table


def test_alternatives_take_turns_there_and_back() -> None:
    order: list[str] = []
    rounds = by_turns({name: lambda name=name: order.append(name) or 0.0 for name in "ab"}, 3)
    assert "".join(order) == "abbaab"
    assert rounds == {"a": [0.0] * 3, "b": [0.0] * 3}


def test_a_ratio_is_taken_within_a_round() -> None:
    rounds = {"a": [2.0, 30.0, 8.0], "b": [1.0, 10.0, 8.0]}
    row = summary(rounds, "ms", "a / b", "c / b")
    assert row == {"a, ms": 8000.0, "b, ms": 8000.0, "a / b": [2.0, 1.0, 3.0]}
    assert table([row]).splitlines()[-1] == "| 8,000 | 8,000 | 2.00 (1.00 to 3.00) |"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (1234567, "1,234,567"), ("a", "a"), (0.0, "0"), (0.0612, "0.0612"),
        (0.9999, "1.00"), (12.34, "12.3"), (12345.6, "12,346"), (1.2e-7, "1.2e-07"),
    ],
)  # fmt: skip
def test_numbers_have_three_digits(value: Any, text: str) -> None:
    assert cell(value) == text
