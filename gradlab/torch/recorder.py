"""A recorder for PyTorch: it clips, and keeps on the device what the clip saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from gradlab.torch._arguments import (
    Nonfinite,
    Number,
    check_choice,
    describe,
    norm_limit,
    wide_dtype,
)
from gradlab.torch._norms import Norm, together
from gradlab.torch.gradients import Clipped, clip_

if TYPE_CHECKING:
    from gradlab.probe.recording import Recording

Groups = Callable[[str, Tensor], str]
"""From a parameter's path, such as ``"layers/0/weight"``, and it, to the name of its group."""

NAMELESS = "all"
"""The group of parameters that are the model's own, as in ``gradlab.probe``."""


def by_module(path: str, parameter: Tensor) -> str:
    """Return the path of a parameter's module, as ``gradlab.probe.by_module`` does."""
    return path.rpartition("/")[0] or NAMELESS


class Recorder:
    """A clip of a model's gradients that records the norms of the last steps.

    It holds the norms of the last ``keep`` steps on the device, and waits for it in ``read``
    alone. Its memory is ``8 * keep * (2 + number of groups)`` bytes.

        recorder = Recorder(model)
        for batch in batches:
            loss(model, batch).backward()
            recorder.clip_by_global_norm_(1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(recorder.read())

    Args:
      model: the module whose parameters are clipped: those that it has now.
      groups: ``groups(path, parameter) -> str``; parameters of one group share a norm in the
        record. The path is the name with slashes for dots: ``gradlab.probe.by_layer`` and
        ``by_leaf`` serve here too.
      keep: so many steps are kept, 1 or more.

    Raises:
      TypeError: if ``model`` is no module, or ``groups`` returns no text.
      ValueError: if ``keep`` is no whole number from 1, or the model has no parameter.
    """

    def __init__(
        self, model: torch.nn.Module, groups: Groups = by_module, keep: int = 4096
    ) -> None:
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"model must be a torch.nn.Module, but {describe(model)} was given.")
        _check_keep(keep)
        self._named = {n: p for n, p in model.named_parameters() if p.is_floating_point()}
        if not self._named:
            raise ValueError("model has no float parameter, and so no norm to record.")
        self._groups = _grouped(self._named, groups)
        self._keep = keep
        self._seen = self._held = 0
        device = next(iter(self._named.values())).device
        # A row for each step: the norm, the limit, the norm of each group.
        self._ring = torch.zeros(
            keep, 2 + len(self._groups), dtype=wide_dtype(device), device=device
        )
        self._counts = torch.zeros(2, dtype=torch.int64, device=device)  # clipped, not finite
        self._members = _members(self._groups, len(self._named), device)

    def clip_by_global_norm_(
        self, max_norm: Number, *, nonfinite: Nonfinite = "propagate"
    ) -> Tensor:
        """Clip the model's gradients in place, record the step, and return the norm before.

        It is ``gradlab.torch.clip_by_global_norm_(model, max_norm, nonfinite=nonfinite)``, and
        the gradients are not read again for the record. ``max_norm=math.inf`` records alone.

        Recorded are the limit, the norm, and the norm of each group, 0 for one without gradients;
        for ``"zero"`` these are the norms after inf and NaN became 0. A step that raises is not
        recorded.

        Args:
          max_norm, nonfinite: as in ``gradlab.torch.clip_by_global_norm_``.

        Returns:
          The norm before clipping, of shape ``[]``.

        Raises:
          TypeError, ValueError, FloatingPointError: as ``gradlab.torch.clip_by_global_norm_``.
        """
        limit = norm_limit(max_norm, "max_norm")
        check_choice(nonfinite)
        seen = clip_(self._named, limit, nonfinite)
        self._move_to(seen.norm.device)
        with torch.no_grad():
            self._ring[self._seen % self._keep].copy_(self._row(seen))
            self._counts.add_(torch.stack([seen.clipped, seen.nonfinite]))
        self._seen += 1
        self._held = min(self._held + 1, self._keep)
        return seen.norm

    def read(self) -> Recording:
        """Wait for the device once, and return what was recorded.

        Returns:
          A ``gradlab.probe.Recording`` of the last ``keep`` steps, numbered from 1, in NumPy.
        """
        from gradlab.probe.recording import Recording

        rows, counts = self._rows(), self._counts
        # Together, so that the device is waited for once. Counts below 2 ** 53 are exact.
        told = torch.cat([rows.reshape(-1), counts.to(rows.dtype)]).double().cpu().numpy()
        kept, (clipped, broken) = told[:-2].reshape(rows.shape), told[-2:]
        first = self._seen - len(kept) + 1
        return Recording(
            steps=np.arange(first, self._seen + 1, dtype=np.int64),
            norms=kept[:, 0].copy(),
            limits=kept[:, 1].copy(),
            groups={name: kept[:, 2 + n].copy() for n, name in enumerate(self._groups)},
            seen=self._seen,
            clipped=int(clipped),
            nonfinite=int(broken),
        )

    def state_dict(self) -> dict[str, Any]:
        """Return the record for a checkpoint: tensors, numbers and names."""
        return {
            "rows": self._rows().clone(),
            "counts": self._counts.clone(),
            "seen": self._seen,
            "groups": list(self._groups),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a record; of more steps than are kept, the last ones are taken.

        Args:
          state: from ``state_dict``, of a recorder with the same groups.

        Raises:
          ValueError: if the groups are others.
        """
        if list(state["groups"]) != list(self._groups):
            raise ValueError(
                f"The record has the groups {', '.join(state['groups'])}; this recorder has "
                f"{', '.join(self._groups)}. Make it of the same model, with the same groups."
            )
        rows = state["rows"][-self._keep :].to(self._ring)
        self._seen, self._held = int(state["seen"]), len(rows)
        self._counts.copy_(state["counts"])
        last = torch.arange(self._seen - self._held, self._seen) % self._keep
        self._ring[last.to(self._ring.device)] = rows

    def _row(self, seen: Clipped) -> Tensor:
        each = Norm(
            *(
                torch.cat([part, part.new_full((1,), end)])
                for part, end in (
                    (seen.each.size, 0.0),
                    (seen.each.scale, 1.0),
                )
            )
        )
        groups = together(Norm(each.size[self._members], each.scale[self._members]))
        whole = torch.stack([seen.norm.to(seen.limit.dtype), seen.limit])
        return torch.cat([whole, groups.value])

    def _rows(self) -> Tensor:
        """The rows that are kept, the oldest first."""
        return self._ring.roll(-(self._seen % self._keep), 0)[self._keep - self._held :]

    def _move_to(self, device: torch.device) -> None:
        """Follow a model that was moved after the recorder was made."""
        if self._ring.device != device:
            self._ring = self._ring.to(device, wide_dtype(device))
            self._counts, self._members = self._counts.to(device), self._members.to(device)


def _grouped(named: dict[str, Tensor], groups: Groups) -> dict[str, list[int]]:
    """Sort parameters into groups: by name the places of their parameters."""
    found: dict[str, list[int]] = {}
    for n, (name, parameter) in enumerate(named.items()):
        path = name.replace(".", "/")
        group = groups(path, parameter)
        if not isinstance(group, str):
            raise TypeError(
                f"groups returned {group!r} for {path!r}; expected a name, such as "
                "path.split('/')[0]."
            )
        found.setdefault(group, []).append(n)
    return found


def _members(groups: dict[str, list[int]], nobody: int, device: torch.device) -> Tensor:
    """The places of each group's parameters, ``[groups, most]``, filled up with ``nobody``."""
    most = max(map(len, groups.values()))
    rows = [places + [nobody] * (most - len(places)) for places in groups.values()]
    return torch.tensor(rows, device=device)


def _check_keep(keep: Any) -> None:
    if isinstance(keep, bool) or not isinstance(keep, int) or keep < 1:
        raise ValueError(
            f"keep must be a whole number of steps, 1 or more, but {keep!r} was given."
        )
