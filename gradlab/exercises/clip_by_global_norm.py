"""Chapter 08: write ``clip_by_global_norm(grads, max_norm)``, which returns the gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Misconception, in_numpy
from gradlab.exercises.checking.findings import Case, Exercise, Finding
from gradlab.exercises.checking.probes import Answered


def _case(words: str, max_norm: float, **leaves: Any) -> Case:
    grads = jax.tree.map(
        lambda leaf: np.asarray(leaf, np.float32), leaves, is_leaf=lambda one: isinstance(one, list)
    )
    return Case((grads, max_norm), f"for {words} and max_norm = {max_norm:g}")


CASES = (
    _case("gradients of norm 5 and 12", 6.5, w=[[3.0, 0.0], [0.0, 4.0]], b=[12.0, 0.0]),
    _case("gradients of norm 0.3 and 0.4", 1.0, w=[[0.3, 0.0], [0.0, 0.0]], b=[0.0, -0.4]),
    _case("two gradients of norm 0.8 each", 1.0, w=[[0.8, 0.0], [0.0, 0.0]], b=[0.0, -0.8]),
    _case("gradients of norm 6 and 8", 10.0, w=[[6.0, 0.0], [0.0, 0.0]], b=[-8.0, 0.0]),
    _case("gradients of norm 30 and 40", 0.25, w=[[-30.0, 0.0], [0.0, 0.0]], b=[24.0, 32.0]),
    _case("gradients that are all zero", 1.0, w=[[0.0, 0.0], [0.0, 0.0]], b=[0.0, 0.0]),
    _case("tiny gradients", 1.0, w=[[3e-6, 0.0], [0.0, 0.0]], b=[0.0, 4e-6]),
    _case(
        "a dict within a dict, with norms 3, 4 and 12",
        2.0,
        w=[[1.0, 2.0], [2.0, 0.0]],
        b=[-4.0, 0.0],
        head={"w": [[0.0, 0.0, 12.0]]},
    ),
)


def right(grads: Any, max_norm: Any) -> Any:
    """The answer: all leaves shortened by one factor where their joint norm is too long."""
    return _by(_norm, grads, max_norm)


def _norm(grads: Any) -> Any:
    return np.sqrt(_sum(np.square, grads))


def _by(size: Callable[[Any], Any], grads: Any, max_norm: Any) -> Any:
    """The answer with another size in place of the norm."""
    whole = size(grads)
    factor = max_norm / whole if whole > max_norm else 1.0
    return jax.tree.map(lambda g: g * factor, grads)


def _times(factor: Callable[[Any, Any], Any], grads: Any, max_norm: Any) -> Any:
    """The gradients times what ``factor`` makes of their norm and the limit."""
    scale = factor(_norm(grads), max_norm)
    return jax.tree.map(lambda g: g * scale, grads)


def _sum(f: Callable[[Any], Any], grads: Any) -> Any:
    return sum(np.sum(f(np.asarray(leaf, float))) for leaf in jax.tree.leaves(grads))


def _count(grads: Any) -> int:
    return sum(leaf.size for leaf in jax.tree.leaves(grads))


def _norms(grads: Any) -> list[Any]:
    return [_norm(leaf) for leaf in jax.tree.leaves(grads)]


def _norm_of_one(index: int, grads: Any) -> Any:
    return _norms(grads)[index]


def _leaf_alone(index: int, grads: Any, max_norm: Any) -> Any:
    leaves, structure = jax.tree.flatten(grads)
    clipped, _ = jax.tree.flatten(right(grads, max_norm))
    leaves[index] = clipped[index]
    return jax.tree.unflatten(structure, leaves)


def _each_to(grads: Any, max_norm: Any) -> Any:
    """Every leaf brought to the limit, however short; a zero leaf stays zero."""
    return jax.tree.map(lambda g: g * (max_norm / np.maximum(_norm(g), 1e-30)), grads)


def _or_one(n: Any) -> Any:
    return np.where(n == 0, 1.0, n)


EPSILONS = tuple(10.0**-power for power in range(3, 13))
_EPSILON = (
    "long gradients come out right, but short ones are changed, and they should be left alone: "
    "{run} the result should be {expected}, but it is {given}. Look at what is added to the norm."
)

MISCONCEPTIONS = (
    Misconception(
        "identity",
        "the gradients come back as they went in, however long they are.",
        lambda grads, max_norm: grads,
    ),
    Misconception(
        "clips_each_leaf",
        "each array is clipped by itself. Their lengths change by different factors, and the "
        "direction of the whole is lost. All arrays share one norm, and one factor.",
        lambda grads, max_norm: jax.tree.map(lambda g: right(g, max_norm), grads),
    ),
    Misconception(
        "clips_by_value",
        "each entry is cut by itself. That is a clip by value: it turns the gradient. A clip by "
        "norm multiplies all entries by one factor.",
        lambda grads, max_norm: jax.tree.map(lambda g: np.clip(g, -max_norm, max_norm), grads),
    ),
    *(
        Misconception(
            "always_normalised",
            "gradients that are shorter than the limit are lengthened to it. That is a "
            "normalisation. A clip leaves alone what is short enough.",
            partial(_times, factor),
        )
        for factor in (
            lambda n, c: c / _or_one(n),
            lambda n, c: c / n,  # NaN at zero
            *(lambda n, c, e=epsilon: c / (n + e) for epsilon in EPSILONS),
        )
    ),
    Misconception(
        "each_normalised",
        "every array is brought to the limit by itself, long or short. A clip leaves alone what "
        "is short enough, and a global one takes all arrays together.",
        _each_to,
    ),
    Misconception(
        "unit_length",
        "the gradients are brought to the length 1, whatever the limit.",
        partial(_times, lambda n, c: 1 / _or_one(n)),
    ),
    Misconception(
        "ignores_the_limit",
        "they are clipped, but to the length 1 whatever max_norm is.",
        partial(_times, lambda n, c: np.minimum(1.0, 1 / _or_one(n))),
    ),
    Misconception(
        "squared",
        "the norm is squared where it should not be: a root is missing.",
        partial(_by, lambda grads: _norm(grads) ** 2),
    ),
    Misconception(
        "sum_of_norms",
        "the norms of the arrays are added up. Norms do not add: two arrows at a right angle, 3 "
        "and 4 long, are 5 long together and not 7.",
        partial(_by, lambda grads: sum(_norms(grads))),
    ),
    Misconception(
        "sum_of_sizes",
        "the size is measured by the sum of the entries' absolute values. The Euclidean norm is "
        "the one that is meant.",
        partial(_by, partial(_sum, np.abs)),
    ),
    Misconception(
        "largest_norm",
        "the size is that of the largest array alone. All of them make up the norm together.",
        partial(_by, lambda grads: max(_norms(grads))),
    ),
    Misconception(
        "largest_entry",
        "the size is measured by the largest entry. The Euclidean norm is the one that is meant.",
        partial(_by, lambda grads: max(np.max(np.abs(g)) for g in jax.tree.leaves(grads))),
    ),
    Misconception(
        "root_mean_square",
        "the squares are averaged where they should be added up: a root mean square is a limit "
        "for the typical entry, and not for the length.",
        partial(_by, lambda grads: np.sqrt(_sum(np.square, grads) / _count(grads))),
    ),
    Misconception(
        "average_norm",
        "the norm is divided by how many entries there are. The limit is for the norm itself.",
        partial(_by, lambda grads: _norm(grads) / _count(grads)),
    ),
    Misconception(
        "signed_sum",
        "the entries are added up as they are: those of different signs cancel. A length has no "
        "sign.",
        partial(_by, lambda grads: np.abs(_sum(lambda g: g, grads))),
    ),
    *(
        Misconception(
            "one_array_measured",
            "only one of the arrays is measured, and its factor is given to all.",
            partial(_by, partial(_norm_of_one, n)),
        )
        for n in (0, -1)
    ),
    *(
        Misconception(
            "one_array_clipped",
            "the factor is right, but only one of the arrays is multiplied by it.",
            partial(_leaf_alone, n),
        )
        for n in (0, -1)
    ),
    *(
        Misconception(
            "only_lengthens",
            "what is too long is left alone, and what is short grows. The two have changed places: "
            "is it a minimum or a maximum?",
            partial(_times, factor),
        )
        for factor in (
            lambda n, c: np.maximum(1.0, c / _or_one(n)),
            lambda n, c: np.maximum(1.0, c / n),  # NaN at zero
        )
    ),
    Misconception(
        "multiplied_by_the_limit",
        "the gradients are multiplied by max_norm, however long they are. That is a scale.",
        partial(_times, lambda n, c: c),
    ),
    Misconception(
        "dropped",
        "gradients that are too long become 0. A clip shortens them and keeps their direction.",
        partial(_times, lambda n, c: np.where(n > c, 0.0, 1.0)),
    ),
    Misconception(
        "upside_down",
        "long gradients are multiplied by norm / max_norm: they grow. The factor is upside down.",
        partial(_times, lambda n, c: np.maximum(1.0, n / c)),
    ),
    Misconception(
        "limit_forgotten_in_the_factor",
        "long gradients are divided by their norm and so are 1 long, whatever the limit.",
        partial(_times, lambda n, c: np.where(n > c, 1 / _or_one(n), 1.0)),
    ),
    Misconception(
        "nan_at_zero",
        "everything is right but for one thing: gradients that are all zero become NaN. Zero is "
        "divided by zero there, and one such step ruins every parameter.",
        partial(_times, lambda n, c: np.minimum(n, c) / n),
    ),
    *(
        Misconception("short_ones_change", _EPSILON, partial(_times, factor))
        for epsilon in EPSILONS
        for factor in (
            lambda n, c, e=epsilon: np.minimum(n, c) / (n + e),
            lambda n, c, e=epsilon: np.minimum(n, c) / np.sqrt(n * n + e),
        )
    ),
)
PASSED = (
    "long gradients are shortened by one factor, and keep their direction; short ones, and zero, "
    "are left alone."
)


compare = Comparison(
    cases=CASES, right=right, misconceptions=MISCONCEPTIONS, passed=PASSED, known=in_numpy
)


def judge(answered: Answered) -> Finding:
    """Finds what an answer, which should be ``clip_by_global_norm(grads, max_norm)``, gets wrong."""
    found = _another_result(answered.seen[0].value) if answered.seen else None
    return found or compare(answered)


def _another_result(result: Any) -> Finding | None:
    """What can be said of an answer that returns more than the gradients, or something else."""
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], dict):
        return Finding(
            "returns_a_pair",
            "it returns a pair, as TensorFlow's function does. Return the clipped gradients alone.",
        )
    if isinstance(result, float | np.ndarray) and np.shape(result) == () and np.isrealobj(result):
        return Finding(
            "returns_one_number",
            f"it returns one number, {np.asarray(result, float):.4g}. Its result goes to the optimizer in the "
            "place of the gradients: return a dict like grads.",
        )
    return None


EXERCISE = Exercise(
    "clip_by_global_norm",
    probe="returned_of_jax",
    cases=CASES,
    judge=judge,
    partial={
        "short_ones_change": 0.75,
        "nan_at_zero": 0.75,
        "squared": 0.5,
        "one_array_clipped": 0.5,
        "limit_forgotten_in_the_factor": 0.25,
    },
)
