"""What was recorded in training: norms, limits, counts, and what another limit would have done."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scaleclip.probe import moved, report, scalars

Values = np.ndarray
"""Float64 ``[n]``: one number for each step that was kept."""


@dataclass(frozen=True)
class Culprit:
    """The first step with inf or NaN in a gradient: where a failure began.

    Attributes:
      step: its number, from 1.
      groups: the groups that had inf or NaN in it.
    """

    step: int
    groups: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Spike:
    """A step whose norm was far above the median of the norms before it, and the steps before.

    >>> from scaleclip import probe
    >>> window = probe.load([1.0] * 31 + [9.0])
    >>> spike = probe.Spike(median=1.0, tag=417, window=window)  # as ``recording.spikes`` has them
    >>> spike.step, spike.norm / spike.median
    (32, 9.0)

    Attributes:
      median: of the finite norms of up to 100 steps before it.
      tag: what the caller said of the batch, such as its number; None if nothing was said.
      window: the last steps up to the spike, which is the last of them. ``updates`` and ``weights``
        are NaN in steps in which they weren't measured.
    """

    median: float
    tag: int | None
    window: Recording

    @property
    def step(self) -> int:
        """The number of the step, from 1."""
        return int(self.window.steps[-1])

    @property
    def norm(self) -> float:
        """The norm of the whole gradient in it, before the clip."""
        return float(self.window.norms[-1])

    def first(self, times: float = report.RAISED) -> moved.First | None:
        """Find the group that moved first: it was raised for the longest, up to and in the spike.

        A group is raised where its norm is above ``times`` its own median in the first half of the
        window, or isn't finite. Of groups that rose in the same step, it is the one that was raised
        most in that step. A group whose median is 0, such as a new head or an expert that is seldom
        asked, is held against the median of the whole norm.

        Args:
          times: how many times its median a group must exceed, above 0.

        Returns:
          The group, when it rose and its part of the spike; None if no group is raised in the spike.
        """
        return moved.first(self.window, times)


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """Norms of gradients over the steps of a training, as NumPy arrays. It prints itself.

    >>> from scaleclip import probe
    >>> recording = probe.load([0.5, 1.0, 4.0], limit=2.0)
    >>> recording.share_clipped(0.7)  # with another limit
    0.6666666666666666

    A notebook that displays it draws them: norms on a logarithmic axis, with a limit to drag.

    Attributes:
      steps: int64 ``[n]``; the numbers of the steps that were kept, from 1, the oldest first.
      norms: float64 ``[n]``; of the whole gradient, before the clip.
      limits: float64 ``[n]``; what was in force, inf where there was none.
      groups: by name float64 ``[n]``; norms of groups of leaves, before the clip.
      seen, clipped, nonfinite: of all steps, kept or not: how many there were, how many had a norm
        beyond the limit, and how many had inf or NaN in a gradient.
      updates, weights, beyond: by name float64 ``[n]``; the norms of the updates, of the weights
        before them, and of what a constraint takes back; NaN in steps that weren't measured. Empty
        where they weren't recorded at all.
      unseen: steps that a wrapper, such as ``optax.apply_if_finite``, left out before the recorder
        saw them; None where one may have, and keeps no count.
      skipped: steps that weren't taken because a gradient had inf or NaN, after the recorder saw
        them: by its own ``nonfinite="skip"`` in PyTorch, or by an ``optax.apply_if_finite`` after it.
      streak: the most steps in a row that had inf or NaN.
      culprit: the first such step, and the groups that had inf or NaN in it; None if there was none.
      spiked: how many spikes there were, None where nobody looked; ``spikes`` has the last of them.
      history: the whole run, thinned: from the first step on every step, every second, every fourth
        and so on, as the run got longer. None where it wasn't kept.
    """

    steps: np.ndarray
    norms: Values
    limits: Values
    groups: Mapping[str, Values] = field(default_factory=dict)
    seen: int = 0
    clipped: int = 0
    nonfinite: int = 0
    updates: Mapping[str, Values] = field(default_factory=dict)
    weights: Mapping[str, Values] = field(default_factory=dict)
    beyond: Mapping[str, Values] = field(default_factory=dict)
    unseen: int | None = 0
    skipped: int = 0
    streak: int = 0
    culprit: Culprit | None = None
    spiked: int | None = None
    spikes: tuple[Spike, ...] = ()
    history: Recording | None = None

    @property
    def factors(self) -> Values:
        """What the gradients were multiplied by: ``min(1, limit / norm)``."""
        return _factors(self.norms, self.limits)

    @property
    def after(self) -> dict[str, Values]:
        """The norms of the groups after the clip, which multiplied all of them by one factor."""
        return {name: norms * self.factors for name, norms in self.groups.items()}

    @property
    def ratios(self) -> dict[str, Values]:
        """By group the norm of the update, divided by that of the weights; inf where they are 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return {name: u / self.weights[name] for name, u in self.updates.items()}

    @property
    def finite(self) -> Values:
        """The norms that are finite: those that another limit can be tried on."""
        known: Values = self.norms[np.isfinite(self.norms)]
        return known

    def share_clipped(self, limit: float | None = None) -> float:
        """Return the share of the kept steps whose norm is beyond a limit, in [0, 1].

        Args:
          limit: the one to replay; by default what was in force. Steps that are not finite do
            not count.
        """
        clipped = self._at(limit) < 1
        return float(np.mean(clipped)) if clipped.size else 0.0

    def length_kept(self, limit: float | None = None) -> float:
        """Return ``sum(min(norm, limit)) / sum(norm)``: which part of all lengths a clip leaves.

        Args:
          limit: as in ``share_clipped``.
        """
        norms = self.finite
        total = float(np.sum(norms))
        return float(np.sum(norms * self._at(limit))) / total if total > 0 else 1.0

    def _at(self, limit: float | None) -> Values:
        known = np.isfinite(self.norms)
        return _factors(self.norms[known], self.limits[known] if limit is None else limit)

    def suggest(self, beta2: float = 0.999) -> report.Suggestions:
        """Replay the 90th, 95th and 99th percentile of the norms as limits, and say what they mean.

        Args:
          beta2: Adam's, of the optimizer that comes after the clip.

        Raises:
          ValueError: if no norm is finite, or ``beta2`` is not in [0, 1).
        """
        return report.suggest(self, beta2)

    def metrics(self, prefix: str = "gradient") -> dict[str, float]:
        """Return the last step as a flat dict of numbers: ``wandb.log(recording.metrics())``.

        Updates are those of the last step in which they were measured. A limit that is inf is none,
        and is left out.

        Args:
          prefix: what every name begins with, before a slash.
        """
        last: dict[str, float] = {}
        for row in scalars.by_step(self, prefix).values():
            last.pop(f"{prefix}/limit", None)
            last |= row
        return last | scalars.counts(self, prefix)

    def write(self, writer: Any, prefix: str = "gradient", after: int = 0) -> None:
        """Write every kept step with a writer for TensorBoard.

        Args:
          writer: a ``SummaryWriter`` of ``torch.utils.tensorboard`` or of ``tensorboardX``.
          prefix: as in ``metrics``.
          after: steps up to this one are left out: those that were written already.
        """
        for step, row in scalars.by_step(self, prefix, after).items():
            for name, value in row.items():
                writer.add_scalar(name, value, step)

    def to_csv(self, path: str | os.PathLike[str]) -> Path:
        """Write a row for each kept step: step, norm, limit, factor, and a column for each group."""
        columns = {"step": self.steps} | scalars.columns(self)
        file = Path(path)
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.writer(opened)
            writer.writerow(list(columns))
            writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
        return file

    def to_json(self, path: str | os.PathLike[str]) -> Path:
        """Write everything, so that ``probe.load`` returns the same; inf and NaN as Python does."""
        file = Path(path)
        file.write_text(
            json.dumps(asdict(self), default=lambda values: values.tolist()) + "\n",
            encoding="utf-8",
        )
        return file

    def __repr__(self) -> str:
        return report.table(self)


def _factors(norms: Values, limits: Values | float) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(norms > limits, np.divide(limits, norms), 1.0 + 0.0 * norms)
