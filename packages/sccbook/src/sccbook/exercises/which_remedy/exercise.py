"""Chapter 13: write ``first_remedy(record)``, which reads the record of a run and names what to try first.

Given are, for each step, the loss, the norm of the gradient before any clip, the norm of the update and that of
the weights. A run that isn't finite any more was not stopped.
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

Record = dict[str, Array]

NAMES = ("clip", "clip_update", "cap", "lower_rate", "forward", "backward")
CLIP, CLIP_UPDATE, CAP, LOWER_RATE, FORWARD, BACKWARD = NAMES
STEPS, SIZE, FLAT = 240, 4, 4
"""How many steps a run has, how many weights its loss holds, and how many it leaves alone."""
HUGE = 1e6


def record(cause: str, seed: int, at: int = 0, rate: float = 0.3) -> Record:
    """Train eight weights in float32, four of them in a bowl that is flat far away, and record it.

    Args:
      cause: which of ``NAMES`` will help: one gradient is 2,000 times as long; under
        Adam the data change, and short gradients become long ones; nothing holds four of the weights against noise; the rate is
        above 2, in a bowl that is steep everywhere where ``at`` is given; a logarithm of 0; the slope
        of a root at 0, in the branch that ``where`` leaves out.
      seed: of the start and of the noise.
      at: the step at which it happens.
      rate: the learning rate.

    Returns:
      ``"loss"``, ``"norm"``, ``"update"``, ``"weight"``, float64 ``[240]`` each.
    """
    source = np.random.default_rng(seed)
    w = source.normal(size=SIZE + FLAT).astype(np.float32)
    w *= np.float32(0.03 if cause == CLIP_UPDATE else 1.5) / np.linalg.norm(w)
    steep = cause == LOWER_RATE and at > 0
    own, flat = {CAP: (0.05, 1.0), CLIP_UPDATE: (0.01, 0.01), LOWER_RATE: (0.05, 0.005)}.get(
        cause, (0.05, 0.05)
    )
    noise = np.array([own] * SIZE + [flat] * FLAT, np.float32)
    m, v = np.zeros_like(w), np.zeros_like(w)
    rows = []
    with np.errstate(all="ignore"):
        for n in range(STEPS):
            away = w[:SIZE] - np.float32(0.6 if cause == CLIP_UPDATE and n >= at else 0.0)
            q = np.sum(away**2) / 2
            hit = at > 0 and n == at
            loss = q if steep else q / (1 + q)
            slope = np.float32(1.0) if steep else 1 / (1 + q) ** 2
            g = noise * source.normal(size=w.size).astype(np.float32)
            g[:SIZE] += slope * away
            if cause == CLIP and hit:
                other = source.normal(size=w.size).astype(np.float32)
                g = 2000 * np.linalg.norm(g) * other / np.linalg.norm(other)
            if cause == FORWARD and hit:  # -log(1 - p), where p is 1 in float32
                p = 1 / (1 + np.exp(np.float32(-200.0)))
                loss, g = loss - np.log(1 - p), g + p * (1 - p) / (1 - p)
            if cause == BACKWARD and hit:  # where(x > 0, sqrt(x), 0) at 0: 0 times inf
                g = g + np.float32(0.0) / np.sqrt(np.float32(0.0))
            if cause == CLIP_UPDATE:
                m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
                unbiased = m / (1 - 0.9 ** (n + 1))
                update = rate * unbiased / (np.sqrt(v / (1 - 0.999 ** (n + 1))) + 1e-8)
            else:
                update = np.float32(rate) * g
            rows.append((loss, *map(np.linalg.norm, (g, update, w))))
            w = (w - update).astype(np.float32)
    columns = np.array(rows, float).T
    return dict(zip(("loss", "norm", "update", "weight"), columns, strict=True))


CASES = tuple(
    Case((record(cause, number, at, rate),), f"for record {number}")
    for number, (cause, at, rate) in enumerate(
        (
            (CLIP, 90, 0.3),
            (FORWARD, 120, 0.3),
            (CAP, 0, 0.5),
            (LOWER_RATE, 0, 6.0),
            (CLIP_UPDATE, 150, 0.01),
            (BACKWARD, 60, 0.3),
            (LOWER_RATE, 1, 3.0),
            (CLIP, 200, 0.1),
            (CAP, 0, 0.3),
            (FORWARD, 30, 0.1),
            (CLIP_UPDATE, 100, 0.02),
            (LOWER_RATE, 0, 4.5),
            (BACKWARD, 180, 0.5),
            (LOWER_RATE, 1, 2.3),
        ),
        start=1,
    )
)


def _grew(norm: Array, n: int) -> bool:
    """Tell whether the norms grew without bound before step n."""
    return bool(np.median(norm[max(0, n - 5) : n]) > HUGE * np.median(norm[:5]))


def stands_out(values: Array, times: float) -> bool:
    """Tell if the largest is so many times the median of the twenty before it and of those after it."""
    n = int(np.argmax(values))
    sides = values[max(0, n - 20) : n], values[n + 1 : n + 21]
    return all(values[n] > times * np.median(side) for side in sides if side.size)


def right(record: Record) -> str:
    """Name the remedy: first what isn't finite, then what stands out, then what grows."""
    loss, norm, update, weight = (record[name] for name in ("loss", "norm", "update", "weight"))
    broken = ~np.isfinite(norm)
    if broken.any():
        n = int(np.argmax(broken))
        if _grew(norm, n):
            return LOWER_RATE
        return BACKWARD if np.isfinite(loss[n]) else FORWARD
    if stands_out(norm, 20):
        return CLIP
    if np.max(update[20:]) > 5 * np.median(update[20:]):
        return CLIP_UPDATE
    return CAP if weight[-1] > 3 * weight[0] and np.median(loss[-50:]) < 0.2 else LOWER_RATE


def _norms_alone(record: Record, times: float) -> str:
    with np.errstate(all="ignore"):
        return CLIP if np.max(record["norm"]) > times * np.median(record["norm"]) else LOWER_RATE


def _any_nan(name: str) -> Any:
    return lambda record: name if not np.isfinite(record["norm"]).all() else right(record)


def _long_anywhere(record: Record) -> str:
    known = record["norm"][np.isfinite(record["norm"])]
    return CLIP if np.max(known) > 5 * np.median(known) else right(record)


def _large_update(record: Record, times: float) -> str:
    known = record["update"][np.isfinite(record["update"])]
    return CLIP_UPDATE if np.max(known) > times * np.median(known) else right(record)


def _grown_weights(record: Record) -> str:
    known = record["weight"][np.isfinite(record["weight"])]
    return CAP if known[-1] > 2 * known[0] else right(record)


MISCONCEPTIONS = (
    *always(NAMES, "record"),
    Misconception("norms_alone",
        "its answers are those of someone who looks only at the norms. Norms can tell one bad step from steps that are "
        "all too large, but no more. What do the loss, the updates and the weights do? And is NaN ever greater than a "
        "number, or equal to one?",
        *(partial(_norms_alone, times=times) for times in (3, 20))),
    Misconception("clip_against_nan",
        "a run that meets NaN gets a clip. A clip multiplies by c / norm: what does it make of NaN?",
        _any_nan(CLIP), {"forward": CLIP, "backward": CLIP}),
    Misconception("all_nan_alike",
        "every run that isn't finite gets the same remedy. Look at the first such step: is the loss finite there, "
        "and what did the norms do before it?",
        *map(_any_nan, (FORWARD, BACKWARD, LOWER_RATE))),
    Misconception("last_loss",
        "a NaN in the backward pass is taken for one in the forward pass. Once a NaN is in the weights every loss "
        "is NaN, so look at the first such step alone.",
        {"backward": FORWARD}),
    Misconception("growth_overlooked",
        "norms that grew for many steps until they overflowed are put down to a fault in the code. What would half the "
        "rate have done?",
        lambda record: (
            BACKWARD if (n := int(np.argmax(~np.isfinite(record["norm"])))) and np.isfinite(record["loss"][n])
            else FORWARD if n else right(record))),
    Misconception("growth_is_clipped",
        "a run whose norms grow at every step gets a clip. No step stands out: a limit would act at nearly all of "
        "them, as a lower rate does.",
        lambda record: (
            CLIP if right(record) == LOWER_RATE and not np.isfinite(record["norm"]).all() else right(record))),
    Misconception("gradient_overlooked",
        "a single update that is far too large is put down to the optimizer. How large was the gradient of that step?",
        {"clip": CLIP_UPDATE}, partial(_large_update, times=5), partial(_large_update, times=10)),
    Misconception("level_is_spike",
        "norms that go up and stay up are taken for a spike. Compare the largest with those after it as well as with "
        "those before.",
        _long_anywhere, {"clip_update": CLIP}),
    Misconception("thrown_is_grown",
        "weights that jumped once are taken for weights that grow. Look at the steps in between.",
        _grown_weights, {"clip": CAP}),
    Misconception("update_overlooked",
        "updates that grow larger than usual aren't noticed. How large are they before the norms rise, and after?",
        {"clip_update": LOWER_RATE}, {"clip_update": CAP}),
    Misconception("growth_of_weights_overlooked",
        "weights that grow steadily while the loss stays where it is aren't noticed. Compare the last with the first.",
        {"cap": LOWER_RATE}, {"cap": CLIP}, {"cap": CLIP_UPDATE}),
    Misconception("rate_is_clipped",
        "a run in which every step is too large gets a clip or a cap. Does anything stand out in it?",
        {"lower_rate": CLIP}, {"lower_rate": CLIP_UPDATE}, {"lower_rate": CAP}),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} records are read right: first what isn't finite, then what stands out, then what grows.",
    first=one_of(CASES, NAMES),
    quantity="the remedy",
).exercise(
    "which_remedy",
    partial={
        "clip_against_nan": 0.5,
        "all_nan_alike": 0.5,
        "last_loss": 0.75,
        "growth_overlooked": 0.5,
        "growth_is_clipped": 0.75,
        "gradient_overlooked": 0.5,
        "level_is_spike": 0.5,
        "thrown_is_grown": 0.5,
        "update_overlooked": 0.5,
        "growth_of_weights_overlooked": 0.5,
        "rate_is_clipped": 0.5,
    },
)
"""An answer is called as ``answer(record)`` and returns one of ``NAMES``."""
