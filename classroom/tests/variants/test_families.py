"""Each family: its operations, and the exercise that is made of any of them."""

from __future__ import annotations

import numpy as np
import pytest
from gradlab_classroom.variants import heads, parts, placements, rotations
from gradlab_classroom.variants.family import NoSuchOperation, untold
from gradlab_classroom.variants.sets import FAMILIES

from classroom.tests.drawn import (
    HEADS,
    PARTS,
    ROTATED,
    SEEDS,
    UNROLL,
    as_answer,
    rules,
    solution,
    variant,
)
from gradlab.exercises import check
from gradlab.exercises.checking.catalogue import EXERCISES, find_exercise
from gradlab.exercises.checking.probes import unroll
from gradlab.ops import clip_by_global_norm, max_norm, scale_gradient

EACH = pytest.mark.parametrize("name", FAMILIES)


def covering(family):
    """Operations among which each value of each parameter stands once at least."""
    left = {(key, str(part)) for operation in family.space() for key, part in operation.items()}
    for operation in sorted(family.space(), key=lambda one: hash_of(one)):
        values = {(key, str(part)) for key, part in operation.items()}
        if values & left:
            left -= values
            yield operation


def hash_of(operation):
    """An order that mixes the parameters, and is the same in every run."""
    return sum((i + 1) * ord(letter) ** 2 for i, letter in enumerate(str(operation))) % 9973


@EACH
def test_a_family_has_many_operations_and_no_two_are_the_same(name):
    space = FAMILIES[name].space()
    assert len(space) >= 100
    assert len({str(operation) for operation in space}) == len(space)


def test_two_seeds_rarely_agree():
    assert np.prod([len(family.space()) for family in FAMILIES.values()]) > 10**9


def test_no_private_exercise_has_the_name_of_a_public_one():
    assert not set(FAMILIES) & set(EXERCISES)


@pytest.mark.exhaustive
@EACH
def test_the_operations_of_a_family_do_different_things(name):
    family = FAMILIES[name]
    some = family.space()[:: max(1, len(family.space()) // 24)]
    runs = [case.arguments for case in family.cases(some[0], np.random.default_rng(5))]
    if name == ROTATED:
        runs = [(np.random.default_rng(i).normal(size=(3, 3)), 0.5) for i in range(4)]
    does = {str(jaxless(family.right(operation), runs)) for operation in some}
    assert len(does) == len(some)


def jaxless(rule, runs):
    return [{key: np.round(part, 6).tolist() for key, part in found.items()}
            if isinstance(found := rule(*run), dict) else np.round(found, 6).tolist()
            for run in runs]  # fmt: skip


@pytest.mark.exhaustive
@EACH
def test_every_misconception_is_told_from_the_answer_and_from_each_other(name):
    family = FAMILIES[name]
    for operation in list(covering(family))[:6]:
        comparison = family.comparison({**operation, "cases": 7})
        assert len({misconception.name for misconception in comparison.misconceptions}) >= 8
        inputs = ({**operation, "cases": number} for number in range(5))
        assert any(not untold(family.comparison(parameters)) for parameters in inputs), operation


@pytest.mark.exhaustive
@pytest.mark.parametrize("operations", [2, 8])
@EACH
def test_the_solution_of_any_operation_passes_its_own_exercise(name, operations):
    family = FAMILIES[name]
    for operation in list(covering(family))[:operations]:
        one = family.make({**operation, "cases": 11})
        finding = one.exercise.examine(solution(one))
        assert finding.passed, (operation, finding)


@pytest.mark.exhaustive
@pytest.mark.parametrize("share", heads.SHARES)
def test_a_solution_shares_the_limit_by_every_rule(share):
    one = heads.FAMILY.make({"norm": "1", "exempt": "policy", "share": share, "cases": 2})
    assert one.exercise.examine(solution(one)).passed


@pytest.mark.exhaustive
def test_a_drawn_exercise_has_inputs_that_tell_all_neighbours_apart():
    for seed in SEEDS:
        for name, family in FAMILIES.items():
            assert untold(family.comparison(variant(seed, name).parameters)) == []


@pytest.mark.exhaustive
def test_the_public_operations_fail():
    public = {
        PARTS: [scale_gradient, lambda x, scale: x],
        HEADS: [clip_by_global_norm, lambda grads, limit: grads],
        ROTATED: [max_norm, lambda w, limit: w],
    }
    for name, answers in public.items():
        one = variant(SEEDS[0], name)
        for answer in answers:
            finding = one.exercise.examine(answer)
            assert not finding.passed
            assert one.exercise.credit(finding) < 1


@pytest.mark.exhaustive
def test_the_books_own_unrolls_fail():
    exercise = variant(SEEDS[1], UNROLL).exercise
    findings = set()
    for gates in (
        placements.Gates(),
        placements.Gates(between=lambda k, steps, s: s),
        placements.Gates(between=lambda k, steps, s: s, root=lambda k, steps, s: s),
        placements.Gates(between=lambda k, steps, s: s, head=lambda k, steps, s: s),
    ):
        finding = exercise.examine(as_answer(UNROLL, gates))
        assert not finding.passed
        findings.add(finding.name)
    assert len(findings) == 4


@pytest.mark.exhaustive
def test_the_public_answers_of_the_book_are_other_exercises():
    one = variant(SEEDS[0], PARTS)
    assert not check("scale_gradient", solution(one)).passed
    with pytest.raises(ValueError, match="no exercise"):
        find_exercise(one.name)


@EACH
@pytest.mark.parametrize("change", [
    {"cases": -1}, {"cases": "many"}, {"cases": True}, {"part": "all of it"}, {"norm": "3", "side": 1},
], ids=str)  # fmt: skip
def test_parameters_of_no_operation_are_refused(name, change):
    family = FAMILIES[name]
    with pytest.raises(NoSuchOperation, match=name):
        family.make({**family.space()[0], "cases": 3, **change})


def test_a_rotation_keeps_lengths_and_goes_the_way_that_the_task_says():
    rotation = rotations.turn([(0, 1)], 90)
    np.testing.assert_allclose(rotation @ [1.0, 2.0, 3.0], [-2.0, 1.0, 3.0], atol=1e-12)
    two = rotations.turn([(0, 1), (0, 2)], 90)
    np.testing.assert_allclose(two @ [1.0, 2.0, 3.0], [-3.0, 1.0, -2.0], atol=1e-12)
    odd = rotations.turn([(0, 2), (1, 2)], 35)
    np.testing.assert_allclose(odd.T @ odd, np.eye(3), atol=1e-12)


def test_a_part_and_the_rest_make_up_the_cotangent():
    random = np.random.default_rng(0)
    x, g = random.normal(size=(2, 3, 5))
    for part in parts.PARTS.values():
        t = part.thresholds[0]
        found = part.split(x, g, t)
        assert np.count_nonzero(found) > 0
        assert np.any(found != g)
        assert np.all(np.abs(found) <= np.abs(g))


@pytest.mark.exhaustive
def test_a_rule_for_an_unroll_goes_backward_as_jax_does():
    one = variant(SEEDS[0], UNROLL)
    right, wrong = rules(one)
    for rule in (right, *list(wrong.values())[-3:]):
        case = one.exercise.cases[2]
        seen = unroll(as_answer(UNROLL, rule), *case.arguments)
        for key, expected in rule(*case.arguments).items():
            np.testing.assert_allclose(seen[key], expected, rtol=2e-5, atol=2e-5)
