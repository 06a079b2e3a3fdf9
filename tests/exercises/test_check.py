"""What ``check`` promises, whatever the exercise."""

from __future__ import annotations

import pytest

from gradlab.exercises import check
from gradlab.exercises.checking.catalogue import EXERCISES
from gradlab.exercises.checking.check import PUT_OFF, Result
from gradlab.exercises.checking.findings import LONGEST, Finding, Mistake, describe_error


def test_an_unknown_exercise_raises_an_error_that_lists_those_that_exist():
    with pytest.raises(ValueError, match=r"no exercise 'scale_gradeint'.*'scale_gradient'"):
        check("scale_gradeint", None)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_survives_an_answer_of_any_kind(name):
    for answer in (None, 3, "x", [], object(), lambda: None, lambda *a: a, type):
        result = check(name, answer)
        assert not result.passed
        assert result.message


def test_the_text_of_a_result_is_wrapped_for_a_notebook():
    assert all(len(line) <= 78 for line in repr(check("scale_gradient", None)).splitlines())


def test_an_error_is_described_without_what_changes_from_run_to_run():
    text = describe_error(ValueError(f"bad {object()!r}\nsecond line"))
    assert text == "ValueError: bad <object object at 0x...>"
    assert describe_error(KeyError()) == "KeyError"
    assert len(describe_error(ValueError("long " * 100))) <= 140


def test_a_message_is_cut_wherever_it_was_made():
    long = "x" * 10**6
    for one in (Finding("wrong", long), Mistake("wrong", long).finding):
        assert one.message == "x" * (LONGEST - 3) + "..."
    assert Finding("wrong", "x" * LONGEST).message == "x" * LONGEST


def test_a_check_that_is_put_off_ends_no_cell_that_asserts_it():
    assert Result("max_norm", False, PUT_OFF, "This check runs later.", 0.0)
    assert not Result("max_norm", False, "rows", "the norm is taken along the rows.", 0.0)
