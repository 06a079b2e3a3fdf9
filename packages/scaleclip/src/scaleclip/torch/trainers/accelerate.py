"""Clip and record through Accelerate's own clip."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "accelerate"):
    from accelerate import Accelerator
    from accelerate.optimizer import AcceleratedOptimizer

import torch

from scaleclip.torch._arguments import Nonfinite
from scaleclip.torch.recorder import Recorder
from scaleclip.torch.trainers._clipping import refuse_owner, unscale


def recorded(
    accelerator: Accelerator,
    model: torch.nn.Module,
    *,
    nonfinite: Nonfinite = "propagate",
    stream: Callable[[Recorder], object] | None = None,
    **options: Any,
) -> Recorder:
    """Record what ``accelerator.clip_grad_norm_`` does to a model.

    >>> import torch
    >>> from accelerate import Accelerator
    >>> from scaleclip.torch.trainers.accelerate import recorded
    >>> accelerator = Accelerator(cpu=True)
    >>> model = accelerator.prepare(torch.nn.Linear(2, 1, bias=False))
    >>> recorder = recorded(accelerator, model)
    >>> accelerator.backward(model(torch.tensor([3.0, 4.0])).sum())
    >>> accelerator.clip_grad_norm_(model.parameters(), 1.0)
    tensor(5., dtype=torch.float64)
    >>> recorder.read().clipped
    1

    The loop stays as it is: ``accelerator.clip_grad_norm_(model.parameters(), limit)`` unscales,
    clips and records. While micro-batches are accumulated, the gradients aren't complete: it then
    does nothing, as ``optimizer.step()`` does, and returns None. A clip of another model's
    parameters goes to Accelerate, as before.

    ``accelerator.save_state`` saves the record, and ``load_state`` loads it.

    Args:
      accelerator: an ``Accelerator``.
      model: as ``accelerator.prepare`` returned it.
      nonfinite: as in ``scaleclip.torch.Recorder.clip_by_global_norm_``.
      stream: is called with the recorder after each step, in the main process.
      options: of ``scaleclip.torch.Recorder``, such as ``groups`` and ``keep``.

    Returns:
      The recorder: call ``read()`` at any time.

    Raises:
      ValueError: if DeepSpeed, Megatron-LM or XLA owns the gradients, or FSDP1 shards them. From
        ``clip_grad_norm_``: if the norm isn't the Euclidean one, or the parameters are a part of
        the model's, or the model's and others.
    """
    refuse_owner(accelerator.distributed_type.value)
    recorder = Recorder(model, **options)
    accelerator.register_for_checkpointing(recorder)
    original = accelerator.clip_grad_norm_

    def clip(parameters: Any, max_norm: Any, norm_type: float = 2) -> torch.Tensor | None:
        given = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
        asked, own = _with_gradient(given), _with_gradient(model.parameters())
        if asked and asked.isdisjoint(own):
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
        for optimizer in map(unwrapped, accelerator._optimizers):
            if own & _with_gradient(p for group in optimizer.param_groups for p in group["params"]):
                unscale(accelerator.scaler, optimizer)
        norm = recorder.clip_by_global_norm_(max_norm, nonfinite=nonfinite)
        if stream is not None and accelerator.is_main_process:
            stream(recorder)
        return norm

    accelerator.clip_grad_norm_ = clip
    return recorder


def unwrapped(optimizer: Any) -> Any:
    """Return the optimizer that Accelerate wrapped."""
    while isinstance(optimizer, AcceleratedOptimizer):
        optimizer = optimizer.optimizer
    return optimizer


def _with_gradient(parameters: Iterable[torch.Tensor]) -> set[int]:
    return {id(p) for p in parameters if p.grad is not None}
