"""Recorded trainings of MuZero with and without its half: ``experiments/muzero_half``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from sccbook.records.record import Record

TASKS = ("catch", "long")
ARMS = ("off", "P 1/2", "R 1/2")
"""The arms of the protocol's question."""

COMPARED = (("P 1/2", "off"), ("R 1/2", "off"), ("P 1/2", "R 1/2"))
COMPARISONS = len(TASKS) * len(COMPARED)
RESAMPLES = 10_000


class Cell(NamedTuple):
    """An arm in a task at a learning rate; of area, final and late one number a seed.

    Attributes:
      stage: ``"tuning"``, ``"confirmatory"`` or ``"exploratory"``.
      task: one of ``TASKS``.
      arm: one of ``ARMS``, or another of the experiment's.
      rate: the learning rate.
      first: the first seed; the others follow.
      area: the mean return over the training.
      final: the mean return of the last networks in one game from each start (5 in ``catch``, 15 in
        ``long``), played without noise.
      late: the mean return over the last fifth of the training. The protocol doesn't name it.
      curve, error: the mean return over the seeds, at equal parts of the training, and its
        standard error.
    """

    stage: str
    task: str
    arm: str
    rate: float
    first: int
    area: tuple[float, ...]
    final: tuple[float, ...]
    late: tuple[float, ...]
    curve: tuple[float, ...]
    error: tuple[float, ...]


RECORD = Record("muzero_half", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written


def interval(values: Any, level: float = 0.95) -> tuple[float, float]:
    """Return the bootstrap's interval of a mean: percentiles of ``RESAMPLES`` means."""
    found = stats.bootstrap(
        (np.asarray(values),), np.mean, confidence_level=level, n_resamples=RESAMPLES,
        method="percentile", rng=np.random.default_rng(0),
    )  # fmt: skip
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
