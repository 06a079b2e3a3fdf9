"""Trivial answers earn nothing, whatever the exercise."""

import pytest
from tests.exercises import trivial
from tests.exercises.banks import EACH_BANK, EACH_RUN, seen_of_the_right_answer

from sccbook.exercises.catalogue import EXERCISES

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


@pytest.mark.parametrize(
    "places", [range(1), pytest.param(range(1, 9), marks=pytest.mark.exhaustive)], ids=str
)
@EACH_BANK
def test_trivial_answers_earn_nothing(name, places):
    earned = trivial.earned(EXERCISES[name], seen_of_the_right_answer(name), places)
    assert earned == REASONED.get(name, {})


@EACH_RUN
def test_returning_a_probes_data_earns_nothing(name):
    trivial.assert_a_forged_probe_is_found_out(EXERCISES[name], seen_of_the_right_answer(name))


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@EACH_RUN
def test_a_judge_survives_odd_results(name):
    trivial.assert_the_odd_is_borne(EXERCISES[name], seen_of_the_right_answer(name))
