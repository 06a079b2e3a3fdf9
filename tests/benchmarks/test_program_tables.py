"""The table says what was measured, and a target that is missed is called missed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks.program.tables import markdown, microseconds, targets
from tests.benchmarks.changed_results import changed

RESULTS: dict[str, Any] = {
    "machine": {
        "date": "2026-01-01", "commit": "abc", "system": "Linux", "processor": "a processor",
        "cores": 2, "python": "3.11", "jax": "0.10", "node": "24", "v8": "13", "browser": "none", "load": 0.1,
    },
    "measured": {
        "rounds": 3, "seconds": 0.1, "calls": 16, "compilations": 5, "moves": 120,
        "rounds_of_frames": 5,
    },
    "functions": [
        {
            "words": "a clip", "chapter": "08",
            "module": {"median": 0.05, "p95": 0.06},
            "jitted": {"median": 9.0, "p95": 12.0},
            "handwritten": {"median": 0.04, "p95": 0.05},
            "by_hand": {"median": 1.25, "low": 1.2, "high": 1.5},
            "by_jax": {"median": 180.0, "low": 150.0, "high": 200.0},
            "payload": {"raw": 700, "gzip": 300, "brotli": 280, "arrays": 0},
            "compile": {"first": 0.01, "again": 0.005},
        },
        {
            "words": "a cloud", "chapter": "08",
            "module": {"median": 3.0, "p95": 4.0},
            "jitted": {"median": 30.0, "p95": 40.0},
            "handwritten": None, "by_hand": None,
            "by_jax": {"median": 10.0, "low": 9.0, "high": 11.0},
            "payload": {"raw": 1700, "gzip": 900, "brotli": 800, "arrays": 3300},
            "compile": {"first": 0.2, "again": 0.1},
        },
    ],
    "figures": [
        {
            "figure": "River", "page": "index.html", "compile": None,
            "payload": {"raw": 9000, "gzip": 2500, "brotli": 2000, "arrays": 0},
        }
    ],
    "frames": [
        {
            "figure": "River", "page": "index.html", "hand": "handle s", "frames": 200,
            "median": 8.0, "p95": 11.0, "worst": 13.0, "processor": 10.0, "script": 3.0, "rendering": 4.0,
        }
    ],
    "bare": {
        "frames": 100, "median": 4.0, "p95": 8.0, "worst": 9.0, "processor": 7.0, "script": 1.0, "rendering": 2.0,
    },
    "peers": [
        {
            "figure": "River", "control": "s",
            "ours": {"median": 20.0, "p95": 25.0}, "lab": {"median": 200.0, "p95": 300.0},
            "ratio": {"median": 10.0, "low": 9.0, "high": 12.0},
        }
    ],
}  # fmt: skip


def test_all_targets_are_met() -> None:
    assert [target.met for target in targets(RESULTS)] == [True] * 5


@pytest.mark.parametrize(
    ("where", "value", "claim"),
    [
        ("functions,0,by_hand,median", 2.01, "hand-written"),
        ("functions,1,by_jax,median", 0.99, "jitted"),
        ("functions,1,payload,gzip", 4000, "compressed"),
        ("figures,0,payload,gzip", 4000, "compressed"),
        ("functions,0,compile,first", 1.0, "compilation"),
        ("frames,0,p95", 16.7, "frame"),
    ],
)
def test_one_number_over_its_limit_misses_its_target_alone(
    where: str, value: float, claim: str
) -> None:
    missed = [target for target in targets(changed(RESULTS, where, value)) if not target.met]
    assert len(missed) == 1
    assert claim in missed[0].claim


def test_an_array_that_is_recorded_does_not_count_as_program() -> None:
    assert all(
        target.met for target in targets(changed(RESULTS, "functions,1,payload,arrays", 9000))
    )


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    tables = re.findall(r"(?:^\|.*\n?)+", markdown(RESULTS), re.MULTILINE)
    assert len(tables) == 6
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_a_missed_target_is_bold_in_the_table() -> None:
    assert "**missed**" not in markdown(RESULTS)
    assert "| **missed** | every figure's frame" in markdown(changed(RESULTS, "frames,0,p95", 20.0))


def test_frames_are_compared_with_those_of_a_bare_page() -> None:
    assert "| 3.0 ms | 4.0 ms | 2.0 | 1.4 |" in markdown(RESULTS)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.05, "0.05 µs"),
        (1.24, "1.2 µs"),
        (123.4, "123 µs"),
        (2345.0, "2.35 ms"),
        (12345.0, "12.3 ms"),
        (1234567.0, "1235 ms"),
    ],
)
def test_times_have_two_or_three_digits(value: float, text: str) -> None:
    assert microseconds(value) == text
