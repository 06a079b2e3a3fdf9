"""A bank of answers to assignment 5's third function."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import brentq

from sccbook.exercises.scale_for_total.exercise import CASES, total_of
from scaleclip.ledger import coefficients

X64 = False  # as in an assignment


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


def infinite_at_one(*given):
    scale = by_the_closed_form(*given)
    return scale if np.isfinite(scale) else jnp.inf


WRONG = {
    "negative": [lambda *_: -0.5, lambda *given: -right(*given) - 0.01],
    "gain_ignored": [solved(lambda steps, s, rho: total_of(steps, s))],
    "gain_twice": [solved(lambda steps, s, rho: total_of(steps, s * rho * rho))],
    "gain_multiplied": [lambda steps, rho, total: rho * rho * right(steps, rho, total)],
    "bound_for_total": [lambda steps, rho, total: (1 - 1 / total) / rho],
    "root_only": [solved(lambda steps, s, rho: sum((s * rho) ** lag for lag in range(steps)))],
    "first_application_over_k": [
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
    "not_finite": [by_the_closed_form, infinite_at_one],
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


def by_newton(steps, rho, total):
    s = 1.0 / rho
    for _ in range(60):
        h = 1e-6
        slope = (total_of(steps, (s + h) * rho) - total_of(steps, (s - h) * rho)) / (2 * h)
        s = max(0.0, s - (total_of(steps, s * rho) - total) / slope)
    return s


def as_polynomial(steps, rho, total):
    """T(K) = sum over lags m of (K - m) r^m / K: the one root that is not negative."""
    weights = [(steps - lag) / steps for lag in reversed(range(steps))]
    weights[-1] -= total
    roots = np.roots(weights)
    real = [root.real for root in roots if abs(root.imag) < 1e-9 and root.real > -1e-9]
    return max(0.0, min(real)) / rho


def on_a_grid(steps, rho, total):
    """All totals of a fine grid of scales at once, and the nearest."""
    scales = np.linspace(0, 3, 6_001)
    powers = (scales[:, None] * rho) ** np.arange(steps)
    totals = powers @ (steps - np.arange(steps)) / steps
    return scales[np.argmin(np.abs(totals - total))]


RIGHT = {
    "bisection": right,
    "SciPy's root finder": lambda k, rho, total: brentq(
        lambda s: total_of(k, s * rho) - total, 0, 50
    ),
    "Newton's": by_newton,
    "the roots of a polynomial": as_polynomial,
    "a fine grid": on_a_grid,
    "of JAX": lambda *given: jnp.float32(right(*given)),
}


@pytest.mark.slow
def test_the_total_is_the_ledgers():
    steps, rho, total = CASES[0].arguments
    through = np.asarray(coefficients(steps, right(steps, rho, total), "after_heads")[0])
    lag = np.maximum(np.subtract.outer(np.arange(steps), np.arange(steps)), 0)
    assert np.sum(through * rho**lag) == pytest.approx(total, rel=1e-4)
