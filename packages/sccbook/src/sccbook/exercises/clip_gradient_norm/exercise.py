"""Assignment 3: write ``clip_gradient_norm(x, max_norm)``, which acts on each example by itself.

Seen of an answer are its value, called and while JAX differentiates it, and the cotangent
that it hands back.
"""

from functools import partial
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    BACK,
    TRACED,
    VALUE,
    Case,
    Comparison,
    Finding,
    Function,
    Misconception,
    Observations,
    in_numpy,
    require_like,
)


def _rule(
    back: Function, value: Function = lambda x, c: x, traced: Function | None = None
) -> Function:
    """Make what the probe ``at_tensor`` would see from formulas in NumPy.

    Args:
      back: the cotangent that comes back, of the one that goes in, max_norm and x.
      value: of x and max_norm.
      traced: the same while JAX differentiates; ``value`` if None.
    """

    def seen(x: np.ndarray, g: np.ndarray, c: float) -> dict[str, Any]:
        x, g = x.astype(float), g.astype(float)
        returned = np.broadcast_to(back(g, c, x), g.shape)
        return {VALUE: value(x, c), TRACED: (traced or value)(x, c), BACK: returned}

    return seen


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


_norm = partial(np.linalg.norm, axis=-1, keepdims=True)


def _short(a: np.ndarray, c: Any, norm: Any) -> Any:
    return a * np.fmin(1.0, c / norm)


def _clip(g: np.ndarray, c: Any, x: np.ndarray) -> Any:
    """Shorten each example's cotangent along the last axis."""
    return _short(g, c, _norm(g))


def _cap(x: np.ndarray, c: float) -> Any:
    return _short(x, c, _norm(x))


def _max_norm(axis: Any) -> Function:
    """Apply MaxNorm to the tensor: its value, and its derivative."""

    def back(g: np.ndarray, c: float, x: np.ndarray) -> Any:
        n = _norm(x, axis=axis)
        across = g - x * np.sum(x * g, axis=axis, keepdims=True) / n**2
        return np.where(n > c, c / n * across, g)

    return _rule(back, lambda x, c: _short(x, c, _norm(x, axis=axis)))


MISCONCEPTIONS = (
    Misconception(
        "identity",
        "the value is right, but the cotangent comes back as it went in, however large it is. The "
        "limit has no effect in either pass.",
        _rule(lambda g, c, x: g),
    ),
    Misconception(
        "max_norm_on_the_tensor",
        "the value is scaled down, and the cotangent changes only as a result of that. This is "
        "MaxNorm called on the tensor, as somebody was once advised to do: the next step would "
        "start from another state.",
        _max_norm(-1),
        _max_norm(None),
        _max_norm(0),
    ),
    Misconception(
        "clips_the_tensor",
        "the value is clipped, element by element, and the gradient is lost where it is. The "
        "forward pass must not change.",
        _rule(lambda g, c, x: np.where(abs(x) < c, g, 0), lambda x, c: np.clip(x, -c, c)),
    ),
    Misconception(
        "value_clipped_too",
        "the cotangent is right, but the value is scaled down as well. The forward pass must not "
        "change.",
        _rule(_clip, _cap),
    ),
    Misconception(
        "two_values",
        "the value is right when the function is called, but scaled down while JAX differentiates "
        "it. The forward half of a custom rule must return the same value.",
        _rule(_clip, traced=_cap),
    ),
    Misconception(
        "whole_batch",
        "a single vector is right, but in a batch the examples share one norm: what comes back "
        "for one depends on the others. Take the norm along the last axis only.",
        _rule(lambda g, c, x: _short(g, c, _norm(g, axis=None))),
    ),
    Misconception(
        "axis_0",
        "the norm is taken along the first axis. In a batch that is the axis of the examples, so "
        "each coordinate is clipped across all of them.",
        _rule(lambda g, c, x: _short(g, c, _norm(g, axis=0))),
    ),
    Misconception(
        "by_value",
        "each element is clipped by itself. That bounds the entries, not the norm, and it turns "
        "the cotangent.",
        _rule(lambda g, c, x: np.clip(g, -c, c)),
    ),
    Misconception(
        "normalised",
        "the cotangent is always scaled to the limit, so a small one grows. A clip leaves a small "
        "cotangent alone.",
        _rule(lambda g, c, x: c * g / _norm(g)),
        _rule(lambda g, c, x: c * g / np.maximum(_norm(g), 1e-6)),
    ),
    Misconception(
        "normalised_to_one",
        "the cotangent always comes back with norm 1, whatever its size and the limit.",
        _rule(lambda g, c, x: g / _norm(g)),
        _rule(lambda g, c, x: g / np.maximum(_norm(g), 1e-6)),
    ),
    Misconception(
        "lengthened",
        "it's the wrong way round: small cotangents are scaled up to the limit, and large ones "
        "pass unchanged. Which of two numbers do you keep, the smaller or the larger?",
        _rule(lambda g, c, x: g * np.maximum(1.0, c / _norm(g))),
        _rule(lambda g, c, x: g * np.maximum(1.0, c / np.maximum(_norm(g), 1e-6))),
    ),
    Misconception(
        "nan_at_zero",
        "a cotangent of zero comes back as NaN: zero is divided by zero. A loss at its minimum "
        "sends exactly that. The rest is right.",
        _rule(lambda g, c, x: g / _norm(g) * np.minimum(_norm(g), c)),
    ),
    Misconception(
        "scaled",
        "the cotangent is multiplied by max_norm, or divided by it. That's a scale, not a clip: it changes small and "
        "large cotangents alike.",
        _rule(lambda g, c, x: c * g),
        _rule(lambda g, c, x: g / c),
    ),
    Misconception(
        "norm_of_x",
        "the factor comes from the norm of x. Measure the cotangent itself: x may be large where "
        "its gradient is small.",
        _rule(lambda g, c, x: _short(g, c, _norm(x))),
        _rule(lambda g, c, x: _short(g, c, _norm(x, axis=None))),
    ),
    Misconception(
        "stopped",
        "no gradient comes back at all. A clip only scales down, and zero is right only where "
        "zero came in.",
        _rule(lambda g, c, x: 0 * g),
    ),
    Misconception(
        "dropped_when_long",
        "a cotangent above the limit is thrown away. It should be scaled down to the limit and "
        "keep its direction.",
        _rule(lambda g, c, x: np.where(_norm(g) > c, 0 * g, g)),
    ),
    Misconception(
        "fixed_limit",
        "the limit is 1, whatever max_norm is. Different places need different limits.",
        _rule(lambda g, c, x: _short(g, 1.0, _norm(g))),
    ),
    Misconception(
        "squared_norm",
        "the limit is compared with the square of the norm, or the cotangent comes back too "
        "small: a root is missing.",
        _rule(lambda g, c, x: _short(g, c, _norm(g) ** 2)),
        _rule(lambda g, c, x: np.where(_norm(g) > c, g * c / _norm(g) ** 2, g)),
    ),
    Misconception(
        "other_norm",
        "another norm is used: the sum of the entries' sizes, the largest of them, or their root "
        "mean square. Use the Euclidean norm.",
        _rule(lambda g, c, x: _short(g, c, _norm(g, ord=1))),
        _rule(lambda g, c, x: _short(g, c, _norm(g, ord=np.inf))),
        _rule(lambda g, c, x: _short(g, c, _norm(g) / np.sqrt(g.shape[-1]))),
    ),
    Misconception(
        "reversed",
        "the norm is right, but the cotangent comes back with its sign changed.",
        _rule(lambda g, c, x: -_clip(g, c, x)),
    ),
    Misconception(
        "cotangent_dropped",
        "what comes back doesn't depend on the cotangent that went in. A backward rule gets the "
        "gradient of the result, and has to pass it on.",
        _rule(lambda g, c, x: c),
        _rule(lambda g, c, x: x),
        _rule(lambda g, c, x: _cap(x, c)),
        _rule(lambda g, c, x: np.minimum(1.0, c / _norm(g))),
    ),
)


def _read(value: Any, case: Case) -> Any:
    """Compare a value of another dtype too: the dtype is reported only if the rest is right."""
    if isinstance(value, dict) and BACK not in value:
        require_like(case, value.get(VALUE), case.arguments[0])
    return {TRACED: value[VALUE], **value} if isinstance(value, dict) and VALUE in value else value


class _KeepingTheDtype(Comparison):
    def __call__(self, observations: Observations) -> Finding:
        finding = super().__call__(observations)
        for case, seen in zip(self.cases, observations.seen, strict=False):
            if finding.passed and TRACED not in seen.value:
                return Finding(
                    "dtype_changed",
                    f"{case.words}, with an x of dtype float32, it returned {seen.value[VALUE].dtype}. "
                    "Keep the dtype of x. The rest is right.",
                )
        return finding


EXERCISE = _KeepingTheDtype(
    probe="at_tensor",
    cases=CASES,
    right=_rule(_clip),
    misconceptions=MISCONCEPTIONS,
    passed="the value goes through unchanged, and each example's cotangent is clipped by itself: "
    "scaled down to the limit where it's larger, and left alone where it isn't.",
    reference_probe=in_numpy,
    read=_read,
    quantity="what is seen",
).exercise(
    "clip_gradient_norm",
    partial={
        "dtype_changed": 0.75,
        "nan_at_zero": 0.75,
        "whole_batch": 0.5,
        "two_values": 0.5,
        "squared_norm": 0.5,
        "value_clipped_too": 0.25,
    },
)
