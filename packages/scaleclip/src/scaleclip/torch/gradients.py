"""Clipping of a model's gradients by the norm of all of them together."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from scaleclip.probe.limits import AGC
from scaleclip.torch._arguments import (
    Nonfinite,
    Number,
    check_choice,
    describe,
    norm_limit,
    on_device,
)
from scaleclip.torch._norms import (
    Norm,
    factor_of,
    is_known,
    is_narrow,
    is_sharded,
    is_within,
    norm_of_each,
    real_entries,
    real_memory,
    sum_over_meshes,
    together,
)
from scaleclip.torch._parameters import named_parameters, refuse_fsdp1
from scaleclip.torch.adaptive import cut_units_

Limit: TypeAlias = Number | Callable[[Tensor], Tensor] | AGC
"""What gradients can be cut to: a number, what a function makes of their norm, or unit by unit."""

NO_GRADIENT = (
    "No parameter has a gradient, so nothing was clipped. Call the clip after backward() and before "
    "optimizer.zero_grad(), on the model that was trained and not on a copy. DeepSpeed's ZeRO keeps "
    "gradients elsewhere: use its own gradient_clipping."
)
NO_PARAMETER = (
    "No parameter was given, so nothing was clipped. A generator such as model.parameters() can be "
    "used once: give the model, or a list."
)
ZERO_LIMIT = "max_norm = 0 makes every gradient 0. In other programs 0 means no limit: for that give math.inf."


def clip_by_global_norm_(
    parameters: torch.nn.Module | Tensor | Iterable[Tensor],
    max_norm: Number,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Tensor:
    """Clip gradients in place by the norm of all of them together, and return that norm.

    >>> import torch
    >>> from scaleclip.torch import clip_by_global_norm_
    >>> w = torch.zeros(2, requires_grad=True)
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> clip_by_global_norm_(w, 2.5), w.grad
    (tensor(5.), tensor([1.5000, 2.0000]))

    ``g -> g * min(1, max_norm / norm)`` for the ``grad`` of each parameter, with ``norm`` that of
    all of them. Within the limit every gradient stays, bit for bit. Nothing waits for the device,
    but for ``nonfinite="raise"`` and sparse gradients.

    Squares neither overflow nor underflow: they are summed in float64 (on a processor where float32
    isn't enough), and float64 gradients (and all, on a device without float64) are scaled first.
    The factor is applied in float32 at least, to narrower gradients too; below 1e-38 it loses
    digits. Complex entries count with ``|z|``, repeated rows of a sparse gradient are added up.

    With mixed precision it comes after ``scaler.unscale_(optimizer)``. Of DTensors, as FSDP2
    makes them, the norm is that of the whole: every process must call it. They are reduced
    together, once for each dimension of a mesh. Other parts of a model that a process lacks
    (stages of a pipeline, shards made by hand) are not seen: there each process would clip by a
    norm of its own.

    Args:
      parameters: a module, some parameters, or one; those without a gradient are left out.
      max_norm: a real number or a real tensor of shape ``[]``, from 0 to inf. inf leaves all as it
        is, NaN included. A tensor that is negative or NaN makes every entry NaN. The number 0
        makes every gradient 0 and warns, because in other programs 0 means no limit.
      nonfinite: what inf and NaN among the entries do: ``"propagate"``, every entry becomes NaN
        unless the limit is inf; ``"zero"``, they become 0 before anything else; ``"raise"``, a
        FloatingPointError, and nothing is changed.

    Returns:
      The norm before clipping, of shape ``[]`` and dtype float32, or float64 if a gradient has
      it, on the device of the first gradient. It is inf where that dtype cannot hold it.

    Raises:
      TypeError: if ``parameters`` are no tensors, a gradient is neither dense nor ``sparse_coo``,
        or ``max_norm`` is not a real number.
      ValueError: if ``max_norm`` is not a scalar, or negative or NaN; if FSDP1 split a parameter.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Warns:
      UserWarning: if no parameter has a gradient, or ``max_norm`` is the number 0.

    Source: as ``scaleclip.ops.clip_by_global_norm``. ``torch.nn.utils.clip_grad_norm_`` divides by
      norm + 1e-6; where squares overflow it returns 0, where an entry is inf NaN there and 0
      elsewhere.
    """
    limit = norm_limit(max_norm, "max_norm")
    check_choice(nonfinite)
    named = named_parameters(parameters)
    if isinstance(parameters, torch.nn.Module):
        refuse_fsdp1(named, parameters)
    seen = measured(named, nonfinite)
    warn_if_idle(named, seen.present, [limit], stacklevel=2)
    cut_(seen, limit)
    return seen.norm


class Measured(NamedTuple):
    """The gradients of some parameters, and their norms, before a clip.

    Attributes:
      named: the parameters, by name.
      present: the gradients that there are.
      each: the norm of each parameter's gradient, of shape ``[n]``; 0 where it has none.
      whole: that of all, of shape ``[]``.
      norm: the same, in the dtype in which it is returned.
      raw: the sizes in ``each``, but before inf and NaN became 0: not finite where there were some.
    """

    named: dict[str, Tensor]
    present: list[Tensor]
    each: Norm
    whole: Norm
    norm: Tensor
    raw: Tensor


def measured(named: dict[str, Tensor], nonfinite: str) -> Measured:
    """Measure the gradients of parameters; for ``"zero"`` after inf and NaN were made 0.

    Raises:
      TypeError: if a gradient has a layout or a dtype that can't be clipped.
      ValueError: if FSDP1 split a parameter.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.
    """
    refuse_fsdp1(named)
    grads = [_gradient(name, parameter) for name, parameter in named.items()]
    present = [g for g in grads if g is not None]
    device = _first_device(present or list(named.values()))
    with torch.no_grad():
        if nonfinite == "raise":
            _refuse_nonfinite(named, grads)
        each = norm_of_each(grads, named.values(), device)
        raw = each.size
        if nonfinite == "zero":
            grads = [_zero_nonfinite(p, g) for p, g in zip(named.values(), grads, strict=True)]
            present = [g for g in grads if g is not None]
            each = norm_of_each(grads, named.values(), device)
        whole = together(each)
        wide = any(g.dtype in (torch.float64, torch.complex128) for g in present)
        norm = whole.value.to(torch.float64 if wide else torch.float32)
    return Measured(named, present, each, whole, norm, raw)


def cut_(seen: Measured, limit: Limit, touch: bool = True) -> tuple[Tensor, Tensor]:
    """Clip gradients that were measured, in place.

    Args:
      seen: from ``measured``.
      limit: a number, a function of the norm (both ``[]``, in the dtype of ``each``), or an ``AGC``.
      touch: False leaves the gradients alone, in a step that is skipped.

    Returns:
      The limit, ``[]`` in the dtype of ``each``, and whether it was exceeded, bool ``[]``.
    """
    dtype, device = seen.each.size.dtype, seen.each.size.device
    with torch.no_grad():
        if isinstance(limit, AGC) and not touch:
            limit = math.inf
        if isinstance(limit, AGC):
            cut = cut_units_(seen.named, limit.clipping, limit.eps, limit.layout).to(device)
            after = together(
                norm_of_each([p.grad for p in seen.named.values()], seen.named.values(), device)
            ).value
            return torch.where(cut & after.isfinite(), after, math.inf), cut
        bound = limit(seen.whole.value) if callable(limit) else on_device(limit, dtype, device)
        narrow = bound.to(seen.norm.dtype)
        if isinstance(limit, float) and limit > 0:  # the usual one, in fewer operations
            within, clipped = seen.norm <= narrow, seen.norm > narrow
        else:
            within = is_within(Norm(seen.norm, 1.0), narrow) | (bound == math.inf)
            clipped = ~within & ~seen.norm.isnan()
        # NaN passes a limit of inf, too: nothing is to be clipped.
        if touch and not (isinstance(limit, float) and math.isinf(limit)):
            known = is_known(within)
            if known and isinstance(seen.whole.scale, float):
                size, most = seen.whole.size.item(), bound.item()
                if not within:
                    usual = size < math.inf and most >= 0
                    torch._foreach_mul_(seen.present, most / size if usual else math.nan)
            elif not (known and bool(within)):
                _multiply_(seen.present, factor_of(seen.whole, bound, within))
        return narrow.to(dtype), clipped


def warn_if_idle(parameters: Any, gradients: Any, limits: Iterable[Any], stacklevel: int) -> None:
    """Warn if there is nothing to clip, or a limit of 0."""
    if not gradients:
        warnings.warn(NO_GRADIENT if parameters else NO_PARAMETER, stacklevel=stacklevel + 1)
    if any(isinstance(limit, float) and limit == 0 for limit in limits):
        warnings.warn(ZERO_LIMIT, stacklevel=stacklevel + 1)


def _gradient(name: str, parameter: Tensor) -> Tensor | None:
    g = parameter.grad
    if g is None:
        return None
    if g.layout not in (torch.strided, torch.sparse_coo):
        raise TypeError(
            f"The gradient of {name} has the layout {g.layout}; expected a dense or a sparse_coo "
            "one. Convert it by .to_dense(), or leave this parameter out."
        )
    if is_narrow(g.dtype) and "float4" in str(g.dtype):
        raise TypeError(
            f"The gradient of {name} is {describe(g)}, and PyTorch cannot compute with these "
            "numbers. Convert it to bfloat16 or float32, or leave this parameter out."
        )
    return g


def _first_device(tensors: Sequence[Tensor]) -> torch.device:
    return tensors[0].device if tensors else torch.device("cpu")


def _zero_nonfinite(parameter: Tensor, g: Tensor | None) -> Tensor | None:
    """Set entries that are inf or NaN to 0 in place, and return the gradient."""
    if g is None:
        return None
    if g.layout == torch.sparse_coo:
        parameter.grad = g = g.coalesce()  # so that an entry is one number, not a sum of several
    memory, wrong = real_memory(g), _wrong(g)
    if is_narrow(memory.dtype):
        memory.copy_(real_entries(g).masked_fill(wrong, 0.0))
    else:
        memory.masked_fill_(wrong, 0.0)
    return g


def _refuse_nonfinite(named: dict[str, Tensor], grads: list[Tensor | None]) -> None:
    like = {n: p if g is None else g for (n, p), g in zip(named.items(), grads, strict=True)}
    device = _first_device(list(like.values()))
    none = torch.zeros((), dtype=torch.int64, device=device)
    counts = {
        name: none if g is None else _wrong(g).sum().to(device)
        for name, g in zip(named, grads, strict=True)
    }
    sharded = [name for name, tensor in like.items() if is_sharded(tensor)]
    if sharded:
        summed = sum_over_meshes([counts[n] for n in sharded], [like[n] for n in sharded])
        counts |= dict(zip(sharded, summed, strict=True))
    wrong = torch.stack([none, *counts.values()]).tolist()[1:]
    for name, count in zip(counts, wrong, strict=True):
        if count:
            raise FloatingPointError(
                f"The gradient of {name} has {count} of {named[name].numel()} entries that are "
                f"inf or NaN; all gradients have {sum(wrong)}. To go on without them use "
                "nonfinite='zero', to let them through nonfinite='propagate'."
            )


def _wrong(g: Tensor) -> Tensor:
    """Tell which entries are inf or NaN; a complex one is one entry, of the last dimension."""
    wrong = ~real_entries(g).isfinite()
    return wrong.any(-1, keepdim=True) if g.is_complex() else wrong


def _multiply_(grads: Sequence[Tensor], factor: Tensor) -> None:
    alike: dict[tuple[torch.device, torch.dtype], list[Tensor]] = {}
    for g in map(real_memory, grads):
        alike.setdefault((g.device, g.dtype), []).append(g)
    for (device, dtype), group in alike.items():
        f = factor.to(device, torch.float64 if dtype == torch.float64 else torch.float32)
        if dtype in (torch.float32, torch.float64):
            torch._foreach_mul_(group, f)
            continue
        for g in group:
            if is_narrow(dtype):
                g.copy_(g.float() * f)
            else:
                # A factor with a dimension is not rounded to the dtype of g, one without is.
                (g if g.dim() else g.view(1)).mul_(f.view(1))
