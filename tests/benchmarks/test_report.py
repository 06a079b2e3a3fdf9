"""Targets are met or missed by rows, and what is stored is what the rows say."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks.report import ROOT, Target, cell

TABLES: dict[str, Any] = {
    "clip": [
        {"size": 1000, "run": "called", "ours, µs": 3.0, "ratio": [1.05, 0.9, 9.0], "copies": 0},
        {"size": 10**6, "run": "called", "ours, µs": 9.0, "ratio": [1.20, 1.1, 1.3], "copies": 2},
        {"size": 10**7, "run": "called", "ours, µs": 9.0, "copies": 0},
    ]
}


@pytest.mark.parametrize(
    ("columns", "limits", "worst", "missed"),
    [
        (["ratio"], {"at_most": 1.2}, "1.20 (size 1,000,000, called, ratio)", "0 of 2"),
        (["ratio"], {"at_most": 1.1}, "1.20 (size 1,000,000, called, ratio)", "1 of 2"),
        (["ratio"], {"at_least": 1.1}, "1.05 (size 1,000, called, ratio)", "1 of 2"),
        (["ratio", "copies"], {"at_most": 1}, "2 (size 1,000,000, called, copies)", "3 of 5"),
        (["copies"], {"at_most": 1, "rows": lambda row: row["size"] == 1000}, "0 (size", "0 of 1"),
    ],
)
def test_a_target_names_the_worst_row_and_counts_those_that_miss(
    columns: list[str], limits: dict[str, Any], worst: str, missed: str
) -> None:
    verdict = Target("a claim", "clip", columns, **limits).judge(TABLES)
    assert verdict is not None
    assert verdict["worst"].startswith(worst)
    assert verdict["missed by"] == missed
    assert verdict["met"] == missed.startswith("0")


def test_nothing_is_said_of_what_was_not_measured_and_a_nan_is_no_success() -> None:
    assert Target("a claim", "other", ["ratio"]).judge(TABLES) is None
    verdict = Target("a claim", "t", ["x"], at_most=1).judge({"t": [{"x": float("nan")}]})
    assert verdict is not None
    assert not verdict["met"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (False, "**no**"), (1234567, "1,234,567"), ("a", "a"), (0.0, "0"),
        (0.0612, "0.0612"), (0.9999, "1.00"), (12.34, "12.3"), (12345.6, "12,346"),
        (1.2e-7, "1.2e-07"), ([2.0, 1.0, 30.0], "2.00 (1.00 to 30.0)"),
    ],
)  # fmt: skip
def test_numbers_have_three_digits(value: Any, text: str) -> None:
    assert cell(value) == text


STORED = sorted(path.parent.name for path in Path(ROOT, "benchmarks").glob("*/results.json"))


@pytest.mark.parametrize("name", STORED)
def test_stored_results_say_what_their_rows_say(name: str) -> None:
    benchmark = import_module(f"benchmarks.{name}.run").BENCHMARK
    results = json.loads(benchmark.file.read_text(encoding="utf-8"))
    assert set(results["tables"]) <= set(benchmark.prose)
    assert results["targets"] == benchmark.judge(results["tables"])
    assert benchmark.file.with_suffix(".md").read_text("utf-8") == benchmark.markdown(results)
