"""Answers in which nothing was solved: no private exercise gives a point for one of them."""

import pytest

from classroom.tests.drawn import HEADS, PARTS, ROTATED, SEEDS, UNROLL, solution, variant
from gradlab.exercises.checking.probes import observe
from tests.exercises import trivial

EACH = pytest.mark.parametrize("name", [PARTS, HEADS, UNROLL, ROTATED])
EACH_SEED = pytest.mark.parametrize(
    "seed", [SEEDS[0], pytest.param(SEEDS[1], marks=pytest.mark.exhaustive)], ids=range(2)
)


def exercise_and_right_observations(seed, name):
    private = variant(seed, name)
    runs = [case.arguments for case in private.exercise.cases]
    return private.exercise, observe(private.exercise.probe, solution(private), runs).seen


@pytest.mark.exhaustive
@EACH_SEED
@EACH
def test_an_answer_in_which_nothing_was_solved_earns_nothing(name, seed):
    assert trivial.earned(*exercise_and_right_observations(seed, name), range(1)) == {}


@pytest.mark.exhaustive
@EACH_SEED
@EACH
def test_what_a_probe_makes_earns_nothing_where_an_answer_returns_it(name, seed):
    trivial.assert_a_forged_probe_is_found_out(*exercise_and_right_observations(seed, name))


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@EACH_SEED
@EACH
def test_a_judge_bears_what_is_odd_in_all_runs_in_one_or_in_a_part_of_each(name, seed):
    trivial.assert_the_odd_is_borne(*exercise_and_right_observations(seed, name))
