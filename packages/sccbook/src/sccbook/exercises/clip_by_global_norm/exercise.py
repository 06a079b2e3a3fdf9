"""Assignment 3: write ``clip_by_global_norm(grads, max_norm)``, which returns the gradients."""

from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    Mistake,
    Observations,
    in_numpy,
    leaves,
    map_arrays,
)


def _case(words: str, max_norm: float, *, tiny: bool = False, **grads: Any) -> Case:
    return Case((_arrays(grads), max_norm), f"for {words} and max_norm = {max_norm:g}", tiny)


def _arrays(grads: Any) -> Any:
    """Turn lists in nested dicts into float32 arrays, the keys in order."""
    if isinstance(grads, dict):
        return {name: _arrays(grads[name]) for name in sorted(grads)}
    return np.float32(grads)


CASES = (
    _case("gradients of norm 5 and 12", 6.5, w=[[3.0, 0.0], [0.0, 4.0]], b=[12.0, 0.0]),
    _case("gradients of norm 0.3 and 0.4", 1.0, w=[[0.3, 0.0], [0.0, 0.0]], b=[0.0, -0.4]),
    _case("two gradients of norm 0.8 each", 1.0, w=[[0.8, 0.0], [0.0, 0.0]], b=[0.0, -0.8]),
    _case("gradients of norm 6 and 8", 10.0, w=[[6.0, 0.0], [0.0, 0.0]], b=[-8.0, 0.0]),
    _case("gradients of norm 30 and 40", 0.25, w=[[-30.0, 0.0], [0.0, 0.0]], b=[24.0, 32.0]),
    _case("gradients that are all zero", 1.0, w=[[0.0, 0.0], [0.0, 0.0]], b=[0.0, 0.0]),
    _case("tiny gradients", 1.0, w=[[3e-6, 0.0], [0.0, 0.0]], b=[0.0, 4e-6], tiny=True),
    _case(
        "a dict within a dict, with norms 3, 4 and 12",
        2.0,
        w=[[1.0, 2.0], [2.0, 0.0]],
        b=[-4.0, 0.0],
        head={"w": [[0.0, 0.0, 12.0]]},
    ),
)


def _flat(grads: Any) -> np.ndarray:
    """Join all entries of all arrays into one vector."""
    return np.concatenate([np.ravel(leaf) for leaf in leaves(grads)]).astype(float)


def _norm(grads: Any) -> Any:
    return np.linalg.norm(_flat(grads))


def _norms(grads: Any) -> list[Any]:
    return [np.linalg.norm(leaf) for leaf in leaves(grads)]


def _times(factor: Function) -> Function:
    """Multiply all arrays by one factor, made of their joint norm and the limit."""
    return lambda grads, c: map_arrays(lambda g: g * factor(_norm(grads), c), grads)


def _by(size: Function) -> Function:
    """Make the right answer with another size in place of the norm."""
    return lambda grads, c: map_arrays(lambda g: g * min(1.0, c / size(grads)), grads)


right = _by(_norm)

EPSILONS = tuple(10.0**-power for power in range(3, 13))

MISCONCEPTIONS = (
    Misconception(
        "identity",
        "the gradients come back as they went in, however large they are.",
        lambda grads, c: grads,
    ),
    Misconception(
        "clips_each_leaf",
        "each array is clipped by itself. The arrays get different factors, so the gradient's "
        "direction changes. All arrays share one norm and one factor.",
        lambda grads, c: map_arrays(lambda g: right(g, c), grads),
    ),
    Misconception(
        "clips_columns",
        "each column of an array, or each row, is clipped by itself, as in a cap on weights. A gradient is one "
        "vector: all entries of all arrays share one norm and one factor.",
        *(
            lambda grads, c, axis=axis: map_arrays(
                lambda g: g * np.minimum(1.0, c / np.linalg.norm(g, axis=axis, keepdims=True)),
                grads,
            )
            for axis in (0, -1)
        ),
    ),
    Misconception(
        "clips_by_value",
        "each entry is clipped by itself. That's a clip by value, which turns the gradient. A "
        "clip by norm multiplies all entries by one factor.",
        lambda grads, c: map_arrays(lambda g: np.clip(g, -c, c), grads),
    ),
    Misconception(
        "always_normalised",
        "gradients below the limit are scaled up to it. That's a normalisation. A clip leaves "
        "gradients below the limit alone.",
        _times(lambda n, c: c / (n or 1.0)),
        _times(lambda n, c: c / n),  # NaN at zero
    ),
    Misconception(
        "each_normalised",
        "every array is scaled to the limit by itself, up or down. A clip leaves gradients below "
        "the limit alone, and a global clip measures all arrays together.",
        lambda grads, c: map_arrays(lambda g: g * (c / max(_norm(g), 1e-30)), grads),
    ),
    Misconception(
        "unit_length",
        "the gradients are scaled to norm 1, whatever the limit.",
        _times(lambda n, c: 1 / (n or 1.0)),
    ),
    Misconception(
        "ignores_the_limit",
        "the gradients are clipped, but to norm 1, whatever max_norm is.",
        lambda grads, c: right(grads, 1.0),
    ),
    Misconception(
        "squared",
        "the norm is squared where it shouldn't be: a root is missing.",
        _by(lambda grads: _norm(grads) ** 2),
    ),
    Misconception(
        "sum_of_norms",
        "the norms of the arrays are added up. But norms don't add up: two arrays with norms 3 "
        "and 4 have a joint norm of 5, not 7.",
        _by(lambda grads: sum(_norms(grads))),
    ),
    Misconception(
        "sum_of_sizes",
        "the size is measured as the sum of the entries' absolute values. Use the Euclidean norm.",
        _by(lambda grads: np.sum(np.abs(_flat(grads)))),
    ),
    Misconception(
        "largest_norm",
        "only the largest array is measured. The norm is that of all arrays together.",
        _by(lambda grads: max(_norms(grads))),
    ),
    Misconception(
        "largest_entry",
        "the size is measured as the largest entry. Use the Euclidean norm.",
        _by(lambda grads: np.max(np.abs(_flat(grads)))),
    ),
    Misconception(
        "root_mean_square",
        "the squares are averaged where they should be added up: a root mean square limits the "
        "typical entry, not the norm.",
        _by(lambda grads: np.sqrt(np.mean(_flat(grads) ** 2))),
    ),
    Misconception(
        "average_norm",
        "the norm is divided by the number of entries. The limit is for the norm itself.",
        _by(lambda grads: _norm(grads) / _flat(grads).size),
    ),
    Misconception(
        "signed_sum",
        "the entries are added up as they are, so those with opposite signs cancel. A norm "
        "ignores signs.",
        _by(lambda grads: np.abs(np.sum(_flat(grads)))),
    ),
    Misconception(
        "one_array_measured",
        "only one of the arrays is measured, and all are multiplied by its factor.",
        _by(lambda grads: _norms(grads)[0]),
        _by(lambda grads: _norms(grads)[-1]),
    ),
    Misconception(
        "one_array_clipped",
        "the factor is right, but only one of the arrays is multiplied by it.",
        lambda grads, c: {**grads, "w": right(grads, c)["w"]},
        lambda grads, c: {**grads, "b": right(grads, c)["b"]},
    ),
    Misconception(
        "only_lengthens",
        "gradients above the limit are left alone, and smaller ones grow. That's the wrong way "
        "round: do you need a minimum or a maximum?",
        _times(lambda n, c: max(1.0, c / (n or c))),
        _times(lambda n, c: max(1.0, c / n)),  # NaN at zero
    ),
    Misconception(
        "multiplied_by_the_limit",
        "the gradients are multiplied by max_norm, however large they are. That's a scale.",
        _times(lambda n, c: c),
    ),
    Misconception(
        "dropped",
        "gradients above the limit become 0. A clip scales them down and keeps their direction.",
        _times(lambda n, c: 0.0 if n > c else 1.0),
    ),
    Misconception(
        "upside_down",
        "large gradients are multiplied by norm / max_norm, so they grow. The factor is upside "
        "down.",
        _times(lambda n, c: max(1.0, n / c)),
    ),
    Misconception(
        "limit_forgotten_in_the_factor",
        "large gradients are divided by their norm, so their norm is 1, whatever the limit.",
        _times(lambda n, c: 1 / n if n > c else 1.0),
    ),
    Misconception(
        "nan_at_zero",
        "everything is right except one thing: gradients that are all zero become NaN. Zero is "
        "divided by zero there, and one such step ruins every parameter.",
        _times(lambda n, c: min(n, c) / n),
    ),
    Misconception(
        "short_ones_change",
        "large gradients come out right, but small ones are changed, and they should be left alone: {run} the result "
        "should be {expected}, but it is {given}. Look at what is added to the norm.",
        *(_times(lambda n, c, e=e: min(n, c) / (n + e)) for e in EPSILONS),
        *(_times(lambda n, c, e=e: min(n, c) / np.sqrt(n * n + e)) for e in EPSILONS),
    ),
)
PASSED = (
    "large gradients are scaled down by one factor and keep their direction; small ones, and "
    "zero, are left alone."
)


def _first(observations: Observations) -> None:
    result = observations.first.value
    if isinstance(result, tuple) and len(result) == 2 and isinstance(result[0], dict):
        raise Mistake(
            "returns_a_pair",
            "it returns a pair, as TensorFlow's function does. Return the clipped gradients alone.",
        )
    if isinstance(result, float | np.ndarray) and np.shape(result) == () and np.isrealobj(result):
        raise Mistake(
            "returns_one_number",
            f"it returns one number, {np.asarray(result, float):.4g}. Its result goes to the optimizer in "
            "place of the gradients: return a dict like grads.",
        )


EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    first=_first,
).exercise(
    "clip_by_global_norm",
    partial={
        "short_ones_change": 0.75,
        "nan_at_zero": 0.75,
        "squared": 0.5,
        "one_array_clipped": 0.5,
        "limit_forgotten_in_the_factor": 0.25,
    },
)
