"""Recorded runs of the policy gradient of ``policy``: ``experiments/policy_clips`` made them."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record


class Cell(NamedTuple):
    """One surrogate, limit, optimizer, rate and number of steps; of the measures one number a seed.

    Attributes:
      surrogate, limit, optimizer, rate, epochs: as ``sccbook.models.policy.step`` takes them; a
        limit of 0 stands for none.
      reward: in per cent of the best, after the last batch.
      largest: the largest ratio of the run.
      falls, falls_far: batches in which the reward fell by more than 10 points, and those of them
        whose largest ratio was above 10.
      far: batches whose largest ratio was above 10.
      stopped: the mean share of samples past PPO's clip after a batch's last step.
      clipped: the share of batches with a gradient that is longer than 0.3.
    """

    surrogate: str
    limit: float
    optimizer: str
    rate: float
    epochs: int
    reward: tuple[float, ...]
    largest: tuple[float, ...]
    falls: tuple[int, ...]
    falls_far: tuple[int, ...]
    far: tuple[int, ...]
    stopped: tuple[float, ...]
    clipped: tuple[float, ...]


RECORD = Record("policy_clips", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
