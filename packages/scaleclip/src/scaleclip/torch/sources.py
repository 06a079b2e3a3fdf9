"""Which loss moves which module: gradients of several losses in PyTorch, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from scaleclip.probe.groups import Groups, by_module, group_of
from scaleclip.probe.terms import Sources
from scaleclip.torch._arguments import describe, has_gradient, wide_dtype
from scaleclip.torch._norms import is_sharded, real_entries, sum_over_meshes, working_dtype
from scaleclip.torch._parameters import refuse_fsdp1
from scaleclip.torch.groups import unwrapped


def sources(
    losses: Mapping[str, Tensor], model: torch.nn.Module, *, groups: Groups = by_module
) -> Sources:
    """Measure which of several losses moves which group of a model's parameters.

    >>> import torch
    >>> from scaleclip.torch import sources
    >>> model = torch.nn.Linear(1, 1, bias=False)
    >>> _ = torch.nn.init.ones_(model.weight)
    >>> fit, decay = ((model.weight - 4.0) ** 2).sum(), (model.weight**2).sum()
    >>> print(sources({"fit": fit, "decay": decay}, model))
    norm (share)       fit     decay
    all           6 (150%)  2 (-50%)
    whole         6 (150%)  2 (-50%)
    cosine             fit     decay
    fit               1.00     -1.00
    decay            -1.00      1.00

    It goes before ``backward()``, and costs a backward pass for each loss and the memory of all their
    gradients, so call it every so many steps. No ``grad`` is touched, and the graph stays: a
    ``backward()`` can follow. It waits for the device.

    Args:
      losses: by name, as they are added to the whole loss, weights included: each of shape ``[]``.
      model: the module whose parameters they reach, maybe not all.
      groups: as in ``Recorder``.

    Returns:
      Norms, shares and cosines, as a ``scaleclip.probe.Sources`` of NumPy arrays.

    Raises:
      TypeError: if ``losses`` isn't a dict of tensors, or ``groups`` doesn't return a string.
      ValueError: if there is no loss or no parameter, a loss isn't a scalar or has no graph, or FSDP1
        shards the model.
    """
    _check(losses)
    found = dict(model.named_parameters())
    given = dict(zip(unwrapped(found), found.values(), strict=True))
    named = {n: p for n, p in given.items() if p.requires_grad and has_gradient(p)}
    refuse_fsdp1(named, model)
    if not named:
        raise ValueError("model has no parameter that requires a gradient, so no loss moves it.")
    parameters = [*named.values()]
    by_loss = [
        torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
        for loss in losses.values()
    ]
    with torch.no_grad():
        rows = [_products(p, grads) for p, *grads in zip(parameters, *by_loss, strict=True)]
        sharded = [n for n, p in enumerate(parameters) if is_sharded(p)]
        if sharded:
            summed = sum_over_meshes([rows[n] for n in sharded], [parameters[n] for n in sharded])
            for n, row in zip(sharded, summed, strict=True):
                rows[n] = row
        products = torch.stack([row.to(rows[0].device) for row in rows]).cpu().numpy()
    names = [group_of(groups, name.replace(".", "/"), p) for name, p in named.items()]
    order = list(dict.fromkeys(names))
    by_group = np.zeros((len(order), *products.shape[1:]))
    np.add.at(by_group, [order.index(name) for name in names], products)
    values = np.array([float(loss.detach()) for loss in losses.values()])
    return Sources(tuple(losses), tuple(order), values, by_group, by_group.sum(axis=0))


def _check(losses: Any) -> None:
    if not isinstance(losses, Mapping) or not all(isinstance(x, Tensor) for x in losses.values()):
        raise TypeError(
            f"losses must be a dict of tensors by name, but {describe(losses)} was given."
        )
    if not losses:
        raise ValueError("losses must have a loss, but it is empty.")
    for name, loss in losses.items():
        if loss.dim():
            raise ValueError(
                f"The loss {name!r} has the shape {tuple(loss.shape)}; expected a scalar, such as its mean."
            )
        if not loss.requires_grad:
            raise ValueError(
                f"The loss {name!r} has no graph to go back through. Call sources before backward(), "
                "outside of torch.no_grad()."
            )


def _products(parameter: Tensor, grads: list[Tensor | None]) -> Tensor:
    """Inner products of the losses' gradients of one parameter: ``[L, L]``."""
    dense = [g if g is None or g.layout == torch.strided else g.to_dense() for g in grads]
    none = torch.zeros_like(parameter)
    flat = [real_entries(none if g is None else g).reshape(-1) for g in dense]
    block = torch.stack(flat).to(working_dtype(flat[0].dtype))
    return (block @ block.T).to(wide_dtype(parameter.device))
