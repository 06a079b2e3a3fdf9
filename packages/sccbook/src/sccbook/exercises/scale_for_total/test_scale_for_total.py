"""A bank of answers to assignment 5's third function."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import brentq

from scaleclip.ledger import coefficients
from sccbook.exercises.scale_for_total.exercise import CASES, total_of


def solved(taken, high=50.0):
    """The answer of somebody who takes ``taken`` for the total, found by bisection."""

    def answer(steps, rho, total):
        low, up = 0.0, high
        for _ in range(100):
            middle = (low + up) / 2
            low, up = (middle, up) if taken(steps, middle, rho) < total else (low, middle)
        return low

    return answer


right = solved(lambda steps, s, rho: total_of(steps, s * rho))


def by_the_closed_form(steps, rho, total):
    """The fraction for the inner sum, which is 0 / 0 where s rho is 1, and right elsewhere."""
    scale = right(steps, rho, total)
    return float("nan") if abs(scale * rho - 1) < 1e-6 else scale


WRONG = {
    "negative": [lambda *_: -0.5, lambda *given: -right(*given) - 0.01],
    "gain_ignored": [solved(lambda steps, s, rho: total_of(steps, s))],
    "gain_twice": [solved(lambda steps, s, rho: total_of(steps, s * rho * rho))],
    "gain_multiplied": [lambda steps, rho, total: rho * rho * right(steps, rho, total)],
    "bound_for_total": [lambda steps, rho, total: (1 - 1 / total) / rho],
    "root_only": [solved(lambda steps, s, rho: sum((s * rho) ** lag for lag in range(steps)))],
    "first_step_over_k": [
        solved(lambda steps, s, rho: sum((s * rho) ** lag for lag in range(steps)) / steps)
    ],
    "before_the_heads": [solved(lambda steps, s, rho: s * total_of(steps, s * rho))],
    "one_step_short": [solved(lambda steps, s, rho: total_of(steps - 1, s * rho))],
    "one_step_more": [solved(lambda steps, s, rho: total_of(steps + 1, s * rho))],
    "step_0_counted": [
        solved(lambda steps, s, rho: steps * total_of(steps, s * rho) / (steps + 1))
    ],
    "proportional": [lambda steps, rho, total: total / total_of(steps, rho)],
    "one_power": [lambda steps, rho, total: 2 * (total - 1) / (rho * (steps - 1))],
    "clipped_at_one": [lambda *given: min(1.0, right(*given))],
    "always_the_same": [lambda *_: 0.5],
    "not_finite": [
        by_the_closed_form,
    ],
    "no_finite_scale": [
        *(lambda *_: float("nan"), lambda *_: float("inf"), lambda *_: -jnp.inf),
        lambda steps, rho, total: right(steps, rho, total) if rho < 2 else float("nan"),
    ],
    "far_too_large": [lambda *_: 1e9],
    "returns_other": [
        lambda *given: [right(*given)],
        lambda *_: "half",
        lambda *given: np.complex64(right(*given) + 1j),
    ],
    "not_callable": [0.5],
    "raises": [lambda steps, rho: 0.5],
    "wrong": [
        lambda *given: 1.07 * right(*given) + 0.05,
        lambda *given: 1.07 * by_the_closed_form(*given) + 0.05,
    ],
}


RIGHT = {
    "bisection": right,
    "SciPy's root finder": lambda k, rho, total: brentq(
        lambda s: total_of(k, s * rho) - total, 0, 50
    ),
    "of JAX": lambda *given: jnp.float32(right(*given)),
}


@pytest.mark.slow
def test_the_total_agrees_with_the_ledger():
    steps, rho, total = CASES[0].arguments
    through = np.asarray(coefficients(steps, right(steps, rho, total), "after_heads")[0])
    lag = np.maximum(np.subtract.outer(np.arange(steps), np.arange(steps)), 0)
    assert np.sum(through * rho**lag) == pytest.approx(total, rel=1e-4)
