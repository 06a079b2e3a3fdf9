"""Clip and record through Accelerate's own clip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from scaleclip._extras import needed

with needed(__name__, "accelerate"):
    from accelerate import Accelerator

import torch

from scaleclip.torch.recorder import Recorder
from scaleclip.torch.trainers._clipping import Clipping, held, refuse_owner, unscale


def recorded(accelerator: Accelerator, model: torch.nn.Module, **options: Any) -> Recorder:
    """Record what ``accelerator.clip_grad_norm_`` does to a model.

    >>> import torch
    >>> from accelerate import Accelerator
    >>> from scaleclip.torch.trainers.accelerate import recorded
    >>> accelerator = Accelerator(cpu=True)
    >>> model = accelerator.prepare(torch.nn.Linear(2, 1, bias=False))
    >>> recorder = recorded(accelerator, model)
    >>> accelerator.backward(model(torch.tensor([3.0, 4.0])).sum())
    >>> float(accelerator.clip_grad_norm_(model.parameters(), 1.0))
    5.0
    >>> recorder.read().clipped
    1

    The loop stays as it is: ``accelerator.clip_grad_norm_(model.parameters(), limit)`` unscales,
    clips and records. While micro-batches are accumulated, the gradients aren't complete: it then
    does nothing, as ``optimizer.step()`` does, and returns None. A clip of another model's
    parameters goes to Accelerate, as before.

    ``accelerator.save_state`` saves the record, as ``custom_checkpoint_0.pkl`` unless other objects
    were registered before, and ``load_state`` loads it: ``scaleclip.torch.read(torch.load(...))``
    reads it. Call ``load_state`` before ``recorded`` if the checkpoint has no record yet.

    Args:
      accelerator: an ``Accelerator``.
      model: as ``accelerator.prepare`` returned it.
      options: ``nonfinite``, as in ``scaleclip.torch.Recorder.clip_by_global_norm_``; ``stream``,
        which is called with the recorder after each step, in the main process, and whose
        ``stream.flush(recorder)`` you call after the last; and those of ``Recorder``, such as
        ``groups`` and ``keep``, where ``updates=True`` stands for the optimizers prepared before.

    Returns:
      The recorder, whose ``read()`` works at any time.

    Raises:
      ValueError: if DeepSpeed, Megatron-LM or XLA owns the gradients, or FSDP1 shards them. From
        ``clip_grad_norm_``: if the norm isn't the Euclidean one, or the parameters are a part of
        the model's, or the model's and others.
    """
    refuse_owner(accelerator.distributed_type.value)
    clipping = Clipping(**options)
    clipping.begin(model, [each.optimizer for each in accelerator._optimizers])
    accelerator.register_for_checkpointing(clipping)
    original = accelerator.clip_grad_norm_

    def clip(parameters: Any, max_norm: Any, norm_type: float = 2) -> torch.Tensor | None:
        given = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
        asked, own = _with_gradient(given), _with_gradient(model.parameters())
        if given and not set(map(id, given)) & set(map(id, model.parameters())):
            return original(given, max_norm, norm_type)
        if asked != own or norm_type != 2:
            raise ValueError(
                f"clip_grad_norm_ was called with norm_type = {norm_type} and {len(asked)} "
                f"parameters that have a gradient, {len(asked & own)} of them of the {len(own)} "
                "that are recorded. Clip all of the recorded model's and no others, by norm_type "
                "= 2: to clip several models together, record a torch.nn.ModuleList of them."
            )
        if not accelerator.sync_gradients:
            return None
        for each in accelerator._optimizers:
            if own & held(each):
                unscale(accelerator.scaler, each.optimizer)
        clipping.limit = max_norm
        return clipping.clip(accelerator.is_main_process)

    accelerator.clip_grad_norm_ = clip
    return cast(Recorder, clipping.recorder)


def _with_gradient(parameters: Iterable[torch.Tensor]) -> set[int]:
    return {id(p) for p in parameters if p.grad is not None}
