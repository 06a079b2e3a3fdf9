"""Where gradients went in the trainings of ``muzero_half``: ledgers of their dynamics, over K."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record

LENGTHS = (1, 2, 5, 10)
"""K, of all measures with a number for each length."""


class Cell(NamedTuple):
    """An arm in a task, at a part of its training; medians over the seeds.

    Attributes:
      stage, task, arm: as in ``muzero_half.Cell``.
      part: of the training, 0 to 1.
      by_lag: ``[10]``, what a loss sends to the dynamics through the application i before its own, in
        parts of what it sends through its own, without a scale.
      gain: of the first lag; ``gain_low``, ``gain_high`` its quartiles over the seeds.
      predicted, predicted_half: T(K), from each seed's own gain over five lags and its losses' own
        norms, at s = 1 and 1/2, in parts of that at K = 1.
      sums, sums_half: of the norms of all entries of the ledger, in parts of that at K = 1.
      totals, totals_half: the norm of their sum, in parts of that at K = 1; with ``_low``, ``_high``
        its quartiles.
      left, left_half: the norm of the sum in parts of the sum of the norms: what cancellation leaves.
      held, held_half: the share of seeds whose norm of the sum at K = 10 is 0.5 to 2 times that at 1.
    """

    stage: str
    task: str
    arm: str
    part: float
    by_lag: tuple[float, ...]
    gain: float
    gain_low: float
    gain_high: float
    predicted: tuple[float, ...]
    predicted_half: tuple[float, ...]
    sums: tuple[float, ...]
    sums_half: tuple[float, ...]
    totals: tuple[float, ...]
    totals_low: tuple[float, ...]
    totals_high: tuple[float, ...]
    totals_half: tuple[float, ...]
    totals_half_low: tuple[float, ...]
    totals_half_high: tuple[float, ...]
    left: tuple[float, ...]
    left_half: tuple[float, ...]
    held: float
    held_half: float


RECORD = Record("muzero_half_accounts", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
