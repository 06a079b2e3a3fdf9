"""The operations that an exam is drawn from, and exercises that tell each from its neighbours.

An operation takes what the entries of a part v of an array have above the part's base m, measures it
by a norm n, and multiplies it by a factor that depends on n and on a limit.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Misconception, close, in_numpy
from gradlab.exercises.checking.findings import Case, Exercise
from gradlab.exercises.checking.probes import BACK, TRACED, VALUE

Operation = Mapping[str, Any]
"""One value for each key of ``SPACE``."""
FORWARD, BACKWARD = "rescale_parts", "rescale_backward"
# The last norm, the last base and the last three factors are mistakes, or the book's, and never drawn.
BASES = {
    "mean": "np.mean(v, axis={axes}, keepdims=True)",
    "median": "np.median(v, axis={axes}, keepdims=True)",
    "smallest": "np.min(v, axis={axes}, keepdims=True)",
    "zero": "0.0",
}
NORMS = {
    "length": "np.sqrt(np.sum((v - m) ** 2, axis={axes}, keepdims=True))",
    "sum_of_sizes": "np.sum(np.abs(v - m), axis={axes}, keepdims=True)",
    "largest_size": "np.max(np.abs(v - m), axis={axes}, keepdims=True)",
    "sum_of_squares": "np.sum((v - m) ** 2, axis={axes}, keepdims=True)",
}
FACTORS = {
    "cap": "np.minimum(1, limit / n)",
    "half": "np.minimum(1, (n + limit) / (2 * n))",
    "root": "np.minimum(1, np.sqrt(limit / n))",
    "square": "np.minimum(1, (limit / n) ** 2)",
    "floor": "np.maximum(1, limit / n)",
    "soft": "limit / (limit + n)",
    "unchanged": "np.ones_like(n)",
    "always_scaled": "limit / n",
    "removed": "1.0 * (n <= limit)",
}
AXES = [[0], [1], [2], [0, 1], [0, 2], [1, 2]]
SPACE = {"base": [*BASES][:3], "norm": [*NORMS][:3], "factor": [*FACTORS][:6], "axes": AXES}
PARTIAL = {"zero_part": 0.75, "base_lost": 0.75, "other_axes": 0.5} | dict.fromkeys(NORMS, 0.5)


def formulas(operation: Operation) -> list[str]:
    """Return the base, the norm and the factor as NumPy's source text."""
    axes = None if operation["axes"] is None else tuple(operation["axes"])
    tables = (("base", BASES), ("norm", NORMS), ("factor", FACTORS))
    return [table[operation[key]].format(axes=axes) for key, table in tables]


def measured(operation: Operation, v: Any) -> tuple[Any, Any]:
    """Return each part's base, and the norm of what it has above it."""
    base, norm, _ = formulas(operation)
    m = eval(base, {"np": np, "v": v})
    return m, eval(norm, {"np": np, "v": v, "m": m})


def factor(operation: Operation, n: Any, limit: float) -> Any:
    """Return what a part of norm n is multiplied by."""
    return eval(formulas(operation)[2], {"np": np, "n": n, "limit": limit})


def act(operation: Operation, v: Any, limit: float) -> Any:
    """Return what an operation, or a neighbour of one, makes of an array."""
    m, n = measured(operation, np.asarray(v, float))
    f = factor(operation, n, operation.get("limit", limit))
    f = np.where(n == 0, operation.get("at_zero", 1.0), f)
    return m * operation.get("kept", 1) + (v - m) * f


def answer(name: str, operation: Operation) -> Callable[..., Any]:
    """Return a function that does what the exercise's probe sees of an answer."""
    if name == FORWARD:
        return lambda v, limit: act(operation, v, limit)
    return lambda x, g, limit: {VALUE: x, TRACED: x, BACK: act(operation, g, limit)}


def neighbours(operation: Operation) -> Iterator[tuple[str, str, Operation]]:
    """What others may take an operation for: its name, a message, and what differs."""
    clip = {"base": "zero", "norm": "length", "factor": "cap"}
    yield "unchanged", "all is left as it is.", {"factor": "unchanged"}
    yield "clip_by_global_norm", "all is clipped by one length.", {**clip, "axes": None}
    yield "max_norm", "each part is clipped by its own length.", clip
    yield "clip_by_value", "each entry is clipped by itself.", {**clip, "axes": []}
    yield "limit_ignored", "the limit is taken to be 1, whatever it is.", {"limit": 1.0}
    yield "zero_part", "zeros become NaN. Else it is right.", {"at_zero": np.nan}
    yield "base_lost", "the base is subtracted, and not added again.", {"kept": 0}
    yield "whole", "everything is taken for one part.", {"axes": None}
    for axes in AXES:
        yield "other_axes", "the parts lie along other axes.", {"axes": axes}
    for key, table in (("factor", FACTORS), ("norm", NORMS), ("base", BASES)):
        for other in table:
            yield other, f"the {key} is another one: {other.replace('_', ' ')}.", {key: other}


LIMITS = (
    (2, 0.5, 1),
    (2, 0.5, 1),
    (4, 0.5, 1),
    (5, 0.3, 1),
    (3, 0.7, 1),
    (4, 1, 20),
    (4, 0, 0.1),
    (3, 0, 0),
)
"""Of each input: its size, and the limit, as a multiple of a quantile of the parts' norms."""


def cases(name: str, operation: Operation, number: int) -> list[Case]:
    """Draw two public examples, then the inputs of the tests. In the last one, all is zero."""
    random, found = np.random.default_rng(number), []
    for size, quantile, times in LIMITS:
        shape = (3, size, 3)
        x, v = (
            random.integers(1, 13, (2, *shape)) * (random.integers(2, size=(2, *shape)) - 0.5) / 2
        )
        parts = [1 if axis in operation["axes"] else n for axis, n in enumerate(shape)]
        v = v * 2.0 ** random.integers(-1, 3, parts) * (times > 0)
        limit = round(float(np.quantile(measured(operation, v)[1], quantile)) * times, 2) or 1.5
        arrays = [np.float32(x), np.float32(v)][name == FORWARD :]
        found.append(Case((*arrays, limit), f"for an array of shape {shape} and limit = {limit:g}"))
    return found


def exercise(name: str, operation: Operation, number: int) -> Exercise:
    """Return the exercise that asks for an operation, with inputs drawn with a number.

    Raises:
      ValueError: if these inputs don't tell it and its neighbours apart.
    """
    runs, right, wrong = cases(name, operation, number)[2:], answer(name, operation), []
    done = [[in_numpy(right, *case.arguments) for case in runs]]
    for short, message, change in neighbours(operation):
        function = answer(name, {**operation, **change})
        does = [in_numpy(function, *case.arguments) for case in runs]
        if any(close(does, other, 1e-6) for other in done):
            continue  # one function, by another name
        if any(close(does, other, 2e-3) for other in done):
            raise ValueError(f"these inputs hardly tell {short} from its neighbours")
        done.append(does)
        wrong.append(Misconception(short, message, function))
    probe = "returned_of_jax" if name == FORWARD else "at_tensor"
    words = "each part is measured, and rescaled, as it should be."
    judge = Comparison(cases=runs, right=right, misconceptions=wrong, passed=words, probe=probe,
                       reference_probe=in_numpy)  # fmt: skip
    return judge.exercise(name, {m.name: PARTIAL[m.name] for m in wrong if m.name in PARTIAL})
