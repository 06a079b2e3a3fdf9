"""Chapter 09: write ``clip_gradient_norm(x, max_norm)``, which acts on each example by itself.

Seen of an answer are its value, called and while JAX differentiates it, and the cotangent
that it hands back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import (
    Comparison,
    Function,
    Misconception,
    require_like,
    require_results,
)
from gradlab.exercises.checking.findings import Case, Exercise, Finding, Mistake
from gradlab.exercises.checking.probes import BACK, TRACED, VALUE, Answered, Seen


@dataclass(frozen=True)
class Known:
    """What a known answer does, as formulas in NumPy: nothing is traced, so it is seen at once.

    Attributes:
      back: the cotangent that comes back, of the one that goes in, max_norm and x.
      value: of x and max_norm.
      traced: the same while JAX differentiates; ``value`` if None.
    """

    back: Callable[[np.ndarray, float, np.ndarray], Any]
    value: Callable[[np.ndarray, float], np.ndarray] = lambda x, max_norm: x
    traced: Callable[[np.ndarray, float], np.ndarray] | None = None

    def __call__(self, x: np.ndarray, g: np.ndarray, max_norm: float) -> dict[str, np.ndarray]:
        """Returns what the probe ``at_tensor`` would see."""
        x, g = x.astype(float), g.astype(float)
        traced = (self.traced or self.value)(x, max_norm)
        with np.errstate(divide="ignore", invalid="ignore"):
            back = np.broadcast_to(self.back(g, max_norm, x), g.shape)
        return {VALUE: self.value(x, max_norm), TRACED: traced, BACK: back}


def _case(x: list[Any], g: list[Any], max_norm: float) -> Case:
    shape = np.shape(x)
    what = f"of shape {shape}" if len(shape) > 1 else str(g)
    arrays = np.asarray(x, np.float32), np.asarray(g, np.float32)
    return Case((*arrays, max_norm), f"for max_norm = {max_norm} and a cotangent {what}")


CASES = (
    _case([6.0, -8.0, 1.5], [2.0, 3.0, 6.0], 1.0),
    _case([6.0, -8.0, 1.5], [2.0, 3.0, 6.0], 3.5),
    _case([0.5, 0.25, -1.0], [0.6, -0.3, 0.2], 1.5),
    _case([0.4, 9.0, -1.0], [0.0, 0.0, 0.0], 0.5),
    _case(
        [[[1.0, 2.2], [0.5, -3.0]], [[-4.0, 0.1], [2.1, 2.5]], [[0.3, 0.2], [5.0, 1.0]]],
        [[[6.0, -8.0], [0.3, 0.4]], [[0.1, 0.7], [-5.0, 12.0]], [[2.0, 1.0], [0.0, 0.6]]],
        2.0,
    ),
)


def _norm(a: np.ndarray, axis: Any = -1) -> np.ndarray:
    norm: np.ndarray = np.sqrt(np.sum(a**2, axis=axis, keepdims=True))
    return norm


def _short(a: np.ndarray, c: Any, norm: np.ndarray) -> Any:
    return a * np.fmin(1.0, c / norm)


def _max_norm(axis: Any) -> Known:
    """MaxNorm on the tensor: what it returns, and its derivative."""

    def back(g: np.ndarray, c: float, x: np.ndarray) -> np.ndarray:
        n = _norm(x, axis)
        across = g - x * np.sum(x * g, axis=axis, keepdims=True) / n**2
        return np.where(n > c, c / n * across, g)

    return Known(back, lambda x, c: _short(x, c, _norm(x, axis)))


def _some(name: str, message: str, *behaves: Function) -> tuple[Misconception, ...]:
    return tuple(Misconception(name, message, one) for one in behaves)


def _rules(
    name: str, message: str, *rules: Callable[[np.ndarray, float, np.ndarray], Any]
) -> tuple[Misconception, ...]:
    return _some(name, message, *map(Known, rules))


RIGHT = Known(lambda g, c, x: _short(g, c, _norm(g)))
"""The value unchanged, each example's cotangent shortened along the last axis."""


def _capped(x: np.ndarray, c: float) -> np.ndarray:
    capped: np.ndarray = _short(x, c, _norm(x))
    return capped


MISCONCEPTIONS: tuple[Misconception, ...] = (
    *_some(
        "identity",
        "the value is right, but the cotangent comes back as it went in, however long it is. "
        "Nothing tells the two passes apart.",
        Known(lambda g, c, x: g),
    ),
    *_some(
        "max_norm_on_the_tensor",
        "the value is shortened, and nothing is done to the cotangent but what follows from that. "
        "This is MaxNorm called on the tensor, as somebody was once advised to do: the next step "
        "would start from another state.",
        _max_norm(-1),
        _max_norm(None),
        _max_norm(0),
    ),
    *_some(
        "clips_the_tensor",
        "it is the value that is clipped, element by element, and the gradient is lost where it "
        "was. The forward pass must not notice the limit.",
        Known(lambda g, c, x: np.where(abs(x) < c, g, 0), lambda x, c: np.clip(x, -c, c)),
    ),
    *_some(
        "value_clipped_too",
        "the cotangent is right, but the value is shortened as well. The forward pass must not "
        "notice the limit.",
        Known(lambda g, c, x: _short(g, c, _norm(g)), _capped),
    ),
    *_some(
        "two_values",
        "the value is right when the function is called, and shortened while JAX differentiates "
        "it. The forward half of a rule of your own must return the same value.",
        Known(lambda g, c, x: _short(g, c, _norm(g)), traced=_capped),
    ),
    *_rules(
        "whole_batch",
        "a single vector is right, but in a batch the examples share one norm: what comes back "
        "for one depends on its neighbours. The norm is to be taken along the last axis only.",
        lambda g, c, x: _short(g, c, _norm(g, None)),
    ),
    *_rules(
        "axis_0",
        "the norm is taken along the first axis. In a batch that is the axis of the examples, so "
        "each coordinate is shortened across all of them.",
        lambda g, c, x: _short(g, c, _norm(g, 0)),
    ),
    *_rules(
        "by_value",
        "each element is clipped by itself. That bounds the entries, not the length, and it turns "
        "the cotangent.",
        lambda g, c, x: np.clip(g, -c, c),
    ),
    *_rules(
        "normalised",
        "the cotangent is always brought to the limit, so a short one is lengthened. A clip "
        "leaves what is short enough alone.",
        lambda g, c, x: c * g / _norm(g),
        lambda g, c, x: c * g / np.maximum(_norm(g), 1e-6),
    ),
    *_rules(
        "normalised_to_one",
        "the cotangent always comes back with length 1, whatever its length and the limit.",
        lambda g, c, x: g / _norm(g),
        lambda g, c, x: g / np.maximum(_norm(g), 1e-6),
    ),
    *_rules(
        "lengthened",
        "it is the wrong way round: short cotangents are lengthened to the limit, and long ones "
        "pass. Look at which of two numbers you keep, the smaller or the larger.",
        lambda g, c, x: g * np.maximum(1.0, c / _norm(g)),
        lambda g, c, x: g * np.maximum(1.0, c / np.maximum(_norm(g), 1e-6)),
    ),
    *_rules(
        "nan_at_zero",
        "a cotangent of zero comes back as NaN: zero is divided by zero. A loss that has reached "
        "its minimum sends just that. Else it is right.",
        lambda g, c, x: g / _norm(g) * np.minimum(_norm(g), c),
    ),
    *_rules(
        "scaled",
        "the cotangent is multiplied by max_norm, or divided by it. That is a scale, not a clip: it shrinks, or "
        "stretches, short and long ones alike.",
        lambda g, c, x: c * g,
        lambda g, c, x: g / c,
    ),
    *_rules(
        "norm_of_x",
        "the cotangent is shortened by the norm of x. What is to be measured is the cotangent "
        "itself; x may be long where its gradient is short.",
        lambda g, c, x: _short(g, c, _norm(x)),
        lambda g, c, x: _short(g, c, _norm(x, None)),
    ),
    *_rules(
        "stopped",
        "no gradient comes back at all. A clip shortens, and zero is the answer only where "
        "nothing came in.",
        lambda g, c, x: 0 * g,
    ),
    *_rules(
        "dropped_when_long",
        "a cotangent that is too long is thrown away. It is to be shortened to the limit, with "
        "its direction kept.",
        lambda g, c, x: np.where(_norm(g) > c, 0 * g, g),
    ),
    *_rules(
        "fixed_limit",
        "the limit is 1 whatever max_norm says. Different places are to have different limits.",
        lambda g, c, x: _short(g, 1.0, _norm(g)),
    ),
    *_rules(
        "squared_norm",
        "the cotangent is compared with the square of its length, or comes back too short: a "
        "root is missing.",
        lambda g, c, x: _short(g, c, _norm(g) ** 2),
        lambda g, c, x: np.where(_norm(g) > c, g * c / _norm(g) ** 2, g),
    ),
    *_rules(
        "other_norm",
        "another norm is used: the sum of the entries' sizes, the largest of them, or their root "
        "mean square. The Euclidean one is asked for.",
        lambda g, c, x: _short(g, c, np.sum(np.abs(g), -1, keepdims=True)),
        lambda g, c, x: _short(g, c, np.max(np.abs(g), -1, keepdims=True)),
        lambda g, c, x: _short(g, c, np.sqrt(np.mean(g**2, -1, keepdims=True))),
    ),
    *_rules(
        "reversed",
        "the length is right, but the cotangent comes back with its sign changed.",
        lambda g, c, x: -_short(g, c, _norm(g)),
    ),
    *_rules(
        "cotangent_dropped",
        "what comes back does not depend on the cotangent that went in. A backward rule receives "
        "the gradient of the result, and has to hand it on.",
        lambda g, c, x: c,
        lambda g, c, x: x,
        lambda g, c, x: _short(x, c, _norm(x)),
        lambda g, c, x: np.minimum(1.0, c / _norm(g)),
    ),
)

compare = Comparison(
    cases=CASES,
    right=RIGHT,
    misconceptions=MISCONCEPTIONS,
    passed="the value goes through unchanged, and each example's cotangent is shortened to the "
    "limit where it is longer, by itself, and left alone where it is not.",
    known=lambda one, *arguments: one(*arguments),
    what="what is seen",
)


def judge(answered: Answered) -> Finding:
    """Finds what an answer, which should be ``clip_gradient_norm(x, max_norm)``, gets wrong."""
    try:
        results = require_results(answered, CASES, differentiated=True)
        for case, seen in zip(CASES, results, strict=True):
            if isinstance(seen, dict) and BACK not in seen:
                require_like(case, seen.get(VALUE), case.arguments[0])
    except Mistake as mistake:
        return mistake.finding
    finding = compare(Answered(tuple(map(_whatever_its_dtype, results))))
    if finding.passed:
        for case, seen in zip(CASES, results, strict=True):
            if TRACED not in seen:
                return Finding(
                    "dtype_changed",
                    f"{case.words}, with an x of dtype float32, it returned {seen[VALUE].dtype}. "
                    "The dtype of x must be kept. Else it is right.",
                )
    return finding


def _whatever_its_dtype(seen: Any) -> Seen:
    """A value of another dtype is compared with the rest; only where all is right is it found."""
    return Seen({TRACED: seen[VALUE], **seen} if isinstance(seen, dict) and VALUE in seen else seen)


EXERCISE = Exercise(
    "clip_gradient_norm",
    probe="at_tensor",
    cases=CASES,
    judge=judge,
    partial={
        "dtype_changed": 0.75,
        "nan_at_zero": 0.75,
        "whole_batch": 0.5,
        "two_values": 0.5,
        "squared_norm": 0.5,
        "value_clipped_too": 0.25,
    },
)
