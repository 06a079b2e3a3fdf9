"""Recorded runs of the network of ``recall`` with steps of matched length: ``experiments/matched_clips``."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record

DIRECTIONS = ("plain", "global", "array", "agc", "muon")
"""The gradient; clipped at one norm, or one an array, or one a unit; the polar factor of each matrix."""


class Cell(NamedTuple):
    """One direction at one mean step length; of the measures one number a seed.

    Attributes:
      direction: one of ``DIRECTIONS``.
      lengths: ``"own"``, or ``"equal"`` where every step is brought to the target's length.
      target: the mean length of a step.
      rate: what the direction is multiplied by; 0 where lengths are equal.
      right, loss: over the last minibatches.
      mean_step, longest_step: how far the parameters went in a step.
      turn: the mean angle between the step and the gradient, in degrees.
      changed: the share of steps that the clip changes.
    """

    direction: str
    lengths: str
    target: float
    rate: float
    right: tuple[float, ...]
    loss: tuple[float, ...]
    mean_step: tuple[float, ...]
    longest_step: tuple[float, ...]
    turn: tuple[float, ...]
    changed: tuple[float, ...]


RECORD = Record("matched_clips", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
