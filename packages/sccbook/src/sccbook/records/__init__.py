"""Recorded runs of the network of ``recall`` under every remedy: ``experiments/remedies`` made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sccbook.records.record import Record


class Cell(NamedTuple):
    """One remedy, limit, optimizer and rate; of the measures one number a seed.

    Attributes:
      arm: what it was run for: ``"grid"``; ``"fine"``, plain SGD at many rates; or ``"median of
        clip 1"`` and ``"mean of clip 1"``: normalised SGD whose every step is as long as that
        clip's median or mean step, at the same rate.
      remedy, limit, optimizer, rate: as ``sccbook.models.remedies.step`` takes them.
      right: the share named right over the last minibatches.
      median_step, mean_step, longest_step: how far the parameters went in a step.
      longest_gradient: before any clip.
      shortened: the share of gradients that the clip shortened.
      gain: the largest singular value of the recurrent matrix at the end.
    """

    arm: str
    remedy: str
    limit: float
    optimizer: str
    rate: float
    right: tuple[float, ...]
    median_step: tuple[float, ...]
    mean_step: tuple[float, ...]
    longest_step: tuple[float, ...]
    longest_gradient: tuple[float, ...]
    shortened: tuple[float, ...]
    gain: tuple[float, ...]


PER_SEED = ("right", "median_step", "longest_step")
"""What is kept of each seed; of the others the median is."""


RECORD = Record("remedies", Cell)
PATH, provenance, cells = RECORD.path, RECORD.provenance, RECORD.cells


def written(provenance: Mapping[str, Any], cells: Iterable[Cell]) -> str:
    """Write cells as JSON, one a line; of what is not in ``PER_SEED`` the median alone."""

    def kept(name: str, value: Any) -> Any:
        if not isinstance(value, tuple) or name in PER_SEED:
            return value
        ranked = sorted(value)
        middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
        return (float(f"{middle:.3g}"),)

    medians = (Cell(*(kept(name, value) for name, value in c._asdict().items())) for c in cells)
    return RECORD.written(provenance, medians)
