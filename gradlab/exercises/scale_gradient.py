"""Chapter 01: write ``scale_gradient(x, scale)``.

An answer is observed: its value and the cotangent that it hands back, at several scales.
A misconception is a hypothesis about both, a pair of formulas; the first one that fits
every observation is the one that is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import failed
from gradlab.exercises.checking.findings import Case, Exercise, Finding, Mistake, require_callable
from gradlab.exercises.checking.plain_data import Other
from gradlab.exercises.checking.probes import BACK, TRACED, VALUE, Answered, Seen

SCALES = (0.5, 0.25, 0.0, 1.0, -1.0, 3.0)
INPUTS = (  # x and the cotangent g that comes back to it; scalars first
    (2.0, 1.5),
    (-0.75, -4.0),
    ([1.5, -2.0, 0.25], [0.125, -3.0, 2.0]),
    ([[0.5, 4.0], [-1.0, 8.0]], [[1.0, -0.25], [6.0, 0.5]]),
)


def _case(x: Any, g: Any, scale: float) -> Case:
    arrays = np.asarray(x, np.float32), np.asarray(g, np.float32)
    what = f"an array of shape {arrays[0].shape}" if arrays[0].shape else f"x = {x}"
    return Case((*arrays, scale), f"for {what} and scale = {scale}")


CASES = tuple(_case(x, g, scale) for x, g in INPUTS for scale in SCALES)


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
        """Whether it would explain all that was seen."""
        return self.fits_values(observations) and any(
            all(_close(o.cotangent, formula(o)) for o in observations)
            for formula in self.cotangents
        )

    def fits_values(self, observations: Sequence[Observation]) -> bool:
        """Whether it would explain the values."""
        return all(_close(o.value, self.value(o)) for o in observations)


class ScaledAndShifted(Misconception):
    """Values to all of which one number may have been added, 0 too."""

    def fits_values(self, observations: Sequence[Observation]) -> bool:
        """Whether what is added to the values is one number."""
        added = np.concatenate([np.ravel(o.value - self.value(o)) for o in observations])
        return bool(np.all(np.isfinite(added)) and np.ptp(added) < 1e-3)


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


def _any_number(o: Observation) -> Any:
    return np.where(np.isfinite(o.value), np.nan, 0.0)  # what is no number fits nothing


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
    ScaledAndShifted(
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
        _any_number,
        [_scaled],
    ),
)

PASSED = Finding(
    "passed",
    "the value goes through unchanged, and the gradient arrives multiplied by the scale: "
    "for numbers and arrays, at every scale tried.",
    passed=True,
)


def judge(answered: Answered) -> Finding:
    """Finds what an answer, which should be ``scale_gradient(x, scale)``, gets wrong."""
    try:
        require_callable(answered)
        return _compare(_read_all(answered.seen))
    except Mistake as mistake:
        return mistake.finding


def _read_all(seen: Sequence[Seen]) -> list[Observation]:
    observations: list[Observation] = []
    try:
        for case, one in zip(CASES, seen, strict=True):
            observations.append(_read(case, one))
    except Mistake as mistake:
        if mistake.finding.name == "raises" and _numbers_are_right(observations):
            message = f"it is right for a single number, but {mistake}"
            raise Mistake("scalars_only", message) from mistake
        if mistake.finding.name == "dtype_changed" and _right_but_for_the_dtype(seen):
            raise Mistake("only_the_dtype", f"{mistake} Else it is right.") from mistake
        raise
    return observations


def _numbers_are_right(observations: Sequence[Observation]) -> bool:
    """Whether all inputs that were finished are right, and one was."""
    finished = observations[: len(observations) // len(SCALES) * len(SCALES)]
    return bool(finished) and all(map(_right, finished))


def _right_but_for_the_dtype(seen: Sequence[Seen]) -> bool:
    for case, one in zip(CASES, seen, strict=True):
        x, g, scale = case.arguments
        found: dict[str, Any] = one.value if isinstance(one.value, dict) else {}
        arrays: list[Any] = [found.get(name) for name in (VALUE, BACK)]
        if not all(
            isinstance(array, np.ndarray) and array.shape == x.shape and array.dtype.kind in "fV"
            for array in arrays
        ):
            return False
        if not _right(Observation(x, scale, g, *arrays)):
            return False
    return True


def _read(case: Case, seen: Seen) -> Observation:
    x, g, scale = case.arguments
    run = case.words
    if seen.error is not None:
        raise Mistake("raises", f"{run} it raised {seen.error}")
    found: dict[str, Any] = seen.value if isinstance(seen.value, dict) else {}
    value: Any = found.get(VALUE)
    _require_like(x, value, run)
    failure = failed(found)
    if failure is not None:
        raise Mistake("raises", f"when JAX differentiates it {run} it raised {failure}")
    traced: Any = found.get(TRACED)
    back: Any = found.get(BACK)
    _require_like(x, traced, f"while JAX differentiates it {run}")
    _require_like(x, back, f"when JAX takes the gradient {run}")
    if not _close(traced, value):
        raise Mistake(
            "two_values",
            f"{run} it returns {_show(value)} when it is called, but {_show(traced)} while JAX "
            "differentiates it. The forward half of a rule of your own must return the same value.",
        )
    return Observation(x, scale, g, value, back)


def _require_like(x: np.ndarray, value: Any, run: str) -> None:
    if value is None:
        raise Mistake("returns_none", f"{run} it returned None. Is a return missing?")
    if not isinstance(value, np.ndarray):
        kind = value.kind if isinstance(value, Other) else type(value).__name__
        raise Mistake(
            "returns_other",
            f"{run} it returned a {kind}. It should return what x is, an array.",
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


def _compare(observations: Sequence[Observation]) -> Finding:
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


EXERCISE = Exercise(
    "scale_gradient",
    probe="at_tensor",
    cases=CASES,
    judge=judge,
    partial={
        "only_the_dtype": 0.75,
        "scalars_only": 0.5,
        "one_minus_scale": 0.5,
        "reversed": 0.5,
        "value_not_restored": 0.25,
    },
)
