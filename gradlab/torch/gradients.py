"""Clipping of a model's gradients by the norm of all of them together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from gradlab.torch._arguments import (
    Nonfinite,
    Number,
    check_choice,
    describe,
    norm_limit,
    on_device,
)
from gradlab.torch._norms import Norm, is_sharded, is_within, norm_of_each, together


def clip_by_global_norm_(
    parameters: torch.nn.Module | Tensor | Iterable[Tensor],
    max_norm: Number,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Tensor:
    """Clip gradients in place by the norm of all of them together, and return that norm.

    ``g -> g * min(1, max_norm / norm)`` for the ``grad`` of each parameter, with ``norm`` that of
    all of them. Within the limit every gradient stays, bit for bit. Nothing waits for the device,
    but for ``nonfinite="raise"``.

    Squares neither overflow nor underflow: they are summed in float64 (on a processor where float32
    does not do), and float64 gradients (and all, on a device without float64) are scaled first. The factor is applied in float32 at least,
    to float16 and bfloat16 too; below 1e-38 it loses digits.

    With mixed precision it comes after ``scaler.unscale_(optimizer)``. Of DTensors, as FSDP2
    makes them, the norm is that of the whole: every process must call it.

    Args:
      parameters: a module, some parameters, or one; those without a gradient are left out.
      max_norm: a real number or a real tensor of shape ``[]``, from 0 to inf. The number inf
        leaves all as it is. A tensor that is negative or NaN makes every entry NaN.
      nonfinite: what inf and NaN among the entries do: ``"propagate"``, every entry becomes NaN
        (where the limit is a tensor with inf, what has inf and no NaN passes); ``"zero"``, they
        become 0 before anything else; ``"raise"``, a FloatingPointError, and nothing is changed.

    Returns:
      The norm before clipping, of shape ``[]`` and dtype float32, or float64 if a gradient has
      it, on the device of the first gradient. It is inf where that dtype cannot hold it.

    Raises:
      TypeError: if ``parameters`` are no tensors, a gradient is sparse or complex, or
        ``max_norm`` is not a real number.
      ValueError: if ``max_norm`` is not a scalar, or negative or NaN.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: as ``gradlab.ops.clip_by_global_norm``. ``torch.nn.utils.clip_grad_norm_`` divides by
      norm + 1e-6; where squares overflow it returns 0, where an entry is inf NaN there and 0
      elsewhere.
    """
    limit = norm_limit(max_norm, "max_norm")
    check_choice(nonfinite)
    named = named_parameters(parameters)
    return clip_(named, limit, nonfinite).norm


class Clipped(NamedTuple):
    """What a clip saw, on the device of the first gradient.

    Attributes:
      each: the norm of each parameter's gradient before the clip, of shape ``[n]``; 0 where it
        has none.
      norm: that of all, of shape ``[]``, as it is returned.
      limit: of shape ``[]``, in the dtype of ``each``.
      clipped: bool ``[]``, whether the norm was beyond the limit.
      nonfinite: bool ``[]``, whether an entry was inf or NaN.
    """

    each: Norm
    norm: Tensor
    limit: Tensor
    clipped: Tensor
    nonfinite: Tensor


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
    # A tensor that is given twice counts once.
    return {name: p for p, name in {p: name for name, p in reversed(named.items())}.items()}


def clip_(named: dict[str, Tensor], limit: Number, nonfinite: Nonfinite) -> Clipped:
    """Clip the gradients of parameters in place, and tell everything that was seen.

    Raises:
      TypeError: if a gradient is sparse or complex.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.
    """
    grads = [_gradient(name, parameter) for name, parameter in named.items()]
    present = [g for g in grads if g is not None]
    device = _first_device(present or list(named.values()))
    with torch.no_grad():
        if nonfinite == "raise":
            _refuse_nonfinite(named, grads)
        each = norm_of_each(grads, device)
        broken = ~each.size.isfinite().all()
        if nonfinite == "zero":
            for g in present:
                _local(g).nan_to_num_(0.0, 0.0, 0.0)
            each = norm_of_each(grads, device)
        whole = together(each)
        wide = any(g.dtype == torch.float64 for g in present)
        norm = whole.value.to(torch.float64 if wide else torch.float32)
        bound = on_device(limit, whole.size.dtype, device)
        within = is_within(Norm(norm, torch.ones_like(norm)), bound.to(norm.dtype))
        if not (isinstance(limit, float) and math.isinf(limit)):
            _multiply_(present, _factor(whole, bound, within))
        return Clipped(each, norm, bound, ~within & ~norm.isnan(), broken)


def _gradient(name: str, parameter: Tensor) -> Tensor | None:
    g = parameter.grad
    if g is None:
        return None
    if g.layout != torch.strided:
        raise TypeError(
            f"The gradient of {name} is sparse ({g.layout}), and only dense ones are clipped. "
            "Make it with sparse=False, or leave this parameter out."
        )
    if g.is_complex():
        raise TypeError(f"The gradient of {name} is {describe(g)}, and only real ones are clipped.")
    return g


def _first_device(tensors: Sequence[Tensor]) -> torch.device:
    return tensors[0].device if tensors else torch.device("cpu")


def _local(g: Tensor) -> Tensor:
    """Return the part of a gradient that is here: of a DTensor its shard, which shares memory."""
    shard: Tensor = g.to_local() if is_sharded(g) else g
    return shard


def _refuse_nonfinite(named: dict[str, Tensor], grads: list[Tensor | None]) -> None:
    counts = {
        name: (~_whole(g).isfinite()).sum()
        for name, g in zip(named, grads, strict=True)
        if g is not None
    }
    device = _first_device(list(counts.values()))
    wrong = torch.stack([c.to(device) for c in counts.values()]).tolist() if counts else []
    for (name, _), count in zip(counts.items(), wrong, strict=True):
        if count:
            raise FloatingPointError(
                f"The gradient of {name} has {count} of {named[name].numel()} entries that are "
                f"inf or NaN; all gradients have {sum(wrong)}. To go on without them use "
                "nonfinite='zero', to let them through nonfinite='propagate'."
            )


def _whole(g: Tensor) -> Tensor:
    whole: Tensor = g.full_tensor() if is_sharded(g) else g
    return whole


def _factor(whole: Norm, limit: Tensor, within: Tensor) -> Tensor:
    """Return ``min(1, limit / norm)``: exactly 1 within the limit, NaN where the norm is none."""
    known = whole.size.isfinite() & (limit >= 0)
    factor = torch.where(known, limit, torch.full_like(limit, math.nan)) / whole.size / whole.scale
    return torch.where(within, torch.ones_like(factor), factor)


def _multiply_(grads: Sequence[Tensor], factor: Tensor) -> None:
    alike: dict[tuple[torch.device, torch.dtype], list[Tensor]] = {}
    for g in map(_local, grads):
        alike.setdefault((g.device, g.dtype), []).append(g)
    for (device, dtype), group in alike.items():
        f = factor.to(device, torch.float64 if dtype == torch.float64 else torch.float32)
        if dtype in (torch.float32, torch.float64):
            torch._foreach_mul_(group, f)
            continue
        for g in group:
            # A factor with a dimension is not rounded to the dtype of g, one without is.
            (g if g.dim() else g.view(1)).mul_(f.view(1))
