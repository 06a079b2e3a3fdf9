"""What the records of ``experiments/half_by_depth`` are about, and what its protocol computes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from sccbook.records import Cell, load

OPTIMIZERS = ("sgd", "adam")
ARMS = ("off", "P")
LENGTHS = (2, 5, 10, 20)
"""K, of the unrolls that are trained."""
STAGES = {"confirmatory": LENGTHS, "blind": (2, 10)}
"""Those whose seeds count, and their K; the tuning's seeds choose rates."""
FACTORS = (0.5, 1.0, 2.0)
"""Of the best learning rate: the rates that are averaged."""
MEASURES = ("late", "area", "final")
SHORTER = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20)
"""Lengths up to K at which totals are measured."""
ALPHA = 0.025
"""Of each of the two primary comparisons."""
MATTERS = 3.0
"""Points per doubling of K: a smaller slope is too small to matter."""
USABLE = 10.0
"""Points below the better arm's best: what a rate may lose and still be usable."""


class Mean(NamedTuple):
    """A mean over seeds, by Student's t.

    Attributes:
      mean: over the seeds.
      low, high: the ends of its interval.
      p: two-sided, that it is 0.
      deviation: the seeds' standard deviation.
    """

    mean: float
    low: float
    high: float
    p: float
    deviation: float


def mean_of(values: Any, level: float = 0.95) -> Mean:
    """Return the mean of numbers, one for each seed, with its interval."""
    found = stats.ttest_1samp(values, 0.0)
    low, high = found.confidence_interval(level)
    return Mean(
        float(np.mean(values)),
        float(low),
        float(high),
        float(found.pvalue),
        float(np.std(values, ddof=1)),
    )


def points(returns: Any) -> np.ndarray:
    """Return how many balls of a hundred are caught, from mean returns between -1 and 1."""
    return 50 * (1 + np.asarray(returns, float))


def caught(
    optimizer: str,
    arm: str,
    steps: int,
    measure: str = "late",
    factors: Sequence[float] = FACTORS,
    stage: str = "confirmatory",
) -> np.ndarray:
    """Return the balls that each seed catches of a hundred, averaged over the rates: ``[seeds]``."""
    cells = by_rising_rate(stage, optimizer, arm, steps)
    by_rate = [points(getattr(cell, measure)) for cell in cells]
    mean: np.ndarray = np.mean([by_rate[FACTORS.index(factor)] for factor in factors], axis=0)
    return mean


def apart(
    optimizer: str,
    measure: str = "late",
    factors: Sequence[float] = FACTORS,
    stage: str = "confirmatory",
) -> np.ndarray:
    """Return D, what P catches more than off, for each K and seed: ``[lengths, seeds]``."""
    p, off = (
        np.array([caught(optimizer, arm, k, measure, factors, stage) for k in STAGES[stage]])
        for arm in ("P", "off")
    )
    difference: np.ndarray = p - off
    return difference


def apart_at_same_rates(optimizer: str) -> np.ndarray:
    """Return D, late, averaged over the learning rates at which both arms were run: ``[lengths, seeds]``."""

    def of(steps: int) -> np.ndarray:
        p, off = (
            {
                cell.rate: points(cell.late)
                for cell in by_rising_rate("confirmatory", optimizer, arm, steps)
            }
            for arm in ("P", "off")
        )
        both: np.ndarray = np.mean([p[rate] - off[rate] for rate in sorted(p.keys() & off)], axis=0)
        return both

    return np.array([of(steps) for steps in LENGTHS])


def slopes(differences: Any, lengths: Sequence[int] = LENGTHS) -> np.ndarray:
    """Return each seed's least-squares slope on log2 K, in points per doubling: ``[seeds]``."""
    doublings = np.log2(lengths) - np.mean(np.log2(lengths))
    found: np.ndarray = doublings @ np.asarray(differences) / (doublings @ doublings)
    return found


def judge(slope: Mean) -> str:
    """Say what follows of a slope by the protocol: ``slope`` has the interval of 1 - ``ALPHA``."""
    if slope.low > 0:
        return "grows"
    return "falls" if slope.high < 0 else "not shown"


def too_small(values: Any) -> bool:
    """Tell whether two one-sided tests at ``ALPHA`` each find the slope within ``MATTERS``."""
    found = mean_of(values, 1 - 2 * ALPHA)
    return max(-found.low, found.high) < MATTERS


def by_rising_rate(stage: str, optimizer: str, arm: str, steps: int) -> list[Cell]:
    """Return the cells of an arm, one for each rate."""
    cells = load("half_by_depth").cells(stage=stage, optimizer=optimizer, arm=arm, steps=steps)
    return sorted(cells, key=lambda cell: cell.rate)


def tried(optimizer: str, steps: int) -> np.ndarray:
    """Return what the tuning's seeds catch late, at the rates that both arms tried: ``[arms, rates, seeds]``."""
    return np.array(
        [
            [points(cell.late) for cell in by_rising_rate("tuning", optimizer, arm, steps)]
            for arm in ARMS
        ]
    )


def widths(late: np.ndarray) -> tuple[int, ...]:
    """Count the usable rates of each arm: ``late`` is float ``[arms, rates, seeds]``, of ``tried``."""
    means = late.mean(axis=-1)
    return tuple(np.sum(means >= means.max() - USABLE, axis=1).tolist())
