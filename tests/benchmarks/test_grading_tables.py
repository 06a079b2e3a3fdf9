"""The grader's report says what was measured, and a target missed is called missed."""

from __future__ import annotations

from typing import Any

from benchmarks.grading.submissions import KERAS, KINDS, a_class, filled_in
from benchmarks.grading.tables import OURS, PEER, markdown, per_minute, targets
from tests.benchmarks.changed_results import changed

RESULTS: dict[str, Any] = {
    "machine": {
        "date": "2026-01-01", "commit": "abc", "system": "Linux", "processor": "a processor",
        "cores": 2, "python": "3.11", "jax": "0.10", "nbgrader": "0.9", "dask": "2026", "load": 0.1,
        "load_after": 1.0,
    },
    "measured": {"assignment": "4_constraining", "students": 24, "rounds": 3},
    "seconds": {PEER: [200.0, 240.0, 220.0], OURS[1]: [80.0, 90.0, 70.0], OURS[2]: [40.0, 48.0, 44.0]},
    "ratios": {
        OURS[1]: {"median": 2.7, "low": 2.5, "high": 3.1},
        OURS[2]: {"median": 5.0, "low": 5.0, "high": 5.0},
    },
    "scores": {"compared": 72, "differ": 0},
}  # fmt: skip


def test_a_class_twice_as_fast_has_twice_the_throughput() -> None:
    assert per_minute(24, [48.0, 40.0, 44.0]) == 24 * 60 / 44
    assert per_minute(24, [20.0]) == 2 * per_minute(24, [40.0])


def test_what_was_measured_stands_in_the_report() -> None:
    text = markdown(RESULTS)
    assert "| gradlab with two workers | 44.0 s | 32.7 | 5.00 (5.00 to 5.00) |" in text
    assert "| nbgrader autograde | 220.0 s | 6.5 | 1 |" in text
    assert text.count("| met |") == 2


def test_a_target_that_is_missed_is_called_missed() -> None:
    slow = changed(RESULTS, f"ratios,{OURS[2]},median", 2.9)
    assert [one.met for one in targets(slow)] == [False, True]
    unequal = changed(RESULTS, "scores,differ", 1)
    assert [one.met for one in targets(unequal)] == [True, False]
    assert "| missed |" in markdown(unequal)
    assert [one.met for one in targets(changed(RESULTS, "scores,compared", 0))] == [True, False]


def test_half_of_the_class_is_right_and_every_kind_is_in_it() -> None:
    kinds = [kind for _, kind in a_class(24)]
    assert kinds.count("solved") == 12
    assert set(kinds) == set(KINDS)


def test_what_a_student_wrote_takes_the_place_of_the_stub_and_an_untouched_notebook_stays() -> None:
    def notebook(source: str) -> dict[str, Any]:
        metadata = {"nbgrader": {"grade_id": "answer_max_norm"}}
        return {"cells": [{"cell_type": "code", "metadata": metadata, "source": source}]}

    solution = notebook("def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION")
    release = notebook("def f():\n    ...")
    assert filled_in(solution, release, "untouched") == release
    assert filled_in(solution, release, "solved") == notebook("def f():\n    return 1")
    assert filled_in(solution, release, "keras") == notebook(KERAS)
