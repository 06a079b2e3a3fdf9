"""Adaptive clipping: each unit's gradient by its norm, relative to that of its weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

from scaleclip.torch._arguments import Number, norm_limit, on_device
from scaleclip.torch._norms import (
    Norm,
    factor_of,
    is_sharded,
    is_within,
    norm_of_units,
    real_parts,
)
from scaleclip.torch._parameters import named_parameters, refuse_fsdp1
from scaleclip.torch.weights import Layout, check_layout


def clip_adaptively_(
    parameters: torch.nn.Module | Tensor | Iterable[Tensor],
    ratio: Number,
    floor: Number = 1e-3,
    *,
    layout: Layout = "out_in",
) -> Tensor:
    """Clip each unit's gradient in place, to ``ratio`` times the norm of its weights.

    >>> import torch
    >>> from scaleclip.torch import clip_adaptively_
    >>> w = torch.tensor([[30.0, 40.0], [30.0, 40.0]], requires_grad=True)
    >>> w.grad = torch.tensor([[3.0, 4.0], [0.3, 0.4]])
    >>> clip_adaptively_(w, 0.05), w.grad  # norms 5 and 0.5, limits 2.5
    (tensor(True), tensor([[1.5000, 2.0000],
            [0.3000, 0.4000]]))

    ``g_i -> g_i * min(1, ratio * max(norm(w_i), floor) / norm(g_i))`` for each unit i: the weights
    that lead to one output. A scalar or vector is one unit. A unit within its limit stays, bit for bit;
    one with inf or NaN in its gradient becomes NaN. Nothing waits for the device.

    Args:
      parameters: a module, some parameters, or one; those without a gradient are left out.
      ratio, floor: real numbers or real tensors of shape ``[]``, from 0 to inf. ``floor`` is what the
        norm of a unit's weights counts at least, so that weights that start at zero can move.
      layout: ``"out_in"``: a unit extends over all dimensions but the first, as in PyTorch's layers
        (but not in transposed convolutions); ``"in_out"``: over all but the last.

    Returns:
      A bool of shape ``[]``, whether a unit was cut.

    Raises:
      TypeError: if ``parameters`` are no tensors, a gradient isn't dense, or a number isn't real.
      ValueError: if a number is not a scalar, or negative or NaN; if there is no such ``layout``; if FSDP1 split a parameter.

    Source: Brock, De, Smith and Simonyan 2021 (arXiv 2102.06171), equation 3; as
      ``scaleclip.ops.clip_adaptively``.
    """
    most, least = norm_limit(ratio, "ratio"), norm_limit(floor, "floor")
    check_layout(layout)
    named = named_parameters(parameters)
    refuse_fsdp1(named, parameters if isinstance(parameters, torch.nn.Module) else None)
    return cut_units_(named, most, least, layout)


def cut_units_(
    named: Mapping[str, Tensor], ratio: Number, floor: Number, layout: Layout | None
) -> Tensor:
    """Clip the units of parameters in place, and tell whether one was cut: bool ``[]``."""
    found: list[Tensor] = []
    with torch.no_grad():
        for name, parameter in named.items():
            if parameter.grad is None:
                continue
            if parameter.grad.layout != torch.strided:
                raise TypeError(
                    f"The gradient of {name} has the layout {parameter.grad.layout}; adaptive clipping "
                    "expects a dense one. Convert it by .to_dense(), or leave this parameter out."
                )
            g, w = real_parts(parameter.grad), real_parts(parameter.detach())
            over, unit = list(range(g.dim())), parameter.dim() - 1 if layout == "in_out" else 0
            if parameter.dim() > 1:
                over.remove(unit)
            norm, weights = norm_of_units(g, tuple(over)), norm_of_units(w, tuple(over))
            ends = (on_device(number, norm.size.dtype, g.device) for number in (ratio, floor))
            limit = _limit(weights, *ends)
            within = is_within(norm, limit)
            factor = factor_of(norm, limit, within)
            if g.dtype in (torch.float32, torch.float64):
                g.mul_(factor.to(g.dtype))
            else:
                g.copy_(g.float() * factor.float())
            wrong = ~within & ~norm.size.isnan()
            found.append((wrong.full_tensor() if is_sharded(wrong) else wrong).any())
    return (
        torch.stack([f.to(found[0].device) for f in found]).any() if found else torch.tensor(False)
    )


def _limit(weights: Norm, ratio: Tensor, floor: Tensor) -> Tensor:
    """Return ``ratio * max(weights, floor)``; inf if one is inf and the other is not 0."""
    unlimited = (ratio.isinf() | floor.isinf()) & (ratio > 0)
    ratio, floor = (torch.where(part.isinf(), 0.0, part) for part in (ratio, floor))
    # In this order, because size * scale may be too large for the dtype.
    limit = torch.maximum(ratio * weights.size * weights.scale, ratio * floor)
    limit = torch.where((ratio == 0) & weights.size.isinf(), 0.0, limit)
    return torch.where(unlimited, math.inf, limit)
