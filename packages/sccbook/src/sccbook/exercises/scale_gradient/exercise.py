"""Chapter 01: write ``scale_gradient(x, scale)``.

An answer is observed: its value and the cotangent that it hands back, at several scales.
A misconception is a hypothesis about both; the first one that fits every run is the one that is
named.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sccbook.checking.parts import (
    BACK,
    TRACED,
    VALUE,
    Case,
    Exercise,
    Finding,
    Function,
    Misconception,
    Mistake,
    Observation,
    Observations,
    Other,
    failed,
    require_attempted,
    require_no_error,
    require_not_none,
)

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


class Run(NamedTuple):
    """One run: input x, cotangent g and scale s in; value and cotangent out."""

    x: np.ndarray
    g: np.ndarray
    s: float
    value: Any
    back: Any


def _close(actual: np.ndarray, claimed: Any, rtol: float = 1e-4, atol: float = 1e-5) -> bool:
    # float32 rounding of the usual one-liners stays far below; every mistake far above.
    claimed = np.broadcast_to(np.asarray(claimed, np.float64), actual.shape)
    same = np.isclose(actual.astype(np.float64), claimed, rtol=rtol, atol=atol)
    return bool(np.all(same | np.isnan(claimed)))


def _unchanged(value: np.ndarray, x: np.ndarray) -> bool:
    # A few units in the last place, which an exact formula may lose; what is added to x is more.
    return _close(value, x, rtol=1e-6, atol=0.0)


def _fits(back: Function, value: Function = lambda run: run.x) -> Function:
    """Make a hypothesis: these formulas give each run's cotangent and value. NaN makes no claim."""
    return lambda runs: all(
        _close(run.value, value(run)) and _close(run.back, back(run)) for run in runs
    )


def _scaled(run: Run) -> Any:
    return run.s * run.g


def _scaled_and_shifted(runs: Sequence[Run]) -> bool:
    """Test the hypothesis that both are scaled, and one number (perhaps 0) is added to all values."""
    added = np.concatenate([np.ravel(run.value - run.s * run.x) for run in runs])
    shifted = np.all(np.isfinite(added)) and np.ptp(added) < 1e-3
    return bool(shifted) and all(_close(run.back, _scaled(run)) for run in runs)


MISCONCEPTIONS = (
    Misconception(
        "identity",
        "the value is right, but the gradient comes back as it went in, whatever the scale. "
        "This is the identity in both directions: nothing tells the two passes apart.",
        _fits(lambda run: run.g),
    ),
    Misconception(
        "value_scaled",
        "the gradient is scaled, but so is the value. In MuZero the next step would then be "
        "computed from a smaller state. The forward pass must not notice the scale.",
        _scaled_and_shifted,
    ),
    Misconception(
        "wrong_way_round",
        "the value is scaled and the gradient is not. It should be the other way round.",
        _fits(lambda run: run.g, value=lambda run: run.s * run.x),
    ),
    Misconception(
        "one_minus_scale",
        "the gradient arrives multiplied by 1 - scale. The gradient is stopped on the wrong "
        "term, or scale and 1 - scale have changed places. At one half nobody can tell.",
        _fits(lambda run: (1 - run.s) * run.g),
    ),
    Misconception(
        "stopped",
        "the value is right, but no gradient comes back at all, whatever the scale. Every "
        "path from the result to x is stopped; one must stay open.",
        _fits(lambda run: 0 * run.g),
    ),
    Misconception(
        "fixed_half",
        "the gradient is halved whatever the scale. The scale is an argument: 0.5 is "
        "MuZero's choice, not the operator's.",
        _fits(lambda run: 0.5 * run.g),
    ),
    Misconception(
        "clipped",
        "the gradient is clipped, not scaled. A clip leaves a small gradient alone and "
        "cuts a large one; a scale multiplies both by the same factor.",
        _fits(lambda run: np.clip(run.g, -run.s, run.s) if run.s > 0 else np.nan),
        _fits(lambda run: run.g * min(1.0, run.s / np.linalg.norm(run.g)) if run.s > 0 else np.nan),
        _fits(lambda run: np.clip(run.g, -1.0, 1.0)),
        _fits(lambda run: run.g * min(1.0, 1.0 / np.linalg.norm(run.g))),
    ),
    Misconception(
        "normalised",
        "the gradient is brought to a length that the scale sets, so its own length is "
        "lost. Twice the gradient must come back as twice the result.",
        _fits(lambda run: run.s * run.g / np.linalg.norm(run.g)),
        _fits(lambda run: run.g / np.linalg.norm(run.g)),
        _fits(lambda run: run.s * np.sign(run.g)),
    ),
    Misconception(
        "reversed",
        "the size of the gradient is right and its sign is not: it arrives multiplied by "
        "minus the scale.",
        _fits(lambda run: -run.s * run.g),
    ),
    Misconception(
        "scaled_twice",
        "the gradient arrives multiplied by the square of the scale: it is scaled twice.",
        _fits(lambda run: run.s**2 * run.g),
    ),
    Misconception(
        "divided",
        "the gradient is divided by the scale, not multiplied.",
        _fits(lambda run: run.g / run.s if run.s else np.nan),
    ),
    Misconception(
        "cotangent_dropped",
        "what comes back does not depend on the gradient that went in. A backward rule "
        "receives the gradient of the result, and has to pass it on.",
        _fits(lambda run: run.s),
        _fits(lambda run: run.s * run.x),
        _fits(lambda run: run.x),
    ),
    Misconception(
        "value_not_restored",
        "the gradient is right, but the value is not: {value}. What the backward pass "
        "needs is there; the parts do not add up to x in the forward pass.",
        _fits(_scaled, value=lambda run: np.where(np.isfinite(run.value), np.nan, 0.0)),
    ),
)

PASSED = (
    "the value goes through unchanged, up to rounding, and the gradient arrives multiplied by the scale: "
    "for numbers and arrays, at every scale tried."
)


def judge(observations: Observations) -> Finding:
    """Find what an answer, which should be ``scale_gradient(x, scale)``, gets wrong."""
    runs: list[Run] = []
    try:
        require_attempted(observations)
        for case, observation in zip(CASES, observations.seen, strict=True):
            runs.append(_read(case, observation))
    except Mistake as mistake:
        finished = runs[: len(runs) // len(SCALES) * len(SCALES)]  # all scales of an input
        if mistake.finding.name == "raises" and finished and all(map(_right, finished)):
            return Finding("scalars_only", f"it is right for a single number, but {mistake}")
        if mistake.finding.name == "dtype_changed" and _right_but_for_the_dtype(observations.seen):
            return Finding("only_the_dtype", f"{mistake} Else it is right.")
        return mistake.finding
    return _compare(runs)


def _right_but_for_the_dtype(seen: Sequence[Observation]) -> bool:
    runs = [_run(case, observation) for case, observation in zip(CASES, seen, strict=True)]
    return all(
        isinstance(array, np.ndarray) and array.shape == run.x.shape and array.dtype.kind in "fV"
        for run in runs
        for array in (run.value, run.back)
    ) and all(map(_right, runs))


def _run(case: Case, observation: Observation) -> Run:
    """Return a run as it was seen: value and cotangent can be anything."""
    x, g, s = case.arguments
    found: dict[str, Any] = observation.value if isinstance(observation.value, dict) else {}
    return Run(x, g, s, found.get(VALUE), found.get(BACK))


def _read(case: Case, observation: Observation) -> Run:
    words, run = case.words, _run(case, observation)
    require_no_error(words, observation.error)
    _require_like(run.x, run.value, words)
    require_no_error(f"when JAX differentiates it {words}", failed(observation.value))
    traced: Any = observation.value.get(TRACED)
    _require_like(run.x, traced, f"while JAX differentiates it {words}")
    _require_like(run.x, run.back, f"when JAX takes the gradient {words}")
    if not _close(traced, run.value):
        raise Mistake(
            "two_values",
            f"{words} it returns {_show(run.value)} when it is called, but {_show(traced)} while JAX "
            "differentiates it. The forward half of a rule of your own must return the same value.",
        )
    return run


def _require_like(x: np.ndarray, value: Any, words: str) -> None:
    require_not_none(value, words)
    if not isinstance(value, np.ndarray):
        kind = value.kind if isinstance(value, Other) else type(value).__name__
        raise Mistake(
            "returns_other",
            f"{words} it returned a {kind}. It should return what x is, an array.",
        )
    if value.shape != x.shape:
        raise Mistake(
            "shape_changed",
            f"{words} it returned an array of shape {value.shape}. The operator works on "
            "every element and keeps the shape.",
        )
    if value.dtype != x.dtype:
        raise Mistake(
            "dtype_changed",
            f"for an x of dtype {x.dtype} it returned {value.dtype}. The dtype of x must "
            "be kept; look at what the scale is turned into.",
        )


def _compare(runs: Sequence[Run]) -> Finding:
    wrong = [run for run in runs if not _right(run)]
    if not wrong:
        return Finding("passed", PASSED, passed=True)
    first = wrong[0]
    digits = 4 if _show(first.x) != _show(first.value) else 8
    value = f"x = {_show(first.x, digits)} came out as {_show(first.value, digits)} at scale = {first.s}"
    for misconception in MISCONCEPTIONS:
        if any(fits(runs) for fits in misconception.answers):
            return Finding(misconception.name, misconception.message.format(value=value))
    if all(run.x.shape for run in wrong):
        return Finding(
            "scalars_only",
            "it is right for a single number, but not for an array. Each element has its "
            "own gradient; none may see its neighbours.",
        )
    if not _unchanged(first.value, first.x):
        return Finding("value_changed", f"the forward value changes: {value}.")
    return Finding(
        "gradient_wrong",
        f"the value is right, but at scale = {first.s} a gradient of {_show(first.g)} came "
        f"back as {_show(first.back)}.",
    )


def _right(run: Run) -> bool:
    return _unchanged(run.value, run.x) and _close(run.back, _scaled(run))


def _show(array: np.ndarray, digits: int = 4) -> str:
    return str(np.round(array.astype(np.float64), digits).tolist())


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
