"""What a recorder keeps of a model, or of a part of it, on the device.

A step only leaves what its clip computed anyway. Every so many steps, and before anyone reads, these
steps are brought into the record together, which costs little for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from scaleclip.probe._sizes import BEFORE
from scaleclip.probe.limits import AutoClip, ZClip
from scaleclip.torch._arguments import wide_dtype
from scaleclip.torch._live import Live
from scaleclip.torch._norms import Norm, together
from scaleclip.torch._spikes import Spikes, no_spikes, with_spikes
from scaleclip.torch._tally import no_counts, tallied

LOST = -1.0
"""The limit in a row of a step that isn't known."""
BLOCK = 64
"""Steps that are brought into the record together, at most."""
ROOM = 1 << 20
"""Fewer, where all members of all groups in a block are more than this."""


@dataclass
class Step:
    """A step that isn't in the record yet: of ``gradients.Measured`` what it takes, and no gradient."""

    each: Norm
    norm: Tensor
    raw: Tensor
    limit: Tensor
    clipped: Tensor
    tag: int | Tensor | None
    measured: Tensor | None = None  # norms of updates and weights by group, [2 * G]


class Track:
    """The record of the parameters of some groups.

    A row has the norm, the limit, the norm of each group, and where updates are measured those of
    each group's update and weights.

    Attributes:
      keep, history: rows of the last steps, and of the whole run, at most.
      spike: the factor of a spike; inf for none.
      seen, skipped, stride: steps so far, those that were skipped, and of how many the history has one.
      steps: those that aren't in the record yet.
    """

    def __init__(
        self,
        groups: list[str],
        keep: int,
        history: int,
        spike: float,
        updates: bool,
        at: torch.device,
    ) -> None:
        self.groups, self.keep, self.history, self.spike = groups, keep, history, spike
        self.seen, self.skipped, self.stride, self._held = 0, 0, 1, 0
        self.live: Live | None = None
        self.steps: list[Step] = []
        self.members = torch.zeros(0, device=at)
        width = 2 + len(groups) * (3 if updates else 1)
        self._ring = torch.zeros(keep, width, dtype=wide_dtype(at), device=at)
        self._counts = no_counts(len(groups), at)
        self._recent = _lost(self._ring, BEFORE)
        self._spikes = no_spikes(self._ring)
        self._whole = self._ring[:0, : 2 + len(groups)]

    def place(self, named: list[str], group_of: Mapping[str, str]) -> None:
        """Learn where the parameters of each group are: ``[groups, most]``, filled up with one beyond."""
        self.settle()
        places: dict[str, list[int]] = {group: [] for group in self.groups}
        for n, name in enumerate(named):
            places[group_of[name]].append(n)
        most = max(map(len, places.values()))
        rows = [at + [len(named)] * (most - len(at)) for at in places.values()]
        self.members = torch.tensor(rows, device=self._ring.device)
        self._block = min(BLOCK, max(1, ROOM // max(1, self.members.numel())))

    def limit(self, setting: AutoClip | ZClip) -> Live:
        """Return the limit that follows the norms; another one than before begins anew."""
        if self.live is None or self.live.setting != setting:
            self.live = Live(setting, self._ring)
        return self.live

    @property
    def device(self) -> torch.device:
        """Where the record is."""
        return self._ring.device

    def add(self, step: Step, skipped: bool = False) -> None:
        """Add a step; those before it are brought into the record if there are enough of them."""
        device = step.limit.device
        if device != self._ring.device or len(self.steps) >= self._block:
            self.settle()
            self._move_to(device)
        self.steps.append(step)
        self.seen, self.skipped = self.seen + 1, self.skipped + skipped

    def measured(self, updates: Norm, weights: Norm) -> None:
        """Add norms of each parameter's update and weights to the last step."""
        norms = torch.cat([self._by_group(each) for each in (updates, weights)])
        if self.steps:
            self.steps[-1].measured = norms
        else:
            for rows, row in ((self._ring, (self.seen - 1) % self.keep), (self._recent, -1)):
                rows[row, 2 + len(self.groups) :] = norms
            now = self._spikes.marks[:, 0] == self.seen
            self._spikes.windows[now, -1, 2 + len(self.groups) :] = norms

    def settle(self) -> None:
        """Bring the steps so far into the record."""
        steps, self.steps = self.steps, []
        if not steps:
            return
        with torch.no_grad():
            self._take(steps, self.seen - len(steps))

    def _take(self, steps: list[Step], seen: int) -> None:
        sizes, scales = zip(*(step.each for step in steps), strict=True)
        plain, one = all(isinstance(s, float) for s in scales), torch.ones_like(sizes[0])
        scale = 1.0 if plain else torch.stack([one * s for s in scales])
        wrong = torch.nn.functional.pad(
            ~torch.stack([step.raw for step in steps]).isfinite(), (0, 1)
        )
        norms = torch.stack([step.norm for step in steps]).to(self._ring)
        limits = torch.stack([step.limit for step in steps])
        rows = torch.cat(
            [torch.stack([norms, limits], 1), self._by_group(Norm(torch.stack(sizes), scale))], 1
        )
        if rows.shape[1] < self._ring.shape[1]:
            none = torch.full_like(rows[0, 2:].repeat(2), torch.nan)
            rows = torch.cat(
                [rows, torch.stack([none if s.measured is None else s.measured for s in steps])], 1
            )
        clipped = torch.stack([step.clipped for step in steps])
        self._counts = tallied(self._counts, clipped, wrong[:, self.members].any(2), seen)
        block = torch.cat([self._recent, rows])
        if self.spike < torch.inf:
            tags = [_mark(step.tag, rows.device) for step in steps]
            self._spikes, self._counts = with_spikes(
                self._spikes, self._counts, block, torch.stack(tags), self.spike, seen
            )
        self._recent = block[-BEFORE:]
        self._put(rows, self.seen)
        new = rows[-seen % self.stride :: self.stride, : self._whole.shape[1]]
        if len(new) and self.history:
            self._thin(torch.cat([self._whole, new]))

    def _by_group(self, each: Norm) -> Tensor:
        """The norms of the groups, ``[..., G]``, of those of the parameters, ``[..., P]``."""
        pad, scale = torch.nn.functional.pad, each.scale
        if isinstance(scale, Tensor):
            scale = pad(scale, (0, 1), value=1.0)[..., self.members]
        return together(Norm(pad(each.size, (0, 1))[..., self.members], scale)).value

    def _put(self, rows: Tensor, seen: int) -> None:
        rows = rows[-self.keep :]
        at = torch.arange(seen - len(rows), seen, device=rows.device) % self.keep
        self._ring.index_copy_(0, at, rows)
        self._held = min(self._held + len(rows), self.keep)

    def _thin(self, rows: Tensor) -> None:
        while len(rows) > self.history:
            rows, self.stride = rows[::2], 2 * self.stride
        self._whole = rows

    def _move_to(self, device: torch.device) -> None:
        """Follow a model that was moved after the recorder was made."""
        if self._ring.device == device:
            return
        dtype = wide_dtype(device)
        for name in ("_ring", "_recent", "_whole"):
            setattr(self, name, getattr(self, name).to(device, dtype))
        windows, marks, medians = self._spikes
        self._spikes = Spikes(
            windows.to(device, dtype), marks.to(device), medians.to(device, dtype)
        )
        self._counts, self.members = self._counts.to(device), self.members.to(device)

    def state_dict(self) -> dict[str, Any]:
        """Return the record: tensors, numbers and names."""
        self.settle()
        rows = self._ring.roll(-(self.seen % self.keep), 0)
        return {
            "rows": rows[self.keep - self._held :].clone(),
            "counts": self._counts.clone(),
            "seen": self.seen,
            "groups": list(self.groups),
            "skipped": self.skipped,
            "recent": self._recent.clone(),
            "history": self._whole.clone(),
            "stride": self.stride,
            "live": None if self.live is None else self.live.state_dict(),
            **(
                {"spikes": [each.clone() for each in self._spikes]}
                if self.spike < torch.inf
                else {}
            ),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a record of the same groups; what an earlier version didn't record begins now."""
        self.steps, self._held = [], 0
        self.seen, self.skipped = int(state["seen"]), int(state.get("skipped", 0))
        rows = self._fitted(state["rows"])
        self._put(rows, self.seen)
        self._counts.zero_()[: len(state["counts"])].copy_(state["counts"])
        recent = state.get("recent", torch.cat([_lost(rows, BEFORE), rows])[-BEFORE:])
        self._recent = self._fitted(recent)
        self._spikes = no_spikes(self._ring)
        if "spikes" in state:
            windows, marks, medians = (part.to(self._ring.device) for part in state["spikes"])
            self._spikes = Spikes(self._fitted(windows), marks.clone(), medians.to(self._ring))
        whole, self.stride = state.get("history", rows[:0]), int(state.get("stride", 1))
        if self.history:
            whole = self._fitted(whole if len(whole) else self._thinned(rows))
            self._thin(whole[:, : self._whole.shape[1]])
        live = state.get("live")
        self.live = None if live is None else Live.of(live, self._ring)

    def _thinned(self, rows: Tensor) -> Tensor:
        """A history of the last rows alone, where none was kept."""
        while self.seen > self.history * self.stride:
            self.stride *= 2
        before = self.seen - len(rows)
        first = -(-before // self.stride)
        return torch.cat([_lost(rows, first), rows[first * self.stride - before :: self.stride]])

    def _fitted(self, rows: Tensor) -> Tensor:
        """Rows of another record, with or without updates, as this one has them."""
        missing = self._ring.shape[1] - rows.shape[-1]
        return torch.nn.functional.pad(rows.to(self._ring), (0, missing), value=torch.nan)


def _lost(like: Tensor, count: int) -> Tensor:
    """Rows of steps that aren't known."""
    rows = like.new_full((count, like.shape[1]), torch.nan)
    rows[:, 1] = LOST
    return rows


def _mark(tag: int | Tensor | None, device: torch.device) -> Tensor:
    if isinstance(tag, Tensor):
        return tag.to(device, torch.int64)
    # Filled there: a number that is copied there would be waited for.
    return torch.full((), -1 if tag is None else tag, dtype=torch.int64, device=device)
