"""What the records of ``experiments/muzero_half`` are about, and the interval of their means."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

TASKS = ("catch", "long")
GAMES = ("Catch", "long Catch")
"""The same, in words."""
ARMS = ("off", "P 1/2", "R 1/2")
"""The arms of the protocol's question."""
COMPARED = (("P 1/2", "off"), ("R 1/2", "off"), ("P 1/2", "R 1/2"))
COMPARISONS = len(TASKS) * len(COMPARED)
LENGTHS = (1, 2, 5, 10)
"""K, of the measures of ``muzero_half_accounts`` with a number for each length."""
OPTIMIZERS = (
    *("Adam, epsilon 0", "Adam, epsilon 1e-8", "AdamW"),
    *("Adam, epsilon 1e-3", "Adam, L2 in the loss", "SGD"),
)
"""Of ``muzero_half_pairs``."""
RESAMPLES = 10_000


def interval(values: Any, level: float = 0.95) -> tuple[float, float]:
    """Return the bootstrap's interval of a mean: percentiles of ``RESAMPLES`` means."""
    found = stats.bootstrap(
        (np.asarray(values),), np.mean, confidence_level=level, n_resamples=RESAMPLES,
        method="percentile", rng=np.random.default_rng(0),
    )  # fmt: skip
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
