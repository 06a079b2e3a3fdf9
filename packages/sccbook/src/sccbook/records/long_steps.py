"""Recorded runs of the network of ``recall`` around long steps: ``experiments/remedies/long_steps.py``."""

from __future__ import annotations

from typing import NamedTuple

from sccbook.records.record import Record


class Cell(NamedTuple):
    """An arm of SGD, at the rate 0.1 if nothing else is said; of the measures one number a seed.

    Attributes:
      arm: clipped at 1, with no step changed, ``"unchanged"``; with the step of the largest gradient
        between steps 100 and 350 changed to go against the gradient (``"against"``), along it
        (``"uphill"``) or in a random direction (``"random"``); with the step of the median gradient
        there changed (``"ordinary"``). Or ``"plain"``, without a remedy; ``"decay"``, without one and
        with a rate that falls linearly to 0; ``"long clip"`` and ``"long normalise"``, 1,200 steps
        with a clip at 1, or with every step as long as the limit says.
      setting: the length of the changed step, 0 for as long as without the clip; the rate at the
        start; for the long arms the limit from step 400 on, which is 1 before.
      longest: the length of the changed step, or the longest step.
      after: the share named right in the 25 minibatches after the changed step; else empty.
      best: the largest share named right in any 25 minibatches.
      end: the share named right in the last 50, as ``recorded.Cell`` has it.
    """

    arm: str
    setting: float
    longest: tuple[float, ...]
    after: tuple[float, ...]
    best: tuple[float, ...]
    end: tuple[float, ...]


RECORD = Record("long_steps", Cell)
PATH, provenance, cells, written = RECORD.path, RECORD.provenance, RECORD.cells, RECORD.written
