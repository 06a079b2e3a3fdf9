"""A recorder for PyTorch: it clips, and keeps on the device what the clip saw."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from scaleclip.probe._sizes import FACTOR, HISTORY, KEEP
from scaleclip.probe.groups import Groups, by_module, group_of
from scaleclip.probe.limits import AGC, AutoClip, ZClip
from scaleclip.probe.recording import Recording
from scaleclip.torch._arguments import (
    Nonfinite,
    Number,
    check_choice,
    describe,
    has_gradient,
    norm_limit,
)
from scaleclip.torch._parameters import refuse_fsdp1
from scaleclip.torch._track import Step, Track
from scaleclip.torch._updates import Updates
from scaleclip.torch.gradients import Limit, cut_, measured, warn_if_idle
from scaleclip.torch.groups import unwrapped, unwrapped_groups
from scaleclip.torch.records import checked, few, read, read_all

Given: TypeAlias = Number | Callable[[int], Number] | AutoClip | ZClip | AGC
"""A limit: a number, a schedule from the step, counted from 0, or one that the run sets itself."""


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

    It holds the norms of the last ``keep`` steps on the device, and waits for it only in
    ``read`` and ``read_all``, and for ``nonfinite`` of
    ``"raise"`` or ``"skip"``. Its memory is ``8 * (keep + 1636) * (2 + groups)`` bytes,
    with ``updates`` up to three times as much. In a loop::

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
      parts: ``parts(path, parameter) -> str``: the part of the model that a parameter belongs to, where
        Muon and AdamW, say, share a model. Each has a norm, a limit and a record of its own.
      updates: the optimizer, or several: in the first of ``every`` steps, norms of the updates and of
        the weights before them are recorded by group. That copies the weights that have a gradient
        (a processor keeps this memory for the next time, a GPU doesn't). A step that isn't taken, as ``GradScaler`` skips some, isn't measured
        (or 0, where the optimizer itself skips it). Other steps are NaN in the recording; so are all
        of a recorder that was pickled or copied, because the hooks are the optimizer's.
      every: 1 or more.
      spike: a norm above this many times the median of up to 100 norms before it is a spike; above
        0. None keeps none.
      history: rows of the whole run, thinned, at most: a power of two, or 0 for none.

    Raises:
      TypeError: if ``model`` isn't a module, ``groups`` or ``parts`` doesn't return a string, or
        ``updates`` has no optimizers.
      ValueError: if a size isn't such a number, the model has no float or complex parameter, or FSDP1
        shards it.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        groups: Groups = by_module,
        keep: int = KEEP,
        *,
        parts: Groups | None = None,
        updates: Any = None,
        every: int = 10,
        spike: float | None = FACTOR,
        history: int = HISTORY,
    ) -> None:
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"model must be a torch.nn.Module, but {describe(model)} was given.")
        _check_sizes(keep=keep, every=every, history=history, spike=spike)
        self._model = model
        self._last: dict[str, tuple[Any, torch.Size]] = {}
        found = dict(model.named_parameters())
        self._remember(found)
        named = self._named(found)
        refuse_fsdp1(named, model)
        if not named:
            raise ValueError("model has no float or complex parameter, and so no norm to record.")
        self._known = {name: p.shape for name, p in named.items()}
        paths = {name: name.replace(".", "/") for name in named}
        self._group_of = {name: group_of(groups, paths[name], p) for name, p in named.items()}
        self._part_of = {
            name: group_of(parts, paths[name], p) if parts else "" for name, p in named.items()
        }
        device = next(iter(named.values())).device
        times = torch.inf if spike is None else float(spike)
        self._tracks: dict[str, Track] = {}
        for part in dict.fromkeys(self._part_of.values()):
            inside = dict.fromkeys(g for n, g in self._group_of.items() if self._part_of[n] == part)
            self._tracks[part] = Track([*inside], keep, history, times, updates is not None, device)
        self._place(named)
        self._updates = (
            None if updates is None else Updates(self._tracks, self._parameters, updates, every)
        )

    @property
    def seen(self) -> int:
        """How many steps there were."""
        return next(iter(self._tracks.values())).seen

    def clip_by_global_norm_(
        self,
        max_norm: Given | Mapping[str, Given],
        *,
        nonfinite: Nonfinite | Literal["skip"] = "propagate",
        tag: int | Tensor | None = None,
    ) -> Tensor:
        """Clip the model's gradients in place, record the step, and return the norm before.

        It is ``scaleclip.torch.clip_by_global_norm_(model, max_norm, nonfinite=nonfinite)``, and
        the gradients are not read again for the record. ``max_norm=math.inf`` records alone, and
        no gradient is touched.

        Recorded are the limit, the norm, and the norm of each group, 0 for one without gradients;
        for ``"zero"`` these are the norms after inf and NaN became 0. A step that raises is not
        recorded.

        Args:
          max_norm: as in ``scaleclip.torch.clip_by_global_norm_``; or a schedule, which is called
            with the number of the step, from 0; or ``AutoClip()``, ``ZClip()`` or ``AGC()`` (another
            one than in the step before begins anew). With parts it holds for each by itself, or is
            a dict with a limit for every part.
          nonfinite: as in ``scaleclip.torch.clip_by_global_norm_``; or ``"skip"``: if an entry is inf
            or NaN, every ``grad`` is set to None, so that the optimizer leaves weights, moments and
            weight decay alone. That waits for the device in each step. Several processes must see
            the same gradients, as with DDP and FSDP2.
          tag: a whole number that says which batch this is; a spike in the record has it.

        Returns:
          The norm before clipping, of shape ``[]``; with parts that of all of them.

        Raises:
          TypeError, ValueError, FloatingPointError: as ``scaleclip.torch.clip_by_global_norm_``.
          ValueError: if the model has a parameter with a new name, or with another shape; if a limit
            is for a part that there isn't, or a part has none.

        Warns:
          UserWarning: as ``scaleclip.torch.clip_by_global_norm_``.
        """
        check_choice(nonfinite, "skip")
        limits = self._limits(max_norm)
        mark = _tag(tag)
        named = self._parameters()
        seen = {part: measured(inside, nonfinite) for part, inside in named.items()}
        warn_if_idle(named, [g for each in seen.values() for g in each.present], limits.values(), 2)
        skip = nonfinite == "skip" and not all(
            bool(each.raw.isfinite().all()) for each in seen.values()
        )
        cuts = {part: cut_(each, limits[part], touch=not skip) for part, each in seen.items()}
        for part, each in seen.items():
            self._tracks[part].add(Step(each.each, each.norm, each.raw, *cuts[part], mark), skip)
        if skip:
            for parameter in self._model.parameters():
                parameter.grad = None
        if self._updates:
            self._updates.begin()
        norms = [each.norm for each in seen.values()]
        return norms[0].clone() if len(norms) == 1 else torch.linalg.vector_norm(torch.stack(norms))

    def read(self) -> Recording:
        """Wait for the device, and return what was recorded.

        Returns:
          A ``scaleclip.probe.Recording`` of the last ``keep`` steps, numbered from 1, in NumPy.

        Raises:
          ValueError: if there are several parts: ``read_all`` returns the record of each.
        """
        return read(self)

    def read_all(self) -> dict[str, Recording]:
        """Wait for the device, and return what was recorded of each part, by its name."""
        return read_all(self)

    def state_dict(self) -> dict[str, Any]:
        """Return the record for a checkpoint: tensors, numbers and names. See ``read``, too."""
        states = {part: track.state_dict() for part, track in self._tracks.items()}
        return states[""] if [*states] == [""] else {"parts": states}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a record; of more steps than are kept, the last ones are taken.

        Args:
          state: from ``state_dict``, of a recorder with the same groups and parts; its ``keep`` may
            be another. One that an earlier version saved has no spikes and no whole run.

        Raises:
          TypeError, ValueError: if it isn't a record, or has other groups or parts.
        """
        records = checked(state)
        theirs = {part: unwrapped_groups(record["groups"]) for part, record in records.items()}
        ours = {part: unwrapped_groups(track.groups) for part, track in self._tracks.items()}
        if theirs != ours:
            raise ValueError(
                f"The record has the groups {_listed(theirs)}; this recorder has {_listed(ours)}. "
                "Make it of the same model, with the same groups and parts."
            )
        for part, record in records.items():
            self._tracks[part].load_state_dict(record)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what a copy has no use for: weak references, and hooks of another's optimizer."""
        return self.__dict__ | {"_last": {}, "_updates": None}

    def _parameters(self) -> dict[str, dict[str, Tensor]]:
        """Return the parameters that the model has now, by part and name.

        Raises:
          ValueError: if one has a name that is new, or another shape, or FSDP1 shards it.
        """
        found = dict(self._model.named_parameters())
        if found.keys() == self._last.keys() and all(
            last() is p and p.shape == shape
            for p, (last, shape) in zip(found.values(), self._last.values(), strict=True)
        ):
            return self._by_part(self._named(found))
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
                f"The model {what} when the recorder was made: {few(new or other)}. Make a new "
                "Recorder(model) once the model is complete."
            )
        self._place(named)
        return self._by_part(named)

    def _remember(self, found: dict[str, Tensor]) -> None:
        """Keep which parameters there are, by weak references: what is replaced can be freed."""
        self._last = {name: (weakref.ref(p), p.shape) for name, p in found.items()}
        names = zip(found, unwrapped(found), strict=True)
        self._names = {given: name for given, name in names if has_gradient(found[given])}

    def _named(self, found: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the parameters that can have a gradient, by names without those of wrappers."""
        return {name: found[given] for given, name in self._names.items()}

    def _by_part(self, named: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
        if len(self._tracks) == 1:
            return dict.fromkeys(self._tracks, named)
        parts: dict[str, dict[str, Tensor]] = {part: {} for part in self._tracks}
        for name, parameter in named.items():
            parts[self._part_of[name]][name] = parameter
        return parts

    def _place(self, named: dict[str, Tensor]) -> None:
        for part, inside in self._by_part(named).items():
            self._tracks[part].place([*inside], self._group_of)

    def _limits(self, given: Any) -> dict[str, Limit]:
        """Return the limit of each part in this step."""
        limits = given if isinstance(given, Mapping) else dict.fromkeys(self._tracks, given)
        if limits.keys() != self._tracks.keys():
            parts = ", ".join(map(repr, self._tracks)) if "" not in self._tracks else "none"
            raise ValueError(
                f"max_norm has limits for the parts {', '.join(map(repr, limits))}, but the recorder's "
                f"parts are: {parts}. Give a limit for each, and say which parameters they have: "
                "Recorder(model, parts=lambda path, parameter: ...)."
            )
        return {part: self._limit(limit, self._tracks[part]) for part, limit in limits.items()}

    def _limit(self, given: Any, track: Track) -> Limit:
        if isinstance(given, AGC):
            return given
        if isinstance(given, AutoClip | ZClip):
            return track.limit(given)
        limit = norm_limit(given(track.seen) if callable(given) else given, "max_norm")
        return limit.clone() if isinstance(limit, Tensor) else limit  # the caller's may change


def _listed(groups: Mapping[str, list[str]]) -> str:
    return "; ".join(
        (f"{part}: " if part else "") + ", ".join(names) for part, names in groups.items()
    )


def _tag(tag: Any) -> int | Tensor | None:
    if hasattr(tag, "__index__") and not isinstance(tag, bool | Tensor):
        if int(tag) < 0:
            raise ValueError(f"tag must be 0 or more, but {tag!r} was given.")
        return int(tag)
    whole = isinstance(tag, Tensor) and not tag.dim() and tag.dtype in (torch.int32, torch.int64)
    if tag is not None and not whole:
        raise TypeError(
            f"tag must be a whole number, such as that of the batch, but {describe(tag)} was given."
        )
    return tag.clone() if isinstance(tag, Tensor) else tag


def _check_sizes(keep: Any, every: Any, history: Any, spike: Any) -> None:
    for name, size in (("keep", keep), ("every", every)):
        if type(size) is not int or size < 1:
            raise ValueError(
                f"{name} must be a whole number of steps, 1 or more, but {size!r} was given."
            )
    if type(history) is not int or history < 0 or history & (history - 1):
        raise ValueError(
            f"history must be a power of two, or 0 for none, but {history!r} was given."
        )
    if spike is not None and not (isinstance(spike, (int, float)) and spike > 0):
        raise ValueError(
            f"spike must be a number above 0, or None for none, but {spike!r} was given."
        )
