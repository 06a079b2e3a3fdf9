"""Answers in which nothing was solved, and what an exercise gives for them: nothing, it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.exercises.checking.findings import Exercise
from gradlab.exercises.checking.probes import Observation, Observations

Answer = Callable[..., Any]
Credits = dict[str, float]
"""What some answers or results have earned, in words, where that is anything."""

NAN, INF = float("nan"), float("inf")
MADE_BY_A_PROBE = ("at_tensor", "unroll", "update")
"""The probes whose results are not what the answer returns."""

CONSTANTS = {
    repr(constant): constant
    for constant in (
        *(0, 0.0, 0.5, 1, 1.0, -1.0, 2.0, 1e-6, 1e6, NAN, INF, -INF, True),
        *(None, "", "x", (), [], {}, {"loss": 0.0}, [0.0, 1.0], (0.0, 0.0)),
        *([[1.0, 1.0]], [[1.0], [1.0]], [[1.0, 0.0], [0.0, 1.0]], np.full((2, 2), np.nan)),
    )
}

OF_AN_ARGUMENT: Mapping[str, Answer] = {
    "itself": lambda given: given,
    "zeros like it": lambda given: jax.tree.map(jnp.zeros_like, given),
    "ones like it": lambda given: jax.tree.map(jnp.ones_like, given),
    "nan like it": lambda given: jax.tree.map(lambda leaf: leaf * jnp.nan, given),
    "infinity like it": lambda given: jax.tree.map(
        lambda leaf: jnp.full_like(leaf, jnp.inf), given
    ),
    "random numbers like it": lambda given: jax.tree.map(
        lambda leaf: jnp.float32(np.random.default_rng(0).normal(size=np.shape(leaf))), given
    ),
    "itself without derivative": lambda given: jax.tree.map(jax.lax.stop_gradient, given),
    "its negative": lambda given: jax.tree.map(jnp.negative, given),
    "itself in a row": lambda given: jnp.asarray(given)[None],
    "itself flattened": lambda given: jax.tree.map(jnp.ravel, given),
    "its sum": lambda given: sum(map(jnp.sum, jax.tree.leaves(given))),
    "itself as integers": lambda given: jax.tree.map(jnp.int32, given),
    "itself in half precision": lambda given: jax.tree.map(jnp.bfloat16, given),
}

ODD = (
    *(None, 10**300, NAN, "x", 1j * np.ones(2), np.ones((1, 2, 3), np.float16), np.zeros(0)),
    *((), [[1.0], [1.0, 2.0]], {"loss": "x"}, {"failed": ["x" * 10**6]}, {"returned": [1.0]}),
    {1: 2},
)


def raises(*_: Any) -> Any:
    raise NotImplementedError


def constant_answers() -> Iterator[tuple[str, Answer]]:
    random = np.random.default_rng(0)
    yield "raises", raises
    yield "random", lambda *_: random.normal()
    for words, constant in CONSTANTS.items():
        yield f"always {words}", lambda *_, constant=constant: constant


def answers_of_an_argument(place: int) -> Iterator[tuple[str, Answer]]:
    for words, made in OF_AN_ARGUMENT.items():
        yield f"argument {place}: {words}", lambda *given, made=made: made(given[place])


def earned_by_answers(exercise: Exercise, answers: Mapping[str, Answer]) -> Credits:
    """Return what each answer has earned, where that is anything."""
    credits = {
        words: exercise.credit(exercise.examine(answer)) for words, answer in answers.items()
    }
    return {words: credit for words, credit in credits.items() if credit}


def earned_by_the_form_alone(exercise: Exercise, right: Sequence[Observation]) -> Credits:
    """Return what results of the right form earn that are full of one number.

    They are sent as they are, whatever the probe: beside an answer, its data could be anything.
    """
    credits = {}
    for number in (0.0, 1.0, NAN, INF, -INF):
        filled = tuple(
            Observation(jax.tree.map(lambda leaf, n=number: np.full_like(leaf, n), seen.value))
            for seen in right
            if not isinstance(seen.value, str)
        )
        if filled:
            credit = exercise.credit(exercise.judge(Observations(filled)))
            credits[f"the form, full of {number}"] = credit
    return {words: credit for words, credit in credits.items() if credit}


def earned_by_one_right_result(exercise: Exercise, right: Sequence[Observation]) -> Credits:
    """Return what answers earn that return for every run what is right in one."""
    if exercise.probe in MADE_BY_A_PROBE:
        return {}
    answers = {
        f"always what is right in run {number}": lambda *_, value=seen.value: value
        for number, seen in enumerate(right, start=1)
    }
    return earned_by_answers(exercise, answers)


def assert_a_forged_probe_is_found_out(exercise: Exercise, right: Sequence[Observation]) -> None:
    """Assert that an answer earns nothing if it returns what the probe makes of a right one."""
    if exercise.probe not in MADE_BY_A_PROBE:
        return
    stored = iter([seen.value for seen in right])
    finding = exercise.examine(lambda *_: next(stored))
    assert exercise.credit(finding) == 0
    assert finding.name in ("returns_other", "shape_changed", "structure_changed")
    assert "returned a dict" in finding.message


def assert_the_odd_is_borne(exercise: Exercise, right: Sequence[Observation]) -> None:
    """Assert that a judge bears what is odd in one run, or in one part of each."""
    parts = right[0].value if isinstance(right[0].value, dict) else {}
    for odd in ODD:
        for place in range(len(right)):
            seen = [*right[:place], Observation(odd), *right[place + 1 :]]
            finding = exercise.judge(Observations(tuple(seen)))
            assert not finding.passed
            assert len(finding.message) <= 1000
        for part in (*parts, "failed"):
            seen = [
                Observation({**run.value, part: odd})
                for run in right
                if isinstance(run.value, dict)
            ]
            assert not seen or len(exercise.judge(Observations(tuple(seen))).message) <= 1000
