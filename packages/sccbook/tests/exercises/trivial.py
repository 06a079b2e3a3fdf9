"""Trivial answers, which solve nothing and should earn nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sccbook.checking.findings import Exercise
from sccbook.checking.plain_data import Other
from sccbook.checking.probes import FAILED, VALUE, Observation, Observations

Answer = Callable[..., Any]

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
    *(None, 10**300, NAN, "x", Other("set"), 1j * np.ones(2), np.zeros(0)),
    *((), [], {}, [[1.0], [1.0, 2.0]], [None, [1, [2.0]]], np.ones((1, 2, 3), np.float16)),
    *({VALUE: None}, {VALUE: np.zeros((0, 2))}, {"loss": 1.0}, {"loss": "x"}),
    *({"failed": ["x" * 10**6]}, {"returned": [1.0]}, {1: 2}),
)


def raises(*_: Any) -> Any:
    raise NotImplementedError


def trivial_answers(
    exercise: Exercise, right: Sequence[Observation], places: Iterable[int]
) -> Iterator[tuple[str, Answer]]:
    """Make the answers, each with a few words for it.

    Args:
      exercise: what they answer.
      right: what is seen of a right answer.
      places: of the arguments that are returned, as they are or changed a little.
    """
    random = np.random.default_rng(0)
    yield "raises", raises
    yield "random", lambda *_: random.normal()
    for words, constant in CONSTANTS.items():
        yield f"always {words}", lambda *_, constant=constant: constant
    if exercise.probe not in MADE_BY_A_PROBE:
        for run, seen in enumerate(right, start=1):
            yield f"always what is right in run {run}", lambda *_, value=seen.value: value
    for place in places:
        for words, made in OF_AN_ARGUMENT.items():
            of_it = f"argument {place}: {words}"
            yield of_it, lambda *given, place=place, made=made: made(given[place])


def earned(
    exercise: Exercise, right: Sequence[Observation], places: Iterable[int]
) -> dict[str, float]:
    """Return what trivial answers earn, and results of the right form that are full of one number.

    The latter are judged as they are, whatever the probe: beside an answer, its data could be
    anything. Where nothing is earned, nothing is returned.
    """
    findings = {
        words: exercise.examine(answer)
        for words, answer in trivial_answers(exercise, right, places)
    }
    if not any(isinstance(seen.value, str) for seen in right):
        for number in (0.0, 1.0, NAN, INF, -INF):
            filled = jax.tree.map(
                lambda leaf, n=number: np.full_like(leaf, n), [seen.value for seen in right]
            )
            forged = Observations(tuple(map(Observation, filled)))
            findings[f"the form, full of {number}"] = exercise.judge(forged)
    credits = {words: exercise.credit(finding) for words, finding in findings.items()}
    return {words: credit for words, credit in credits.items() if credit}


def assert_a_forged_probe_is_found_out(exercise: Exercise, right: Sequence[Observation]) -> None:
    """Assert that returning a probe's own data earns nothing."""
    if exercise.probe not in MADE_BY_A_PROBE:
        return
    stored = iter([seen.value for seen in right])
    finding = exercise.examine(lambda *_: next(stored))
    assert exercise.credit(finding) == 0
    assert finding.name in ("returns_other", "shape_changed", "structure_changed")
    assert "returned a dict" in finding.message


def assert_the_odd_is_borne(exercise: Exercise, right: Sequence[Observation]) -> None:
    """Assert that a judge survives odd data in all runs, in one, or in one part of each."""
    parts = {*right[0].value, FAILED} if isinstance(right[0].value, dict) else ()
    for odd in ODD:
        seen = [[Observation(odd)] * len(right)]
        for place in range(len(right)):
            seen.append([*right[:place], Observation(odd), *right[place + 1 :]])
        findings = [exercise.judge(Observations(tuple(runs))) for runs in seen]
        assert not any(finding.passed for finding in findings)
        for part in parts:
            runs = [Observation({**run.value, part: odd}) for run in right]
            findings.append(exercise.judge(Observations(tuple(runs))))
        assert all(len(finding.message) <= 1000 for finding in findings)
