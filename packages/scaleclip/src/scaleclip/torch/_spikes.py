"""Find steps whose norm is far above those before, and keep the steps that led to the last of them."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from scaleclip.probe._sizes import BEFORE, LEAST, SPIKES, WINDOW
from scaleclip.torch._tally import HOT, SPIKED


class Spikes(NamedTuple):
    """The last spikes; the n-th of the run is in row ``n % SPIKES``.

    Attributes:
      windows: ``[SPIKES, WINDOW, columns]``; the rows up to each.
      marks: int64 ``[SPIKES, 2]``; the step, from 1, and its tag.
      medians: ``[SPIKES]``.
    """

    windows: Tensor
    marks: Tensor
    medians: Tensor


def no_spikes(like: Tensor) -> Spikes:
    """Make room for spikes, of rows like these ``[n, columns]``."""
    return Spikes(
        like.new_zeros(SPIKES, WINDOW, like.shape[1]),
        torch.zeros(SPIKES, 2, dtype=torch.int64, device=like.device),
        like.new_zeros(SPIKES),
    )


def with_spikes(
    kept: Spikes, counts: Tensor, block: Tensor, tags: Tensor, factor: float, seen: int
) -> tuple[Spikes, Tensor]:
    """Take in the spikes of a block of n steps.

    Args:
      kept: those before.
      counts: int64 ``[7 + G]``; see ``_tally``.
      block: ``[BEFORE + n, columns]``; the rows before it and its own. The first column is the norm.
      tags: int64 ``[n]``.
      factor: how many times the median a spike is.
      seen: how many steps there were before the block.

    Returns:
      The spikes and the counts after it.
    """
    norms, count = block[:, 0], len(tags)
    finite, places = norms.isfinite(), torch.arange(count, device=block.device)
    past = torch.where(finite, norms, torch.nan).unfold(0, BEFORE, 1)[:count]
    medians, finite = past.nanquantile(0.5, 1), finite[BEFORE:]
    far = finite & (norms[BEFORE:] > factor * medians) & (past.isfinite().sum(1) >= LEAST)
    # One event, one entry: what counts is the last finite step before.
    last = torch.where(finite, places + 1, 0).cummax(0).values
    hot = torch.cat([counts[HOT : HOT + 1] > 0, far])[torch.cat([last.new_zeros(1), last])]
    new = far & ~hot[:-1]
    numbers = counts[SPIKED] + new.cumsum(0) - 1
    after = torch.cat([counts[:SPIKED], numbers[-1:] + 1, hot[-1:].long(), counts[HOT + 1 :]])
    if block.device.type == "cpu" and not new.any():
        return kept, after
    # Of those that would share a row the last one counts; the others go to a row that is left out.
    rows = torch.where(new & (numbers > numbers[-1] - SPIKES), numbers % SPIKES, SPIKES)
    at = torch.full((SPIKES + 1,), -1, device=block.device).scatter(0, rows, places)[:SPIKES]
    filled, at = (at >= 0).unsqueeze(1), at.clamp(min=0)
    window = torch.arange(BEFORE + 1 - WINDOW, BEFORE + 1, device=block.device)
    marks = torch.stack([seen + 1 + places, tags], 1)
    return Spikes(
        torch.where(filled.unsqueeze(2), block[at.unsqueeze(1) + window], kept.windows),
        torch.where(filled, marks[at], kept.marks),
        torch.where(filled[:, 0], medians[at], kept.medians),
    ), after
