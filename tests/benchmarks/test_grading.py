"""The class that is graded is half right, and its other half wrong in every way."""

from __future__ import annotations

from typing import Any

from benchmarks.grading.submissions import KERAS, KINDS, a_class, filled_in


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
