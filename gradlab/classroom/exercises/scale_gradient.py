"""Chapter 01: write ``scale_gradient(x, scale)``.

An answer is observed: its value and the cotangent that it hands back, at several scales.
A misconception is a hypothesis about both, a pair of formulas; the first one that fits
every observation is the one that is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.classroom.findings import Finding, Mistake, call

SCALES = (0.5, 0.25, 0.0, 1.0, -1.0, 3.0)
INPUTS = (  # x and the cotangent g that comes back to it; scalars first
    (2.0, 1.5),
    (-0.75, -4.0),
    ([1.5, -2.0, 0.25], [0.125, -3.0, 2.0]),
    ([[0.5, 4.0], [-1.0, 8.0]], [[1.0, -0.25], [6.0, 0.5]]),
)


@dataclass(frozen=True)
class Observation:
    """One run: input x, scale s, cotangent g in; value and cotangent out."""

    x: np.ndarray
    s: float
    g: np.ndarray
    value: np.ndarray
    cotangent: np.ndarray


Formula = Callable[[Observation], Any]


@dataclass(frozen=True)
class Misconception:
    """A hypothesis: what the value and the cotangent would be. NaN makes no claim."""

    name: str
    message: str
    value: Formula
    cotangents: Sequence[Formula]

    def fits(self, observations: Sequence[Observation]) -> bool:
        return all(_close(o.value, self.value(o)) for o in observations) and any(
            all(_close(o.cotangent, formula(o)) for o in observations)
            for formula in self.cotangents
        )


def _close(actual: np.ndarray, claimed: Any) -> bool:
    # float32 rounding of the usual one-liners stays far below; every mistake far above.
    claimed = np.broadcast_to(np.asarray(claimed, np.float64), actual.shape)
    same = np.isclose(actual.astype(np.float64), claimed, rtol=1e-4, atol=1e-5)
    return bool(np.all(same | np.isnan(claimed)))


def _where(condition: bool, value: Any) -> Any:
    return value if condition else np.nan


def _kept(o: Observation) -> Any:
    return o.x


def _scaled(o: Observation) -> Any:
    return o.s * o.g


def _any(o: Observation) -> Any:
    return np.nan


def _norm(g: np.ndarray) -> float:
    return float(np.sqrt(np.sum(g**2)))


MISCONCEPTIONS = (
    Misconception(
        "identity",
        "the value is right, but the gradient comes back as it went in, whatever the scale. "
        "This is the identity in both directions: nothing tells the two passes apart.",
        _kept,
        [lambda o: o.g],
    ),
    Misconception(
        "value_scaled",
        "the gradient is scaled, but so is the value. In MuZero the next step would then be "
        "computed from a smaller state. The forward pass must not notice the scale.",
        lambda o: o.s * o.x,
        [_scaled],
    ),
    Misconception(
        "wrong_way_round",
        "the value is scaled and the gradient is not. It should be the other way round.",
        lambda o: o.s * o.x,
        [lambda o: o.g],
    ),
    Misconception(
        "one_minus_scale",
        "the gradient arrives multiplied by 1 - scale. The gradient is stopped on the wrong "
        "term, or scale and 1 - scale have changed places. At one half nobody can tell.",
        _kept,
        [lambda o: (1 - o.s) * o.g],
    ),
    Misconception(
        "stopped",
        "the value is right, but no gradient comes back at all, whatever the scale. Every "
        "path from the result to x is stopped; one must stay open.",
        _kept,
        [lambda o: 0 * o.g],
    ),
    Misconception(
        "fixed_half",
        "the gradient is halved whatever the scale. The scale is an argument: 0.5 is "
        "MuZero's choice, not the operator's.",
        _kept,
        [lambda o: 0.5 * o.g],
    ),
    Misconception(
        "clipped",
        "the gradient is clipped, not scaled. A clip leaves a small gradient alone and "
        "cuts a large one; a scale multiplies both by the same factor.",
        _kept,
        [
            lambda o: _where(o.s > 0, np.clip(o.g, -o.s, o.s)),
            lambda o: _where(o.s > 0, o.g * min(1.0, o.s / _norm(o.g))),
            lambda o: np.clip(o.g, -1.0, 1.0),
            lambda o: o.g * min(1.0, 1.0 / _norm(o.g)),
        ],
    ),
    Misconception(
        "normalised",
        "the gradient is brought to a length that the scale sets, so its own length is "
        "lost. Twice the gradient must come back as twice the result.",
        _kept,
        [
            lambda o: o.s * o.g / _norm(o.g),
            lambda o: o.g / _norm(o.g),
            lambda o: o.s * np.sign(o.g),
        ],
    ),
    Misconception(
        "reversed",
        "the size of the gradient is right and its sign is not: it arrives multiplied by "
        "minus the scale.",
        _kept,
        [lambda o: -o.s * o.g],
    ),
    Misconception(
        "scaled_twice",
        "the gradient arrives multiplied by the square of the scale: it is scaled twice.",
        _kept,
        [lambda o: o.s**2 * o.g],
    ),
    Misconception(
        "divided",
        "the gradient is divided by the scale, not multiplied.",
        _kept,
        [lambda o: _where(o.s != 0, o.g / (o.s or 1.0))],
    ),
    Misconception(
        "cotangent_dropped",
        "what comes back does not depend on the gradient that went in. A backward rule "
        "receives the gradient of the result, and has to pass it on.",
        _kept,
        [lambda o: o.s, lambda o: o.s * o.x, lambda o: o.x],
    ),
    Misconception(
        "value_not_restored",
        "the gradient is right, but the value is not: {value}. What the backward pass "
        "needs is there; the parts do not add up to x in the forward pass.",
        _any,
        [_scaled],
    ),
)

PASSED = Finding(
    "passed",
    "the value goes through unchanged, and the gradient arrives multiplied by the scale: "
    "for numbers and arrays, at every scale tried.",
    passed=True,
)


def examine(answer: Any) -> Finding:
    """Finds what ``answer``, which should be ``scale_gradient(x, scale)``, gets wrong."""
    try:
        if not callable(answer):
            raise Mistake(
                "not_callable",
                "the answer should be the function itself, written without calling it, but "
                f"it is of type {type(answer).__name__}.",
            )
        return _judge(_observe_all(answer))
    except Mistake as mistake:
        return mistake.finding


def _observe_all(answer: Any) -> list[Observation]:
    observations: list[Observation] = []
    for x, g in INPUTS:
        numbers_are_right = bool(observations) and all(map(_right, observations))
        for scale in SCALES:
            try:
                observations.append(_observe(answer, x, g, scale))
            except Mistake as mistake:
                if mistake.finding.name == "raises" and numbers_are_right:
                    message = f"it is right for a single number, but {mistake}"
                    raise Mistake("scalars_only", message) from mistake
                raise
    return observations


def _observe(answer: Any, x_list: Any, g_list: Any, scale: float) -> Observation:
    x, g = np.asarray(x_list, np.float32), np.asarray(g_list, np.float32)
    what = f"an array of shape {x.shape}" if x.shape else f"x = {x_list}"
    run = f"for {what} and scale = {scale}"
    value = call(answer, jnp.asarray(x), scale, doing=run)
    _require_like(x, value, run)
    seen, back = call(
        lambda: _differentiate(lambda x: answer(x, scale), jnp.asarray(x), jnp.asarray(g)),
        doing=f"when JAX differentiates it {run}",
    )
    if not _close(np.asarray(seen), np.asarray(value)):
        raise Mistake(
            "two_values",
            f"{run} it returns {_show(np.asarray(value))} when it is called, but "
            f"{_show(np.asarray(seen))} while JAX differentiates it. The forward half of a "
            "rule of your own must return the same value.",
        )
    return Observation(x, scale, g, np.asarray(value), np.asarray(back))


def _differentiate(f: Callable[[jax.Array], Any], x: jax.Array, g: jax.Array) -> Any:
    value, pull = jax.vjp(f, x)
    return value, pull(g)[0]


def _require_like(x: np.ndarray, value: Any, run: str) -> None:
    if value is None:
        raise Mistake("returns_none", f"{run} it returned None. Is a return missing?")
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        raise Mistake(
            "returns_other",
            f"{run} it returned a {type(value).__name__}. It should return what x is, an array.",
        )
    if value.shape != x.shape:
        raise Mistake(
            "shape_changed",
            f"{run} it returned an array of shape {value.shape}. The operator works on "
            "every element and keeps the shape.",
        )
    if value.dtype != x.dtype:
        raise Mistake(
            "dtype_changed",
            f"for an x of dtype {x.dtype} it returned {value.dtype}. The dtype of x must "
            "be kept; look at what the scale is turned into.",
        )


def _judge(observations: Sequence[Observation]) -> Finding:
    wrong = [o for o in observations if not _right(o)]
    if not wrong:
        return PASSED
    first = wrong[0]
    value = f"x = {_show(first.x)} came out as {_show(first.value)} at scale = {first.s}"
    for misconception in MISCONCEPTIONS:
        if misconception.fits(observations):
            return Finding(misconception.name, misconception.message.format(value=value))
    if all(o.x.shape for o in wrong):
        return Finding(
            "scalars_only",
            "it is right for a single number, but not for an array. Each element has its "
            "own gradient; none may see its neighbours.",
        )
    if not _close(first.value, first.x):
        return Finding("value_changed", f"the forward value changes: {value}.")
    return Finding(
        "gradient_wrong",
        f"the value is right, but at scale = {first.s} a gradient of {_show(first.g)} came "
        f"back as {_show(first.cotangent)}.",
    )


def _right(o: Observation) -> bool:
    return _close(o.value, _kept(o)) and _close(o.cotangent, _scaled(o))


def _show(array: np.ndarray) -> str:
    return str(np.round(array.astype(np.float64), 4).tolist())
