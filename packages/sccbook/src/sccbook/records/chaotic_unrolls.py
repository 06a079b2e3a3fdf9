"""Recorded remedies as estimators of a blurred gradient: ``experiments/chaotic_unrolls`` made them."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record

ESTIMATORS = ("plain", "scale", "coin", "cut", "each", "state", "global", "evolution")
"""The gradient; its lags scaled; ended at random; cut; clips of each example, at the state, of a batch;
forward alone."""


class Cell(NamedTuple):
    """One estimator on one system at one batch; lengths are in units of the true gradient's.

    Attributes:
      system, length: which unroll, and how many applications.
      estimator: one of ``ESTIMATORS``.
      setting: the scale, the lags that are kept, or the clip's limit; 0 where there is none.
      batch: of how many examples an estimate is the mean.
      bias, bias_error: the mean along the true gradient, minus 1; and its standard error.
      sd: the root of the trace of an estimate's covariance.
      rmse: the root of the mean squared distance from the true gradient.
      right: the share of estimates whose step goes downhill.
      cosine: the mean cosine with the true gradient.
      ends: the objective after a descent, one number a seed; empty where none was run.
    """

    system: str
    length: int
    estimator: str
    setting: float
    batch: int
    bias: float
    bias_error: float
    sd: float
    rmse: float
    right: float
    cosine: float
    ends: tuple[float, ...]


RECORD = Record("chaotic_unrolls", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
