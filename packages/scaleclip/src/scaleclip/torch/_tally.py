"""What is counted over a run, brought up to date by a block of steps at a time.

No branch here depends on a number: nothing waits for the device.
"""

from __future__ import annotations

import torch
from torch import Tensor

CLIPPED, BROKEN, NOW, LONGEST, CULPRIT, SPIKED, HOT = range(7)
"""Where each count is: steps that were clipped, and not finite; how many of the latter in a row now,
and at most; the first of them, from 1; spikes, and whether the last step was far up. After these
comes for each group whether it was not finite in that first step."""


def no_counts(groups: int, device: torch.device) -> Tensor:
    """Make the counts of a run that hasn't begun: int64 ``[7 + groups]``."""
    return torch.zeros(HOT + 1 + groups, dtype=torch.int64, device=device)


def tallied(counts: Tensor, clipped: Tensor, wrong: Tensor, seen: int) -> Tensor:
    """Count a block of n steps, but not its spikes.

    Args:
      counts: int64 ``[7 + G]``, before the block.
      clipped: bool ``[n]``.
      wrong: bool ``[n, G]``; which groups had inf or NaN.
      seen: how many steps there were before.

    Returns:
      int64 ``[7 + G]``.
    """
    broken = wrong.any(1)
    places = torch.arange(1, len(broken) + 1, device=counts.device)
    fine = torch.where(broken, 0, places).cummax(0).values  # the last step before that was finite
    runs = places - fine + torch.where(fine == 0, counts[NOW], 0)
    first = broken.long().argmax().reshape(1)
    new = torch.cat([seen + 1 + first, wrong.index_select(0, first)[0].long()])
    old = torch.cat([counts[CULPRIT : CULPRIT + 1], counts[HOT + 1 :]])
    culprit = torch.where((counts[BROKEN] == 0) & broken.any(), new, old)
    return torch.cat(
        [
            counts[: BROKEN + 1] + torch.stack([clipped.sum(), broken.sum()]),
            torch.stack([runs[-1], torch.maximum(counts[LONGEST], runs.max())]),
            culprit[:1],
            counts[SPIKED : HOT + 1],
            culprit[1:],
        ]
    )
