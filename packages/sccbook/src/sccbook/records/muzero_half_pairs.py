"""P beside R from the same seeds, under several optimizers: ``experiments/muzero_half``."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record

OPTIMIZERS = (
    *("Adam, epsilon 0", "Adam, epsilon 1e-8", "AdamW"),
    *("Adam, epsilon 1e-3", "Adam, L2 in the loss", "SGD"),
)


class Cell(NamedTuple):
    """How far apart the parameters of a network are, relative to how far they went.

    Attributes:
      optimizer: one of ``OPTIMIZERS``.
      root: the weight of the root's loss, 0 or 1.
      updates: after so many.
      network: its name.
      apart: ``norm(p - r) / norm(p - start)`` of each seed; 0 where all bits are the same.
    """

    optimizer: str
    root: float
    updates: int
    network: str
    apart: tuple[float, ...]


RECORD = Record("muzero_half_pairs", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
