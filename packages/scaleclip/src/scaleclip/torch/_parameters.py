"""Parameters by name, of which processes don't hold shards that they can't measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from scaleclip.torch._arguments import describe


def named_parameters(parameters: Any) -> dict[str, Tensor]:
    """Return parameters by name: of a module its own, else their places.

    Raises:
      TypeError: if they are no tensors.
    """
    if isinstance(parameters, torch.nn.Module):
        return dict(parameters.named_parameters())
    if isinstance(parameters, Tensor):
        return {"parameters": parameters}
    if not isinstance(parameters, Iterable) or isinstance(parameters, (str, bytes)):
        raise TypeError(
            "parameters must be a module, a tensor or several tensors, but "
            f"{describe(parameters)} was given."
        )
    named = {f"parameters[{n}]": p for n, p in enumerate(parameters)}
    for name, p in named.items():
        if not isinstance(p, Tensor):
            raise TypeError(
                f"parameters must be tensors, but {name} is {describe(p)}. "
                "Give the module itself, or module.parameters()."
            )
    once: dict[Tensor, str] = {}  # a tensor that is given twice counts once
    for name, p in named.items():
        once.setdefault(p, name)
    return {name: p for p, name in once.items()}


def refuse_fsdp1(named: Mapping[str, Tensor], module: torch.nn.Module | None = None) -> None:
    """Refuse parameters that FSDP1 split, because each process would see the norm of its own shard.

    Raises:
      ValueError: naming what to use.
    """
    # By name, because importing FSDP takes a second. It marks the parameters that it has split.
    wrapped = module is not None and any(
        type(part).__name__ == "FullyShardedDataParallel" for part in module.modules()
    )
    split = [name for name, p in named.items() if getattr(p, "_fsdp_flattened", False)]
    if wrapped or split:
        raise ValueError(
            f"{split[0] if split else 'The model'} is sharded by FullyShardedDataParallel (FSDP1), and each "
            "process would clip by the norm of its own shard. Use the wrapped model's own "
            "clip_grad_norm_, or shard by torch.distributed.fsdp.fully_shard (FSDP2), which works here."
        )
