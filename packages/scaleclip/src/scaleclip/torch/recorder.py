"""A recorder for PyTorch: it clips, and keeps on the device what the clip saw."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from scaleclip.probe.groups import Groups, by_module, group_of
from scaleclip.probe.recording import Recording
from scaleclip.torch._arguments import (
    Nonfinite,
    Number,
    check_choice,
    describe,
    has_gradient,
    norm_limit,
    wide_dtype,
)
from scaleclip.torch._norms import Norm, together
from scaleclip.torch.gradients import Clipped, clip_, refuse_fsdp1
from scaleclip.torch.groups import unwrapped, unwrapped_groups

KEYS = ("rows", "counts", "seen", "groups")
"""What a record consists of in a checkpoint."""


def read(state: Recorder | Mapping[str, Any]) -> Recording:
    """Read what was recorded, from a recorder or from its ``state_dict`` in a checkpoint.

    >>> import torch
    >>> from scaleclip.torch import Recorder, read
    >>> model = torch.nn.Linear(2, 1, bias=False)
    >>> recorder = Recorder(model)
    >>> model(torch.tensor([3.0, 4.0])).backward()
    >>> norm = recorder.clip_by_global_norm_(1.0)
    >>> print(read(recorder.state_dict()))
    1 step, 1 clipped, 0 not finite
    norm: median 5, 90th percentile 5, largest 5 in step 1
    limit 1: clips 100 % of these steps, keeps 20 % of their total length
    <BLANKLINE>
    group  median  largest  of norm²
    all         5        5     100 %

    A checkpoint needs neither the model nor its recorder::

        checkpoint = torch.load("run.pt")
        print(read(checkpoint["recorder"]))  # saved as {"recorder": recorder.state_dict(), ...}

    Args:
      state: a ``Recorder``, or what its ``state_dict`` returned.

    Returns:
      A ``scaleclip.probe.Recording`` of the steps that were kept, numbered from 1, in NumPy.

    Raises:
      TypeError: if it is neither.
      ValueError: if it lacks a part of a record.
    """
    state = state.state_dict() if isinstance(state, Recorder) else _checked(state)
    rows, counts, seen = state["rows"], state["counts"], int(state["seen"])
    # Together, so that the device is waited for once. Counts below 2 ** 53 are exact.
    numbers = torch.cat([rows.reshape(-1), counts.to(rows)]).double().cpu().numpy()
    kept, (clipped, broken) = numbers[:-2].reshape(rows.shape), numbers[-2:]
    return Recording(
        steps=np.arange(seen - len(kept) + 1, seen + 1, dtype=np.int64),
        norms=kept[:, 0].copy(),
        limits=kept[:, 1].copy(),
        groups={
            name: kept[:, 2 + n].copy() for n, name in enumerate(unwrapped_groups(state["groups"]))
        },
        seen=seen,
        clipped=int(clipped),
        nonfinite=int(broken),
    )


class Recorder:
    """Clip a model's gradients, and record the norms of the last steps.

    >>> import torch
    >>> from scaleclip.torch import Recorder
    >>> model = torch.nn.Linear(2, 1, bias=False)
    >>> recorder = Recorder(model)
    >>> model(torch.tensor([3.0, 4.0])).backward()
    >>> norm = recorder.clip_by_global_norm_(1.0)
    >>> recorder.read().norms
    array([5.])

    It holds the norms of the last ``keep`` steps on the device, and waits for it in ``read``
    alone. Its memory is ``8 * keep * (2 + number of groups)`` bytes. In a loop::

        recorder = Recorder(model)
        for batch in batches:
            loss(model, batch).backward()
            recorder.clip_by_global_norm_(1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(recorder.read())

    At each step it looks at the parameters that the model has then. A new tensor under a known
    name is taken in its place, as ``fully_shard`` makes them (before or after the recorder). A
    parameter that is gone, or tied to another, no longer counts. Parameters with new names, of an
    adapter or a new head, raise an error: make the recorder when the model is complete.

    Args:
      model: the module whose parameters are clipped.
      groups: ``groups(path, parameter) -> str``; parameters of one group share a norm in the
        record. The path is the name with slashes for dots, without what wrappers such as DDP and
        ``torch.compile`` add. ``by_module``, ``by_layer`` and ``by_leaf`` are such functions.
      keep: so many steps are kept, 1 or more.

    Raises:
      TypeError: if ``model`` isn't a module, or ``groups`` doesn't return a string.
      ValueError: if ``keep`` isn't a whole number from 1, the model has no float or complex
        parameter, or FSDP1 shards it.
    """

    def __init__(
        self, model: torch.nn.Module, groups: Groups = by_module, keep: int = 4096
    ) -> None:
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"model must be a torch.nn.Module, but {describe(model)} was given.")
        if type(keep) is not int or keep < 1:
            raise ValueError(
                f"keep must be a whole number of steps, 1 or more, but {keep!r} was given."
            )
        self._model = model
        self._last: dict[str, tuple[Any, torch.Size]] = {}
        found = dict(model.named_parameters())
        self._remember(found)
        named = self._named(found)
        refuse_fsdp1(named, model)
        if not named:
            raise ValueError("model has no float or complex parameter, and so no norm to record.")
        self._known = {name: p.shape for name, p in named.items()}
        self._group_of = {
            name: group_of(groups, name.replace(".", "/"), p) for name, p in named.items()
        }
        self._groups = list(dict.fromkeys(self._group_of.values()))
        self._keep = keep
        self._seen = self._held = 0
        device = next(iter(named.values())).device
        # A row for each step: the norm, the limit, the norm of each group.
        self._ring = torch.zeros(
            keep, 2 + len(self._groups), dtype=wide_dtype(device), device=device
        )
        self._counts = torch.zeros(2, dtype=torch.int64, device=device)  # clipped, not finite
        self._members = self._places(named, device)

    def clip_by_global_norm_(
        self, max_norm: Number, *, nonfinite: Nonfinite = "propagate"
    ) -> Tensor:
        """Clip the model's gradients in place, record the step, and return the norm before.

        It is ``scaleclip.torch.clip_by_global_norm_(model, max_norm, nonfinite=nonfinite)``, and
        the gradients are not read again for the record. ``max_norm=math.inf`` records alone, and
        no gradient is touched.

        Recorded are the limit, the norm, and the norm of each group, 0 for one without gradients;
        for ``"zero"`` these are the norms after inf and NaN became 0. A step that raises is not
        recorded.

        Args:
          max_norm, nonfinite: as in ``scaleclip.torch.clip_by_global_norm_``.

        Returns:
          The norm before clipping, of shape ``[]``.

        Raises:
          TypeError, ValueError, FloatingPointError: as ``scaleclip.torch.clip_by_global_norm_``.
          ValueError: if the model has a parameter with a new name, or with another shape.

        Warns:
          UserWarning: as ``scaleclip.torch.clip_by_global_norm_``.
        """
        limit = norm_limit(max_norm, "max_norm")
        check_choice(nonfinite)
        seen = clip_(self._parameters(), limit, nonfinite)
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
          A ``scaleclip.probe.Recording`` of the last ``keep`` steps, numbered from 1, in NumPy.
        """
        return read(self)

    def state_dict(self) -> dict[str, Any]:
        """Return the record for a checkpoint: tensors, numbers and names. See ``read``, too."""
        return {
            "rows": self._rows().clone(),
            "counts": self._counts.clone(),
            "seen": self._seen,
            "groups": list(self._groups),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a record; of more steps than are kept, the last ones are taken.

        Args:
          state: from ``state_dict``, of a recorder with the same groups; its ``keep`` may be
            another.

        Raises:
          TypeError, ValueError: if it isn't a record, or has other groups.
        """
        groups = unwrapped_groups(_checked(state)["groups"])
        if groups != unwrapped_groups(self._groups):
            raise ValueError(
                f"The record has the groups {', '.join(groups)}; this recorder has "
                f"{', '.join(self._groups)}. Make it of the same model, with the same groups."
            )
        rows = state["rows"][-self._keep :].to(self._ring)
        self._seen, self._held = int(state["seen"]), len(rows)
        self._counts.copy_(state["counts"])
        last = torch.arange(self._seen - self._held, self._seen) % self._keep
        self._ring[last.to(self._ring.device)] = rows

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what cannot be pickled: the model is looked at again at the next step."""
        return self.__dict__ | {"_last": {}}

    def _parameters(self) -> dict[str, Tensor]:
        """Return the parameters that the model has now, by name.

        Raises:
          ValueError: if one has a name that is new, or another shape, or FSDP1 shards it.
        """
        found = dict(self._model.named_parameters())
        if found.keys() == self._last.keys() and all(
            last() is p and p.shape == shape
            for p, (last, shape) in zip(found.values(), self._last.values(), strict=True)
        ):
            return self._named(found)
        self._remember(found)
        named = self._named(found)
        refuse_fsdp1(named, self._model)
        new = [name for name in named if name not in self._known]
        other = [
            f"{name} was {tuple(self._known[name])} and is {tuple(p.shape)}"
            for name, p in named.items()
            if name not in new and p.shape != self._known[name]
        ]
        if new or other:
            self._last = {}  # so that the next step is refused, too
            what = "has parameters that it did not have" if new else "has other shapes than"
            raise ValueError(
                f"The model {what} when the recorder was made: {_few(new or other)}. Make a new "
                "Recorder(model) once the model is complete."
            )
        self._members = self._places(named, self._ring.device)
        return named

    def _remember(self, found: dict[str, Tensor]) -> None:
        """Keep which parameters there are, by weak references: what is replaced can be freed."""
        self._last = {name: (weakref.ref(p), p.shape) for name, p in found.items()}
        names = zip(found, unwrapped(found), strict=True)
        self._names = {given: name for given, name in names if has_gradient(found[given])}

    def _named(self, found: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the parameters that can have a gradient, by names without those of wrappers."""
        return {name: found[given] for given, name in self._names.items()}

    def _places(self, named: dict[str, Tensor], device: torch.device) -> Tensor:
        """Where the parameters of each group are, ``[groups, most]``, filled up with one beyond them."""
        places: dict[str, list[int]] = {group: [] for group in self._groups}
        for n, name in enumerate(named):
            places[self._group_of[name]].append(n)
        most = max(map(len, places.values()))
        rows = [at + [len(named)] * (most - len(at)) for at in places.values()]
        return torch.tensor(rows, dtype=torch.int64, device=device)

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


def _few(texts: list[str]) -> str:
    return ", ".join(texts[:6]) + (f" and {len(texts) - 6} more" if len(texts) > 6 else "")


def _checked(state: Any) -> Mapping[str, Any]:
    """Return a record, if it is one."""
    if not isinstance(state, Mapping):
        raise TypeError(
            f"state must be the state_dict() of a Recorder, but {describe(state)} was given."
        )
    missing = [key for key in KEYS if key not in state]
    if missing:
        raise ValueError(
            f"state must be the state_dict() of a Recorder, with {', '.join(KEYS)}, but it lacks "
            f"{', '.join(missing)}; it has {_few([*map(str, state)])}. Give the part of the "
            "checkpoint that the record was saved under."
        )
    return state
