"""Chapter 08: write ``my_reading(norms, limit)``, which tells from a log of norms what is wrong.

Given are the gradient norms that a run logged, one a step, and the limit of its clip. A NaN may have been
skipped, or have got into the weights.
"""

from functools import partial
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Misconception,
    always,
    one_of,
)

READINGS = ("fine", "after", "never", "always", "nan")
FINE, AFTER, NEVER, ALWAYS, NAN = READINGS
OFTEN = 0.9
"""Above this share of its steps a run is called normalised."""


def record(reading: str, limit: float, share: float, steps: int, seed: int, nan: int = 0) -> Any:
    """Log the norms of a run.

    Args:
      reading: one of ``READINGS``.
      limit: of its clip.
      share: of the steps on which the clip acts; 0 for none.
      steps: how many.
      seed: of the norms, which are log-normal.
      nan: the step whose gradient is NaN; 0 for none. For ``"nan"`` all that follow are, too.

    Returns:
      The norms, ``[steps]``, and the limit.
    """
    norms = np.random.default_rng(seed).lognormal(0.0, 0.8, steps)
    norms *= limit / (np.quantile(norms, 1 - share) if share else 1.5 * np.max(norms))
    if reading == AFTER:
        norms = np.minimum(norms, np.float32(limit))  # as float32 rounds it: 0.1 a hair above
    if nan:
        norms[nan : None if reading == NAN else nan + 1] = np.nan
    return norms, limit


CASES = tuple(
    Case(record(reading, limit, share, steps, seed, nan), f"for log {seed}")
    for seed, (reading, limit, share, steps, nan) in enumerate(
        (
            (FINE, 1.0, 0.2, 120, 0),
            (AFTER, 1.0, 0.3, 200, 0),
            (ALWAYS, 0.5, 0.97, 150, 0),
            (NEVER, 5.0, 0.0, 100, 0),
            (NAN, 1.0, 0.2, 180, 70),
            (FINE, 2.0, 0.1, 160, 90),  # skipped
            (AFTER, 0.25, 0.95, 140, 0),
            (FINE, 0.5, 0.7, 130, 0),
            (NAN, 10.0, 0.0, 110, 40),
            (NEVER, 1.0, 0.0, 170, 25),  # skipped
            (ALWAYS, 2.0, 1.0, 90, 0),
            (AFTER, 0.1, 0.1, 100, 0),
            (NAN, 0.5, 0.97, 150, 130),
        ),
        start=1,
    )
)


def right(norms: Array, limit: float) -> str:
    """Return the reading of a log."""
    if np.isnan(norms[-1]):
        return NAN
    above = np.mean(norms > 1.001 * limit)  # not merely by rounding
    if above == 0:
        return AFTER if np.sum(np.isclose(norms, limit)) > 1 else NEVER
    return ALWAYS if above > OFTEN else FINE


def _by_share(norms: Array, limit: float, *, often: float = OFTEN, none: str = FINE) -> str:
    """Decide only by how often a norm is above the limit."""
    above = np.mean(norms > limit)
    return ALWAYS if above > often else FINE if above > 0 else none


def _by_maximum(norms: Array, limit: float, *, otherwise: str) -> str:
    found = right(norms, limit)
    return otherwise if found == NEVER and np.isnan(np.max(norms)) else found


def _less_often(norms: Array, limit: float, *, often: float) -> str:
    found = right(norms, limit)
    return ALWAYS if found == FINE and np.mean(norms > limit) > often else found


MISCONCEPTIONS = (
    *always(READINGS, "log"),
    Misconception("share_alone",
        "it asks only how often a norm is above the limit. In some logs none is: is that a good sign? And how does "
        "NaN compare with a number?",
        _by_share, partial(_by_share, none=NEVER), partial(_by_share, none=AFTER)),
    Misconception("any_nan",
        "one NaN is taken for the end of a run. If its step was skipped, what do the norms after it look like?",
        lambda norms, limit: NAN if np.any(np.isnan(norms)) else right(norms, limit)),
    Misconception("nan_overlooked",
        "a run that is lost to NaN isn't noticed. A NaN is neither above the limit nor below it, so check for it "
        "first.",
        *({"nan": name} for name in READINGS if name != NAN),
        lambda norms, limit: _by_share(norms, limit, none=NEVER) if np.isnan(norms[-1]) else right(norms, limit)),
    Misconception("nan_too_late",
        "a run that ends in NaN is read by the norms before. Whatever the clip did, its weights are lost.",
        lambda norms, limit: ALWAYS if np.mean(norms[~np.isnan(norms)] > limit) > OFTEN else right(norms, limit),
        lambda norms, limit: FINE if np.isnan(norms[-1]) and np.mean(np.isnan(norms)) < 0.5 else right(norms, limit),
        lambda norms, limit: right(norms[~np.isnan(norms)] if np.mean(np.isnan(norms)) < 0.5 else norms, limit)),
    Misconception("limit_counted",
        "a norm that equals the limit is counted as one above it. A clip leaves it alone.",
        *(lambda norms, limit, least=least: ALWAYS if np.mean(norms >= least * limit) > OFTEN else right(norms, limit)
          for least in (1.0, 0.999))),
    Misconception("nan_in_the_maximum",
        "one log with a skipped NaN is read as if it had no maximum. The maximum of numbers and a NaN is NaN, which is "
        "neither below the limit nor at it.",
        *(partial(_by_maximum, otherwise=name) for name in (FINE, AFTER, ALWAYS))),
    Misconception("after_is_never",
        "a log in which no norm is above the limit is taken for that of a clip that never acts. The norms may also "
        "have been logged after the clip. Which norm would be frequent then?",
        {"after": NEVER}),
    Misconception("never_is_after",
        "a log in which no norm is above the limit is taken for one recorded after the clip. The limit may also be "
        "too high to act. Is any norm the limit, but for rounding?",
        {"never": AFTER}, {"never": AFTER, "after": NEVER}),
    Misconception("after_overlooked",
        "a log recorded after the clip isn't noticed. Where norms are logged before the clip, some are far above the "
        "limit, and hardly any equals it. After the clip some equal it, but for rounding.",
        {"after": FINE}, {"after": ALWAYS},
        lambda norms, limit: FINE if right(norms, limit) == AFTER and np.any(norms > limit) else right(norms, limit),
        lambda norms, limit: NEVER if right(norms, limit) == AFTER and limit not in norms else right(norms, limit)),
    Misconception("never_overlooked",
        "a clip that never acts is said to be fine. How many of these norms does it change?",
        {"never": FINE}),
    Misconception("always_overlooked",
        "a clip that acts on nearly every step is said to be fine. How large are the steps of such a run?",
        {"always": FINE}),
    Misconception("often_is_always",
        "it returns 'always' for a clip that leaves more than a tenth of the steps alone.",
        *(partial(_less_often, often=often) for often in (0.0, 0.05, 0.1, 0.2, 0.25, 0.5, 0.6))),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} logs are read right.",
    first=one_of(CASES, READINGS),
    quantity="the answer",
).exercise(
    "read_the_norms",
    partial={
        "share_alone": 0.25,
        "any_nan": 0.75,
        "nan_overlooked": 0.5,
        "nan_too_late": 0.75,
        "limit_counted": 0.75,
        "after_is_never": 0.5,
        "never_is_after": 0.5,
        "after_overlooked": 0.5,
        "never_overlooked": 0.5,
        "always_overlooked": 0.5,
        "often_is_always": 0.75,
    },
)
"""An answer is called as ``answer(norms, limit)`` and returns one of ``READINGS``."""
