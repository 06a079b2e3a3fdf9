"""Assignment 5: find the scale at which the dynamics receive a given total.

Asked for is ``scale_for_total(K, rho, total)``: the s, at least 0, at which

    T(K) = (1/K) sum_{j=1}^{K} sum_{k=j}^{K} (s rho)^(k-j)

is ``total``: what the dynamics receive of K losses, each weighted 1/K, with a gain rho and the scale
after the heads. With r = s rho the inner sum is (1 - r^(K-j+1)) / (1 - r) where r is not 1.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Case,
    Flaw,
    Function,
    Mistake,
    Properties,
    Property,
    require_a_number,
    require_floats,
)

TOLERANCE = 1e-3
"""Relative error that is allowed of T(K)."""

CASES = tuple(
    Case((steps, rho, total), f"for K = {steps}, rho = {rho:g} and total = {total:g}")
    for steps, rho, total in (
        (10, 1.0, 1.8), (5, 1.0, 2.5), (6, 0.8, 1.5), (4, 2.0, 2.0), (10, 1.0, 5.5), (3, 0.5, 1.0), (8, 1.25, 6.0), (6, 0.5, 3.0)
    )
)  # fmt: skip


def lags(steps: int, ratio: float) -> Any:
    """Return what each step gets, from the last to the first: 1, 1 + r, ... ``[K]``."""
    return np.cumsum(float(ratio) ** np.arange(steps))


def total_of(steps: int, ratio: float) -> float:
    """Return T(K), with r = s rho."""
    return float(np.mean(lags(steps, ratio)))


def _solves(taken: Function) -> Property:
    """Tell whether a scale would be right if ``taken(K, s, rho)`` were the total."""

    def holds(scale: Any, steps: int, rho: float, total: float) -> bool:
        with np.errstate(all="ignore"):  # NumPy's numbers: 1 / 0 is inf
            found = taken(steps, np.float64(scale), rho)
        return bool(np.isclose(found, total, rtol=TOLERANCE, atol=0))

    return holds


def _read(value: Any, case: Case) -> float:
    require_a_number(value, case, "the scale")
    scale = float(require_floats(value, case, "one number, the scale"))
    steps, _, total = case.arguments
    at_one = np.isclose(total, total_of(steps, 1.0))  # the closed form of the inner sum is 0 / 0
    if not np.isfinite(scale) and not at_one:
        raise Mistake(
            "no_finite_scale",
            f"{case.words} it returned {scale}. There is a scale, and it is a finite number.",
        )
    if np.isfinite(scale) and abs(scale) > 1e6:
        raise Mistake(
            "far_too_large",
            f"{case.words} it returned {scale:.3g}, which is far too large: no total that is asked for needs a scale above 10.",
        )
    return scale


_JUST = "{run} it returned {given}. "

FLAWS = (
    Flaw("not_finite", _JUST + "Everything else is right. Where s rho is 1, the sum's closed form "
                       "is 0/0: take the number of its terms there.",
         lambda s, n, rho, total: not np.isfinite(s)),
    Flaw("negative", _JUST + "A negative scale reverses the gradient at every other step back. We "
                     "asked for a scale of at least 0.",
         lambda s, n, rho, total: s < 0),
    Flaw("gain_ignored",
         _JUST + "That is s times rho. We asked for the scale alone; the dynamics have the gain "
         "already.",
         _solves(lambda n, s, rho: total_of(n, s))),
    Flaw("gain_twice", _JUST + "The gain is counted twice.",
         _solves(lambda n, s, rho: total_of(n, s * rho**2))),
    Flaw("gain_multiplied", _JUST + "You multiplied by the gain, where you should divide.",
         _solves(lambda n, s, rho: total_of(n, s / rho))),
    Flaw("bound_for_total",
         _JUST + "You took the bound 1 / (1 - s rho) for the total. The total stays below it for "
         "every K.",
         _solves(lambda n, s, rho: 1 / (1 - s * rho))),
    Flaw("root_only",
         _JUST + "This counts only what the first step gets. The dynamics get the sum over all "
         "steps.",
         _solves(lambda n, s, rho: float(lags(n, s * rho)[-1]))),
    Flaw("first_step_over_k",
         _JUST + "This counts only the first step, and divides its sum by K.",
         _solves(lambda n, s, rho: float(lags(n, s * rho)[-1]) / n)),
    Flaw("before_the_heads",
         _JUST + "Each loss passes one scale too many. That is the placement before the heads.",
         _solves(lambda n, s, rho: s * total_of(n, s * rho))),
    Flaw("one_step_short", _JUST + "It is right for one step fewer.",
         _solves(lambda n, s, rho: total_of(n - 1, s * rho))),
    Flaw("one_step_more", _JUST + "It is right for one step more.",
         _solves(lambda n, s, rho: total_of(n + 1, s * rho))),
    Flaw("step_0_counted",
         _JUST + "The mean is taken over K + 1 losses. Step 0's loss never reaches the dynamics, "
         "and the other K are weighted 1/K.",
         _solves(lambda n, s, rho: n * total_of(n, s * rho) / (n + 1))),
    Flaw("proportional",
         _JUST + "You assume that the total grows in proportion to the scale. It's a sum of "
         "powers.",
         _solves(lambda n, s, rho: s * total_of(n, rho))),
    Flaw("one_power",
         _JUST + "Every later loss is scaled once. A loss that goes back several steps is scaled "
         "again at each.",
         _solves(lambda n, s, rho: 1 + s * rho * (n - 1) / 2)),
    Flaw("clipped_at_one",
         _JUST + "It is right below s = 1, and cut off there. A total may need more.",
         lambda s, n, rho, total: bool(np.isclose(s, 1.0)) and total_of(n, rho) < total),
)  # fmt: skip

EXERCISE = Properties(
    cases=CASES,
    holds=lambda s, n, rho, total: (
        s >= -1e-9 and _solves(lambda n, s, rho: total_of(n, s * rho))(s, n, rho, total)
    ),
    flaws=FLAWS,
    passed="at this scale the dynamics receive just that total, for every length, gain and total tried.",
    read=_read,
    same="it returns {given}, whatever K, rho and total are.",
    missed="{run} it returned {given}, at which the total is another one.",
    quantity="the scale",
    draw=lambda random: {
        "K": random.choice((2, 3)),
        "rho": random.choice((0.5, 0.8, 1.25, 2.0)),
        "total": random.choice((1.2, 1.3, 1.4, 1.6, 1.8)),
    },
).exercise(
    "scale_for_total",
    partial={
        "gain_ignored": 0.75,
        "gain_twice": 0.5,
        "one_step_short": 0.5,
        "one_step_more": 0.5,
        "not_finite": 0.5,
        "before_the_heads": 0.5,
    },
)
