"""Chapter 14: write ``order(gradients, limit, steps)``, which tells from a log what a run did with its devices.

Given are the gradients of every device at a few steps, the limit, and the step that the run took each time, with the
learning rate 1 and no minus sign. One step does not tell all six apart.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
    renamed,
)

NAMES = ("right", "clip_first", "sum", "own_norms", "sum_of_norms", "copies")
RIGHT, CLIP_FIRST, SUM, OWN_NORMS, SUM_OF_NORMS, COPIES = NAMES
SIZE = 8
"""Weights; with n devices the i-th of them holds the i-th n-th of every mean where weights are split."""


def taken(name: str, g: Array, limit: float) -> Any:
    """Return the step of one name.

    Args:
      name: one of ``NAMES``.
      g: ``[devices, weights]``; the gradient of each device's share of the batch.
      limit: of the clip.

    Returns:
      ``[weights]``.
    """

    def clip(v: Array, norm: float | None = None) -> Any:
        return v * min(1.0, limit / (float(np.linalg.norm(v)) if norm is None else norm))

    devices, mean = len(g), np.mean(g, axis=0)
    parts = mean.reshape(devices, -1)
    norms = np.linalg.norm(parts, axis=1)
    if name == CLIP_FIRST:
        return np.mean([clip(one) for one in g], axis=0)
    if name == SUM:
        return clip(np.sum(g, axis=0))
    if name == OWN_NORMS:
        return np.concatenate([clip(part) for part in parts])
    if name == SUM_OF_NORMS:
        return clip(mean, float(np.sum(norms)))
    if name == COPIES:
        return clip(mean, float(np.sqrt(devices) * np.linalg.norm(mean)))
    return clip(mean)


def record(
    name: str, devices: int, lengths: Sequence[float], seed: int
) -> tuple[Array, float, Array]:
    """Log the steps of a run.

    Args:
      name: what it does, one of ``NAMES``.
      devices: how many; a divisor of ``SIZE``.
      lengths: of the mean gradient at each step, as multiples of the limit.
      seed: of the gradients.

    Returns:
      ``gradients`` ``[steps, devices, weights]``, the limit, and ``steps`` ``[steps, weights]``.
    """
    source = np.random.default_rng(seed)
    limit = float(source.choice([0.5, 1.0, 2.0, 5.0]))
    g = source.normal(size=(len(lengths), devices, SIZE)) + source.normal(size=SIZE)
    g *= np.exp(0.8 * source.normal(size=(len(lengths), devices, 1)))
    norms = np.linalg.norm(np.mean(g, axis=1), axis=1)
    g *= (limit * np.array(lengths) / norms)[:, None, None]
    return g, limit, np.array([taken(name, one, limit) for one in g])


CASES = tuple(
    Case(record(name, devices, lengths, seed), f"for log {seed}")
    for seed, (name, devices, lengths) in enumerate(
        (
            (CLIP_FIRST, 4, (3.0, 0.3, 1.5)),
            (RIGHT, 4, (3.0, 0.4, 6.0, 0.2)),
            (SUM, 4, (3.0, 0.3, 5.0)),
            (OWN_NORMS, 4, (0.3, 6.0, 2.5)),
            (COPIES, 4, (3.0, 0.7, 0.2)),
            (SUM_OF_NORMS, 4, (0.2, 3.0, 0.9)),
            (RIGHT, 2, (0.3, 0.2, 4.0)),
            (CLIP_FIRST, 8, (0.2, 0.5, 2.0, 0.1)),
            (OWN_NORMS, 2, (4.0, 0.3)),
            (SUM, 8, (0.2, 4.0, 8.0)),
            (SUM_OF_NORMS, 8, (5.0, 0.3)),
            (COPIES, 8, (6.0, 0.2, 2.0)),
            (SUM, 2, (4.0, 6.0, 0.4)),
            (RIGHT, 8, (8.0, 0.5, 3.0)),
        ),
        start=1,
    )
)


def _fits(gradients: Array, limit: float, steps: Array) -> list[str]:
    """Return the names that give the steps of a log."""
    return [
        name
        for name in NAMES
        if all(
            np.allclose(taken(name, g, limit), step, rtol=1e-6, atol=1e-12)
            for g, step in zip(gradients, steps, strict=True)
        )
    ]


def right(gradients: Array, limit: float, steps: Array) -> str:
    """Return the one name that gives all steps of a log."""
    (name,) = _fits(gradients, limit, steps)
    return name


def _of(chosen: Function, names: Sequence[str] = NAMES) -> Function:
    """Judge only by some of the steps: take the first of these names that gives them."""

    def answer(gradients: Array, limit: float, steps: Array) -> str:
        lengths = np.linalg.norm(np.mean(gradients, axis=1), axis=1)
        some = chosen(lengths / limit)
        fit = _fits(gradients[some], limit, steps[some])
        return next(name for name in names if name in fit)

    return answer


def _first(lengths: Array) -> Any:
    return np.arange(len(lengths)) == 0


def _last(lengths: Array) -> Any:
    return np.arange(len(lengths)) == len(lengths) - 1


def _any_fit(names: Sequence[str]) -> Function:
    """Take the first of these names that gives at least one step of a log."""
    return lambda gradients, limit, steps: next(
        name
        for name in names
        if any(
            name in _fits(g[None], limit, s[None]) for g, s in zip(gradients, steps, strict=True)
        )
    )


def _right_or_clip_first(chosen: Function) -> Function:
    """Judge only by some of the steps whether the order is right, and give all others one name."""
    return renamed(_of(chosen), {name: CLIP_FIRST for name in NAMES if name != RIGHT})


_BACKWARDS = NAMES[::-1]
MISCONCEPTIONS = (
    *always(NAMES, "log"),
    Misconception("one_step",
        "it looks at one step of each log. Several of the six take the same step where nothing is clipped, and some "
        "do so even where the clip acts. Look at the other steps too.",
        _of(_first), _of(_first, _BACKWARDS), _right_or_clip_first(_first), _of(_last), _of(_last, _BACKWARDS)),
    Misconception("right_or_wrong",
        "it tells the right order from the wrong ones, but calls all of those 'clip_first'. Which of the wrong orders "
        "would give the same step?",
        _right_or_clip_first(np.isfinite)),
    Misconception("long_steps_alone",
        "'sum' and 'right' are confused. Where the clip acts on the mean, both take the same step. Which step would "
        "show whether gradients were added up or averaged?",
        {"sum": RIGHT}, {"right": SUM}, {"right": SUM, "sum": RIGHT}),
    Misconception("any_step",
        "a name is taken as soon as one step of the log fits it. All steps have to.",
        _any_fit(_BACKWARDS), _any_fit((*NAMES[1:], RIGHT))),
    Misconception("short_steps_alone",
        "it looks only at steps whose mean gradient is within the limit. There several of the six clip nothing, such "
        "as the right order and a clip of each part.",
        _of(lambda lengths: lengths < 1), _of(lambda lengths: lengths < 1, _BACKWARDS)),
    Misconception("parts_overlooked",
        "'own_norms' and 'right' are confused. Where the mean is within the limit, neither clips. Above it each part "
        "of the mean, as many as there are devices, gets a factor of its own.",
        {"own_norms": RIGHT}, {"right": OWN_NORMS}),
    Misconception("direction_alone",
        "it asks only where a step points. Three of the wrong orders keep the direction and change only the size.",
        {"sum": RIGHT, "sum_of_norms": RIGHT, "copies": RIGHT}),
    Misconception("both_turn",
        "'clip_first' and 'own_norms' are confused. Both turn the step. One of them multiplies each device's gradient "
        "by its own factor, the other each part of the mean.",
        {"clip_first": OWN_NORMS}, {"own_norms": CLIP_FIRST},
        {"clip_first": OWN_NORMS, "own_norms": CLIP_FIRST}),
    Misconception("both_too_short",
        "'sum_of_norms' and 'copies' are confused. Both measure too large a norm. One measures the right norm times "
        "the root of the number of devices, the other something in between.",
        {"sum_of_norms": COPIES}, {"copies": SUM_OF_NORMS},
        {"sum_of_norms": COPIES, "copies": SUM_OF_NORMS}),
    Misconception("limit_by_length",
        "a step below the limit is taken for a right one. It may have been cut by a norm that is too large, or be the "
        "mean of clipped gradients.",
        {"clip_first": RIGHT, "sum_of_norms": RIGHT, "copies": RIGHT},
        {"clip_first": RIGHT}, {"sum_of_norms": RIGHT}, {"copies": RIGHT}),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} logs are read right. A log needs both: steps that a clip changed, and steps that it "
    "shouldn't have changed.",
    first=one_of(CASES, NAMES),
    quantity="the name",
).exercise(
    "name_the_order",
    partial={
        "one_step": 0.25,
        "right_or_wrong": 0.25,
        "long_steps_alone": 0.75,
        "any_step": 0.5,
        "short_steps_alone": 0.5,
        "parts_overlooked": 0.5,
        "direction_alone": 0.25,
        "both_turn": 0.5,
        "both_too_short": 0.75,
        "limit_by_length": 0.25,
    },
)
"""An answer is called as ``answer(gradients, limit, steps)`` and returns one of ``NAMES``."""
