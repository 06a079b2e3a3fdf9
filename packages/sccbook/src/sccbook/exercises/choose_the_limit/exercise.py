"""Chapter 13: write ``limit(norms, share, first)``: what would have clipped this share of a run's steps.

Given are the gradient norms of a run that was not clipped, the share of its steps that a clip is to act on, and the
number of the step that the warm-up ends at. Norms that are inf or NaN belong to steps that were skipped. Steps
before ``first``, and those, are not to count.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Flaw,
    Mistake,
    Properties,
    Property,
    require_a_number,
    require_floats,
)

STEPS_OFF = 1.5
"""So many steps more or fewer may be clipped: percentiles are taken in several ways."""


def log(steps: int, first: int, broken: int, seed: int, early: int = 0) -> Array:
    """Draw a log: log-normal norms that rise slowly, large ones in the warm-up, inf and NaN among the others.

    Args:
      steps: how many.
      first: how many belong to the warm-up.
      broken: how many later ones are inf, and as many NaN.
      seed: of the draws.
      early: how many steps of the warm-up are inf, from the first on.
    """
    source = np.random.default_rng(seed)
    norms: Array = source.lognormal(0.0, 0.5, steps) * np.linspace(0.8, 1.5, steps)
    norms[:first] *= np.geomspace(20.0, 3.0, first)
    at = first + source.choice(steps - first, 2 * broken, replace=False)
    norms[at[:broken]], norms[at[broken:]] = np.inf, np.nan
    norms[:early] = np.inf
    return norms


CASES = tuple(
    Case((log(steps, first, broken, seed, early), share, first), f"for log {seed}, a share of {share:g} and first = {first}")
    for seed, (steps, first, broken, share, early) in enumerate(
        (
            (400, 60, 6, 0.05, 0),
            (300, 40, 5, 0.1, 0),
            (500, 100, 3, 0.02, 0),
            (250, 60, 7, 0.5, 28),
            (600, 50, 15, 0.25, 0),
        ),
        start=1,
    )
)  # fmt: skip


def counted(norms: Array, first: int) -> Array:
    """Return the norms that count: finite ones after the warm-up."""
    later = norms[first:]
    found: Array = later[np.isfinite(later)]
    return found


def right(norms: Array, share: float, first: int) -> float:
    """Return the limit: a percentile of what counts."""
    return float(np.quantile(counted(norms, first), 1 - share))


def _clips(of: Callable[[Array, int], Array], complement: bool = False) -> Property:
    """Tell whether a limit would be right if these were the norms that count."""

    def holds(c: float, norms: Array, share: float, first: int) -> bool:
        meant = of(norms, first)
        part = float(np.mean(meant <= c if complement else meant > c))
        return abs(part - share) * len(meant) <= STEPS_OFF

    return holds


def _length(c: float, norms: Array, share: float, first: int) -> bool:
    known = counted(norms, first)
    return bool(np.isclose(np.minimum(known, c).sum() / known.sum(), 1 - share, atol=0.01))


def _read(value: Any, case: Case) -> float:
    require_a_number(value, case, "the limit")
    limit = float(require_floats(value, case, "one number, the limit"))
    if np.isnan(limit):
        raise Mistake(
            "returns_nan",
            f"{case.words} it returned NaN: a norm that isn't finite can make a percentile NaN. Which steps count?",
        )
    return limit


def _by_deviations(c: float, norms: Array, share: float, first: int) -> bool:
    """Tell whether a limit is the mean and a whole or usual number of standard deviations."""
    known = counted(norms, first)
    off = (c - np.mean(known)) / np.std(known)
    return bool(
        np.any(np.abs(off - np.array([0, 1, 1.28, 1.64, 1.65, 1.96, 2, 2.33, 2.5, 2.58, 3])) < 0.02)
    )


_JUST = "{run} it returned {given}. "

FLAWS = (
    Flaw("clips_the_rest", _JUST + "That clips all steps but this share.",
         _clips(counted, complement=True)),
    Flaw("filtered_first", _JUST + "What isn't finite was left out before the warm-up was counted off, so too many "
         "steps are gone.",
         _clips(lambda norms, first: norms[np.isfinite(norms)][first:])),
    Flaw("warm_up_counted", _JUST + "That's right for the whole log. But norms are large in the warm-up, so later on "
         "this limit clips far fewer steps.",
         _clips(lambda norms, first: norms[np.isfinite(norms)])),
    Flaw("broken_counted", _JUST + "Steps that aren't finite were skipped, but here they're counted.",
         _clips(lambda norms, first: np.nan_to_num(norms[first:], nan=np.inf))),
    Flaw("nan_counted_as_short", _JUST + "A NaN isn't above any limit, so its step was counted as one that isn't "
         "clipped. It shouldn't count at all.",
         _clips(lambda norms, first: np.nan_to_num(norms[first:], nan=0.0, posinf=np.inf))),
    Flaw("zero_for_broken", _JUST + "Norms that aren't finite are counted as small ones here. They shouldn't count at "
                                    "all.",
         _clips(lambda norms, first: np.nan_to_num(norms[first:], nan=0.0, posinf=0.0))),
    Flaw("share_of_length", _JUST + "That takes the share off the sum of the norms. It should be a share of the "
         "steps.",
         _length),
    Flaw("share_of_the_longest", _JUST + "That's a fraction of the largest norm, or of the range. How many norms are "
         "above it?",
         lambda c, norms, share, first: any(
             np.isclose(c, part * np.max(known), rtol=1e-3)
             for known in (counted(norms, first), norms[np.isfinite(norms)]) for part in (share, 1 - share))),
    Flaw("inf_counted", _JUST + "NaN was left out, but inf was counted. Steps with inf were skipped too.",
         _clips(lambda norms, first: norms[first:][~np.isnan(norms[first:])])),
    Flaw("warm_up_alone", _JUST + "That's right for the warm-up, which shouldn't count.",
         _clips(lambda norms, first: norms[:first])),
    Flaw("percents", _JUST + "np.percentile takes percentages, from 0 to 100, and np.quantile takes shares, from 0 to "
                             "1.",
         lambda c, norms, share, first: any(
             np.isclose(c, np.percentile(counted(norms, first), part), rtol=1e-4)
             for part in (share, 1 - share, 100 - share))),
    Flaw("share_of_all_steps", _JUST + "That takes the share of all steps, including the warm-up and the skipped ones.",
         lambda c, norms, share, first: (
             abs(np.sum(counted(norms, first) > c) - share * len(norms)) <= STEPS_OFF)),
    Flaw("by_deviations", _JUST + "That's the mean plus some standard deviations. How many norms are above it depends "
         "on their distribution. Count the norms.",
         _by_deviations),
    Flaw("share_ignored", _JUST + "That's a fixed percentile of the norms that count. The share says how many are to "
         "be above the limit.",
         lambda c, norms, share, first: bool(np.isclose(
             c, np.percentile(counted(norms, first), (50, 75, 80, 90, 95, 98, 99, 100)), rtol=1e-3).any())),
    Flaw("times_the_median", _JUST + "That's a multiple of the median. How many norms are above it depends on their "
         "distribution. Count the norms.",
         lambda c, norms, share, first: bool(np.isclose(
             c, np.array((2, 3, 5, 10, 20)) * np.median(counted(norms, first)), rtol=1e-3).any())),
)  # fmt: skip

EXERCISE = Properties(
    cases=CASES,
    holds=_clips(counted),
    flaws=FLAWS,
    passed=f"in all {len(CASES)} logs the limit clips the share asked for.",
    read=_read,
    same="it returns {given} for every log.",
    missed="{run} it returned {given}, which clips a different share of the steps that count.",
    quantity="the limit",
    draw=lambda random: {
        "norms": log(50, 10, 2, random.randrange(10**6)),
        "share": random.choice((0.1, 0.2, 0.25)),
        "first": 10,
    },
).exercise(
    "choose_the_limit",
    partial={
        "clips_the_rest": 0.5,
        "warm_up_counted": 0.5,
        "broken_counted": 0.75,
        "nan_counted_as_short": 0.75,
        "zero_for_broken": 0.75,
    },
)
"""An answer is called as ``answer(norms, share, first)`` and returns one number."""
