"""Chapter 12: write ``clipped_descent(gradient, start, learning_rate, max_norm, steps)``.

An answer is observed by where it ends, after one step and after several, and by how often it asks
for a gradient.
"""

from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Function, Misconception, in_numpy
from gradlab.exercises.checking.findings import Case, Mistake
from gradlab.exercises.checking.probes import Observations, valley

norm = np.linalg.norm


def _case(words: str, start: Any, learning_rate: float, max_norm: float, steps: int) -> Case:
    said = f"from {list(start)} {words}, with learning_rate = {learning_rate:g}"
    said += f", max_norm = {max_norm:g} and steps = {steps}"
    return Case((np.asarray(start, np.float64), learning_rate, max_norm, steps), said)


CASES = (
    _case("where the gradient is (30, 40)", (1.75, 78.0), 0.5, 2.0, 1),
    _case("where the gradient is (0.3, 0.4)", (1.0075, -1.2), 0.5, 2.0, 1),
    _case("where the gradient is (30, 40)", (1.75, 78.0), 0.1, 5.0, 3),
    _case("at a minimum", (1.0, -2.0), 0.1, 1.0, 2),
    _case("where the gradient is (3, -4)", (1.075, -10.0), 0.04, 4.5, 12),
    _case("where the gradient is (-6, -8)", (0.85, -18.0), 2.0, 1.0, 2),
    _case("where the gradient is (6, 2.5)", (1.15, 3.0), 0.02, 100.0, 5),
    _case("in no step at all", (3.0, 4.0), 0.1, 1.0, 0),
)


def _clip(g: Any, c: float, size: Function = norm) -> Any:
    return g * min(1.0, c / size(g))


def _descent(step: Function) -> Function:
    """A descent by ``step(gradient, w, learning_rate, max_norm)``, from one w to the next."""

    def descend(gradient: Function, w: Any, eta: float, c: float, steps: int) -> Any:
        for _ in range(steps):
            w = step(gradient, w, eta, c)
        return w

    return descend


def _by(change: Function) -> Function:
    """The descent whose step is ``change(gradient, learning_rate, max_norm)``."""
    return _descent(lambda gradient, w, eta, c: w - change(gradient(w), eta, c))


right = _by(lambda g, eta, c: eta * _clip(g, c))
_unclipped = _by(lambda g, eta, c: eta * g)


def _first_factor_kept(gradient: Function, w: Any, eta: float, c: float, steps: int) -> Any:
    factor = np.minimum(1.0, c / norm(gradient(w)))
    return _unclipped(gradient, w, eta * factor, c, steps)


def _total_clipped(gradient: Function, w: Any, eta: float, c: float, steps: int) -> Any:
    total = (w - _unclipped(gradient, w, eta, c, steps)) / eta
    return w - eta * _clip(total, c)


EPSILONS = tuple(10.0**-power for power in range(1, 7))

MISCONCEPTIONS = (
    Misconception(
        "not_clipped",
        "it descends, but no gradient is clipped: a long one throws it as far as before.",
        _unclipped,
    ),
    Misconception(
        "clips_the_update",
        "the update is clipped, after the learning rate has been multiplied in. max_norm is a limit "
        "for the gradient: as it is, another learning rate would be another limit.",
        _by(lambda g, eta, c: _clip(eta * g, c)),
    ),
    Misconception(
        "clips_by_value",
        "each coordinate is clipped by itself, which turns the gradient. All of them take the same "
        "factor.",
        _by(lambda g, eta, c: eta * np.clip(g, -c, c)),
    ),
    Misconception(
        "clips_the_weights",
        "the weights are clipped after the step, and the gradient is not. That is a constraint: it "
        "holds the weights near zero, wherever the minimum is.",
        _descent(lambda gradient, w, eta, c: _clip(w - eta * gradient(w), c)),
    ),
    Misconception(
        "clips_the_inputs",
        "what goes into gradient() is clipped, and what comes out is not. The gradient of short "
        "weights can be long.",
        _descent(lambda gradient, w, eta, c: w - eta * gradient(_clip(w, c))),
    ),
    Misconception(
        "always_normalised",
        "each gradient is brought to the length max_norm, short ones too: near a minimum the "
        "steps never get smaller. A clip leaves alone what is short enough.",
        _by(lambda g, eta, c: eta * g * (c / (norm(g) or 1.0))),
        _by(lambda g, eta, c: eta * g * (c / norm(g))),  # NaN at a minimum
    ),
    Misconception(
        "unit_length",
        "each gradient is brought to the length 1, whatever max_norm is.",
        _by(lambda g, eta, c: eta * g / (norm(g) or 1.0)),
    ),
    Misconception(
        "limit_ignored",
        "the gradients are clipped to the length 1, whatever max_norm is.",
        _by(lambda g, eta, c: eta * _clip(g, 1.0)),
    ),
    Misconception(
        "cut_to_one",
        "a gradient that is too long comes out with length 1. It should be as long as max_norm.",
        _by(lambda g, eta, c: eta * (g / norm(g) if norm(g) > c else g)),
    ),
    Misconception(
        "skips_the_step",
        "where the gradient is too long it does not move at all. A clip shortens the step, and takes "
        "it.",
        _by(lambda g, eta, c: eta * g * (norm(g) <= c)),
    ),
    Misconception(
        "learning_rate_missing",
        "the gradients are clipped, but the learning rate is missing from the step.",
        _by(lambda g, eta, c: _clip(g, c)),
    ),
    Misconception(
        "limit_times_learning_rate",
        "the learning rate is in the limit, too: the gradient is clipped at learning_rate * max_norm "
        "and then multiplied by it once more.",
        _by(lambda g, eta, c: eta * _clip(g, eta * c)),
    ),
    Misconception(
        "uphill",
        "the step goes up the slope. The gradient points to where the loss grows.",
        _by(lambda g, eta, c: -eta * _clip(g, c)),
    ),
    Misconception(
        "squared",
        "the squared norm is held against the limit: a root is missing.",
        _by(lambda g, eta, c: eta * _clip(g, c, lambda g: norm(g) ** 2)),
    ),
    Misconception(
        "sum_of_sizes",
        "the length is taken to be the sum of the absolute values. The norm here is the Euclidean one.",
        _by(lambda g, eta, c: eta * _clip(g, c, lambda g: norm(g, 1))),
    ),
    Misconception(
        "largest_entry",
        "the length is taken to be the largest absolute value. The norm here is the Euclidean one.",
        _by(lambda g, eta, c: eta * _clip(g, c, lambda g: norm(g, np.inf))),
    ),
    Misconception(
        "multiplied_by_the_limit",
        "the gradients are multiplied by max_norm, however long they are. That is a scale.",
        _by(lambda g, eta, c: eta * c * g),
    ),
    Misconception(
        "only_lengthens",
        "long gradients stay as they are, and short ones grow. A smaller and a larger have changed "
        "places.",
        _by(lambda g, eta, c: eta * g * max(1.0, c / (norm(g) or c))),
    ),
    Misconception(
        "upside_down",
        "long gradients grow: the factor is upside down.",
        _by(lambda g, eta, c: eta * g * max(1.0, norm(g) / c)),
    ),
    Misconception(
        "first_factor_kept",
        "the factor is found once, at the start, and used for every step. Each gradient has a norm of "
        "its own.",
        _first_factor_kept,
    ),
    Misconception(
        "first_gradient_kept",
        "the gradient is taken at the start only. Each step needs the gradient where it stands.",
        lambda gradient, w, eta, c, steps: w - steps * eta * _clip(gradient(w), c),
    ),
    Misconception(
        "total_clipped",
        "it descends without a clip and clips the whole way in the end. Each gradient is to be clipped "
        "before its step: after a throw it is too late.",
        _total_clipped,
    ),
    Misconception(
        "one_step_short",
        "it goes one step too few.",
        lambda gradient, w, eta, c, steps: right(gradient, w, eta, c, steps - 1),
    ),
    Misconception(
        "one_step_more",
        "it goes one step too many.",
        lambda gradient, w, eta, c, steps: right(gradient, w, eta, c, steps + 1),
    ),
    Misconception(
        "one_step_alone",
        "it goes one step, whatever steps is.",
        lambda gradient, w, eta, c, steps: right(gradient, w, eta, c, 1),
    ),
    Misconception(
        "returns_the_start",
        "the weights come back as they were: is w assigned again in the loop?",
        lambda gradient, w, eta, c, steps: w,
    ),
    Misconception(
        "nan_at_zero",
        "everything is right but at a minimum: there the gradient is zero, zero is divided by zero, "
        "and the weights become NaN.",
        _by(lambda g, eta, c: eta * g * (min(norm(g), c) / norm(g))),
    ),
    Misconception(
        "short_ones_change",
        "long gradients come out right, or nearly, but something is added to the norm that "
        "changes the short ones: {run} it ends at {given}, and should end at {expected}.",
        *(_by(lambda g, eta, c, e=e: eta * g * min(norm(g), c) / (norm(g) + e)) for e in EPSILONS),
    ),
)

PASSED = (
    "long gradients are shortened to max_norm, each before its step; short ones are left alone, and "
    "a minimum stays where it is."
)


def _first(observations: Observations) -> None:
    three_steps: Any = observations.seen[2].value if observations.seen else None
    if isinstance(three_steps, list | tuple) or np.ndim(three_steps) == 2:
        raise Mistake(
            "returns_the_path",
            "it returns several things, such as every place on the way. Return the weights where it "
            "ends, and no more.",
        )


EXERCISE = Comparison(
    probe="descend",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=lambda descent, *arguments: in_numpy(descent, valley, *arguments),
    first=_first,
    quantity="the place where it ends",
).exercise(
    "clipped_descent",
    partial={
        "short_ones_change": 0.75,
        "nan_at_zero": 0.75,
        "one_step_short": 0.5,
        "one_step_more": 0.5,
    },
)
