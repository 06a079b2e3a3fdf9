"""Measure how far an optimizer's step moves the weights: norms before it, and of what it adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from scaleclip.torch._arguments import describe
from scaleclip.torch._norms import Norm, is_known, norm_of_each
from scaleclip.torch._track import Track


class Updates:
    """Weights, remembered while an optimizer steps.

    PyTorch's optimizers call ``before`` and ``after``. Where several step one after the other, the
    weights are remembered before the first and compared after each, so the last one's count.

    Args:
      tracks: the records, by part.
      parameters: returns the parameters of each part as they are now, by name.
      optimizers: one, or several.
      every: of so many steps the first one is measured.
    """

    def __init__(
        self,
        tracks: Mapping[str, Track],
        parameters: Callable[[], Mapping[str, Mapping[str, Tensor]]],
        optimizers: Any,
        every: int,
    ) -> None:
        several = [*optimizers] if isinstance(optimizers, Iterable) else [optimizers]
        for optimizer in several or [optimizers]:
            if not isinstance(optimizer, torch.optim.Optimizer):
                raise TypeError(
                    "updates must be a torch.optim.Optimizer, or several, whose steps are measured, but "
                    f"{describe(optimizer)} was given."
                )
            optimizer.register_step_pre_hook(self.before)
            optimizer.register_step_post_hook(self.after)
        self._tracks, self._parameters = tracks, parameters
        self._every, self._all = every, {*map(id, several)}
        self._left: set[int] = set()
        self._stepping: Any = None  # an optimizer whose closure runs
        self._memory: dict[str, dict[str, Tensor]] = {}
        self._weights: dict[str, tuple[list[Tensor | None], Norm]] = {}

    def begin(self) -> None:
        """Begin a step: each optimizer's next one belongs to it."""
        self._weights, self._left = {}, set(self._all)
        if self._stepping is not None:
            self.before(self._stepping, (), {})

    def before(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """Remember the weights that have a gradient, in steps that are measured."""
        self._stepping = optimizer
        due = (next(iter(self._tracks.values())).seen - 1) % self._every == 0
        if not due or id(optimizer) not in self._left or self._weights:
            return
        with torch.no_grad():
            for part, named in self._parameters().items():
                weights = [p.detach() for p in named.values()]
                norms = norm_of_each(weights, weights, self._tracks[part].device)
                memory = self._memory.get(part, {})
                kept = [
                    None if p.grad is None else _copied(p.detach(), memory.get(name))
                    for name, p in named.items()
                ]
                self._weights[part] = kept, norms
                known = {
                    n: w for n, w in zip(named, kept, strict=True) if w is not None and is_known(w)
                }
                self._memory[part] = known

    def after(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """Measure how far the weights have moved; those without a gradient haven't."""
        self._stepping = None
        if self._weights and id(optimizer) in self._left:
            last = len(self._left) == 1
            with torch.no_grad():
                for part, named in self._parameters().items():
                    kept, norms = self._weights[part]
                    pairs = zip(named.values(), kept, strict=True)
                    # In the memory of the weights, where they aren't needed any more.
                    moved = [
                        None if w is None else (w.sub_ if last else w.sub)(p.detach())
                        for p, w in pairs
                    ]
                    track = self._tracks[part]
                    track.measured(norm_of_each(moved, named.values(), track.device), norms)
        self._left.discard(id(optimizer))
        if not self._left:
            self._weights = {}


def _copied(weights: Tensor, memory: Tensor | None) -> Tensor:
    """Copy, on a processor into memory from the last time: what is new there takes longer than a copy."""
    if memory is None or (memory.shape, memory.dtype) != (weights.shape, weights.dtype):
        return weights.clone()
    return memory.copy_(weights)
