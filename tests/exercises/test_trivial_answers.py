"""Answers in which nothing was solved: whatever the exercise, none of them earns a point."""

from __future__ import annotations

from importlib import import_module

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from classroom.tests.drawn import HEADS, PARTS, ROTATED, SEEDS, UNROLL, solution, variant
from gradlab.exercises.checking.catalogue import EXERCISES
from gradlab.exercises.checking.probes import Answered, Seen, observe

PRIVATE = [(number, name) for number in range(2) for name in (PARTS, HEADS, UNROLL, ROTATED)]
ALL = [*EXERCISES, *PRIVATE]
NAN, INF = float("nan"), float("inf")

REASONED = {
    ("wrong_axis", "always a row of ones"): 0.33,
    ("wrong_axis", "always what is right in run 1"): 0.33,
    ("wrong_axis", "the form, full of 1.0"): 0.33,
}
"""The exceptions, and what they leave. A constant row of two weights or more, of which each is within
1 and all are not, is an example for limits near 1, and of the right axis, which is the objective; a
column like that leaves nothing. That it should do for every limit is two thirds of the points."""

CONSTANTS = {
    **{str(one): one for one in (0, 0.0, 0.5, 1, 1.0, -1.0, 2.0, 1e-6, 1e6, NAN, INF, -INF, True)},
    **{
        repr(one): one for one in (None, "", "x", (), [], {}, {"loss": 0.0}, [0.0, 1.0], (0.0, 0.0))
    },
    "a row of ones": [[1.0, 1.0]],
    "a column of ones": [[1.0], [1.0]],
    "the unit matrix": [[1.0, 0.0], [0.0, 1.0]],
    "nan for arrays": np.full((2, 2), np.nan),
}

OF_AN_ARGUMENT = {
    "itself": lambda one: one,
    "zeros like it": lambda one: jax.tree.map(jnp.zeros_like, one),
    "ones like it": lambda one: jax.tree.map(jnp.ones_like, one),
    "nan like it": lambda one: jax.tree.map(lambda leaf: leaf * jnp.nan, one),
    "infinity like it": lambda one: jax.tree.map(lambda leaf: jnp.full_like(leaf, jnp.inf), one),
    "random numbers like it": lambda one: jax.tree.map(
        lambda leaf: jnp.float32(np.random.default_rng(0).normal(size=np.shape(leaf))), one
    ),
    "itself without derivative": lambda one: jax.tree.map(jax.lax.stop_gradient, one),
    "its negative": lambda one: jax.tree.map(jnp.negative, one),
    "itself in a row": lambda one: jnp.asarray(one)[None],
    "itself flattened": lambda one: jax.tree.map(jnp.ravel, one),
    "its sum": lambda one: sum(map(jnp.sum, jax.tree.leaves(one))),
    "itself as integers": lambda one: jax.tree.map(jnp.int32, one),
    "itself in half precision": lambda one: jax.tree.map(jnp.bfloat16, one),
}


def exercise_of(name):
    return variant(SEEDS[name[0]], name[1]).exercise if isinstance(name, tuple) else EXERCISES[name]


def right_answer(name):
    if isinstance(name, tuple):
        return solution(variant(SEEDS[name[0]], name[1]))
    bank = import_module(f"test_{name}")
    right = getattr(bank, "UNUSUAL", None) or getattr(bank, "RIGHT", None)
    if right is None:
        return bank.right
    return next(iter(right.values() if isinstance(right, dict) else right))


def seen_of(exercise, answer):
    return observe(exercise.probe, answer, [case.arguments for case in exercise.cases]).seen


def raises(*_):
    raise NotImplementedError


def trivial_answers(exercise):
    yield "raises", raises
    random = np.random.default_rng(0)
    yield "random", lambda *_: random.normal()
    for words, constant in CONSTANTS.items():
        yield f"always {words}", lambda *_, constant=constant: constant
    for place in range(max(len(case.arguments) for case in exercise.cases) + 1):
        for words, made in OF_AN_ARGUMENT.items():
            yield (
                f"argument {place}: {words}",
                lambda *given, place=place, made=made: made(given[place]),
            )


def earned(exercise, trivial):
    """What each of some trivial answers has earned, where that is anything."""
    credits = {words: exercise.credit(exercise.examine(answer)) for words, answer in trivial}
    return {words: credit for words, credit in credits.items() if credit}


def reasoned(name, words):
    return {
        given: credit for (one, given), credit in REASONED.items() if one == name and given in words
    }


@pytest.mark.parametrize("name", ALL, ids=str)
def test_an_answer_in_which_nothing_was_solved_earns_nothing(name):
    exercise = exercise_of(name)
    trivial = dict(trivial_answers(exercise))
    assert earned(exercise, trivial.items()) == reasoned(name, trivial)


@pytest.mark.parametrize("name", ALL, ids=str)
def test_the_form_of_a_right_result_alone_earns_nothing(name):
    """Sent as it is, whatever the probe: beside an answer, its data could be anything."""
    exercise = exercise_of(name)
    right = seen_of(exercise, right_answer(name))
    assert exercise.judge(Answered(right)).passed
    credits = {}
    for number in (0.0, 1.0, NAN, INF, -INF):
        filled = tuple(
            Seen(jax.tree.map(lambda leaf, number=number: np.full_like(leaf, number), one.value))
            for one in right
            if not isinstance(one.value, str)
        )
        if filled:
            credit = exercise.credit(exercise.judge(Answered(filled)))
            credits[f"the form, full of {number}"] = credit
    assert {words: credit for words, credit in credits.items() if credit} == reasoned(name, credits)


@pytest.mark.parametrize("name", ALL, ids=str)
def test_one_right_result_for_every_run_earns_nothing(name):
    exercise = exercise_of(name)
    if exercise.probe in ("at_tensor", "unroll", "update"):
        return  # their results are not what the answer returns: see the next test
    right = seen_of(exercise, right_answer(name))
    trivial = {
        f"always what is right in run {number}": lambda *_, value=one.value: value
        for number, one in enumerate(right, start=1)
    }
    assert earned(exercise, trivial.items()) == reasoned(name, trivial)


@pytest.mark.parametrize("name", ALL, ids=str)
def test_what_a_probe_makes_earns_nothing_where_an_answer_returns_it(name):
    exercise = exercise_of(name)
    if exercise.probe not in ("at_tensor", "unroll", "update"):
        return
    stored = [one.value for one in seen_of(exercise, right_answer(name))]
    forged = iter(stored)
    finding = exercise.examine(lambda *_: next(forged))
    assert exercise.credit(finding) == 0
    assert finding.name in ("returns_other", "shape_changed", "structure_changed")
    assert "returned a dict" in finding.message


WEIRD = (
    *(None, 10**300, NAN, "x", 1j * np.ones(2), np.ones((1, 2, 3), np.float16), np.zeros(0)),
    *(
        (),
        [[1.0], [1.0, 2.0]],
        {"loss": "x"},
        {"failed": ["x" * 10**6]},
        {"returned": [1.0]},
        {1: 2},
    ),
)


@pytest.mark.parametrize("name", ALL, ids=str)
def test_a_judge_bears_what_is_odd_in_one_run_or_in_one_part_of_each(name):
    exercise = exercise_of(name)
    right = seen_of(exercise, right_answer(name))
    for odd in WEIRD:
        for place in range(len(right)):
            seen = [*right[:place], Seen(odd), *right[place + 1 :]]
            finding = exercise.judge(Answered(tuple(seen)))
            assert not finding.passed
            assert len(finding.message) <= 1000
        parts = right[0].value if isinstance(right[0].value, dict) else {}
        for part in (*parts, "failed"):
            seen = [Seen({**one.value, part: odd}) for one in right if isinstance(one.value, dict)]
            if seen:
                assert len(exercise.judge(Answered(tuple(seen))).message) <= 1000
