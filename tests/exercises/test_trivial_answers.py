"""Answers in which nothing was solved: whatever the exercise, none of them earns a point."""

from __future__ import annotations

import pytest

from gradlab.exercises.checking.catalogue import EXERCISES
from tests.exercises import trivial
from tests.exercises.banks import seen_of_the_right_answer

EACH = pytest.mark.parametrize("name", EXERCISES)

REASONED = {
    "wrong_axis": {
        "always [[1.0, 1.0]]": 0.33,
        "always what is right in run 1": 0.33,
        "the form, full of 1.0": 0.33,
    }
}
"""The exceptions, and what they leave. A constant row of two weights or more, of which each is within
1 and all are not, is an example for limits near 1, and of the right axis, which is the objective; a
column like that leaves nothing. That it should do for every limit is two thirds of the points."""


def reasoned(name, start):
    return {
        words: credit for words, credit in REASONED.get(name, {}).items() if words.startswith(start)
    }


@EACH
def test_a_constant_earns_nothing(name):
    answers = dict(trivial.constant_answers())
    assert trivial.earned_by_answers(EXERCISES[name], answers) == reasoned(name, "always [")


@pytest.mark.parametrize(
    "place", [0, *(pytest.param(place, marks=pytest.mark.exhaustive) for place in range(1, 9))]
)
@EACH
def test_an_argument_returned_as_it_is_or_changed_a_little_earns_nothing(name, place):
    answers = dict(trivial.answers_of_an_argument(place))
    assert trivial.earned_by_answers(EXERCISES[name], answers) == {}


@EACH
def test_the_form_of_a_right_result_alone_earns_nothing(name):
    earned = trivial.earned_by_the_form_alone(EXERCISES[name], seen_of_the_right_answer(name))
    assert earned == reasoned(name, "the form")


@EACH
def test_one_right_result_for_every_run_earns_nothing(name):
    earned = trivial.earned_by_one_right_result(EXERCISES[name], seen_of_the_right_answer(name))
    assert earned == reasoned(name, "always what")


@EACH
def test_what_a_probe_makes_earns_nothing_where_an_answer_returns_it(name):
    trivial.assert_a_forged_probe_is_found_out(EXERCISES[name], seen_of_the_right_answer(name))


@EACH
def test_a_judge_bears_what_is_odd_in_one_run_or_in_one_part_of_each(name):
    trivial.assert_the_odd_is_borne(EXERCISES[name], seen_of_the_right_answer(name))
