"""A student's own numbers: from the id and nothing else."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from itertools import pairwise

import pytest
from gradlab_classroom.course import load

from classroom.tests.paths import COURSE_FILE
from gradlab.exercises.checking.personal import PICKS, folded, numbers
from gradlab.exercises.scale_for_total import total_of

IDS = [f"student{number}" for number in range(300)]


def test_every_assignment_of_the_course_has_numbers() -> None:
    course = load(COURSE_FILE)
    assert list(PICKS) == list(course.assignments)


@pytest.mark.parametrize("written", ["ab123", "AB123", " ab 123\n", "ａｂ１２３"])
def test_an_id_may_be_written_in_any_case_and_with_any_spaces(written: str) -> None:
    assert folded(written) == "ab123"
    assert numbers(written, "4_constraining") == numbers("ab123", "4_constraining")


@pytest.mark.parametrize("assignment", PICKS)
def test_numbers_are_drawn_from_their_lists_and_each_of_a_list_is_drawn(assignment: str) -> None:
    drawn = [numbers(student, assignment).values for student in IDS]
    for name, pick in PICKS[assignment].items():
        found = [values[name] for values in drawn]
        if pick.count:
            assert all(len(several) == pick.count for several in found)
            found = [value for several in found for value in several]
        assert set(found) == set(pick.values)


@pytest.mark.parametrize("assignment", PICKS)
def test_neighbours_have_other_numbers(assignment: str) -> None:
    drawn = [str(numbers(student, assignment).values) for student in IDS]
    assert sum(a != b for a, b in pairwise(drawn)) > 0.95 * (len(IDS) - 1)


def test_numbers_of_one_list_are_drawn_each_by_itself() -> None:
    drawn = [numbers(student, "5_the_ledger").jacobians for student in IDS]
    assert all(len(set(entries)) > 1 for entries in drawn)
    pairs = {entries[:2] for entries in drawn}
    assert len(pairs) > 50


def test_assignments_draw_for_themselves() -> None:
    scales = [
        (
            numbers(student, "1_the_missing_function").scale,
            numbers(student, "6_update_weights").scale,
        )
        for student in IDS
    ]
    assert any(first != second for first, second in scales)


def test_numbers_stay_what_they_were() -> None:
    mine = numbers("ab123", "4_constraining")
    known = {"limit": 1.5, "long": 5.0, "short": 0.4, "scale": 0.8, "clip": 0.2, "cap": 0.6}
    assert mine.values == known


@pytest.mark.parametrize("seed", ["0", "1"])
def test_numbers_do_not_depend_on_the_process(seed: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from gradlab.exercises.checking.personal import numbers; print(numbers('ab123', '5_the_ledger'))",
        ],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{numbers('ab123', '5_the_ledger')!r}\n"


@pytest.mark.parametrize("empty", ["", "   ", "\n"])
def test_an_empty_id_gives_numbers_and_a_remark(empty: str) -> None:
    found = numbers(empty, "3_clipping")
    assert found.limit in PICKS["3_clipping"]["limit"].values
    assert "Write yours into STUDENT" in found.remark
    assert found.remark in repr(found)
    assert not numbers("ab123", "3_clipping").remark


def test_an_id_of_digits_needs_no_quotation_marks() -> None:
    assert numbers(4711, "3_clipping") == numbers("4711", "3_clipping")


@pytest.mark.parametrize("bad", [None, 1.5, True, ["ab123"]])
def test_an_id_that_is_no_text_is_refused_with_advice(bad: object) -> None:
    with pytest.raises(TypeError, match="quotation marks"):
        numbers(bad, "3_clipping")  # type: ignore[arg-type]


def test_an_unknown_assignment_is_named_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"'7_more'.*'1_the_missing_function'"):
        numbers("ab123", "7_more")


def test_an_unknown_number_is_named_with_those_that_there_are() -> None:
    with pytest.raises(AttributeError, match=r"'limits'.*long, short, limit, angle"):
        _ = numbers("ab123", "3_clipping").limits


def test_numbers_can_be_copied() -> None:
    mine = numbers("ab123", "3_clipping")
    assert copy.deepcopy(mine) == mine


def test_every_draw_shows_what_the_assignments_say_of_it() -> None:
    for name in ("3_clipping", "4_constraining"):  # one is cut, and the other is left alone
        values = {key: pick.values for key, pick in PICKS[name].items()}
        assert max(values["short"]) < min(values["limit"])
        assert max(values["limit"]) < min(values["long"])
    ledger = PICKS["5_the_ledger"]
    smallest = min(ledger["gain"].values), min(ledger["steps"].values)
    at_most = total_of(smallest[1], 1.5 * smallest[0])  # the plot ends at s = 1.5
    assert at_most > max(ledger["total"].values)
    assert min(ledger["total"].values) > 1  # what s = 0 gives
    placements = [program % 4 for program in PICKS["6_update_weights"]["program"].values]
    assert placements == [0, 1, 2, 3]
