"""Euclidean norms in PyTorch that neither overflow nor underflow, and what is cut to a limit.

A norm is ``size * scale``. The scale is 1 where squares are safe, and else a power of two, one for
numbers that are too large and one for those that are too small. Nothing here waits for a device:
no branch depends on a number, except where the processor already has it (``is_known``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from scaleclip.torch._arguments import wide_dtype

CHUNK = 1 << 17
"""So many entries a processor sums at a time."""
LEAST = 1e-13
"""Below this the norm of a piece in float32 may miss squares that underflowed."""

# Where the largest magnitude is beyond 2 ** safe or below 2 ** -safe, it is divided by
# 2 ** large or 2 ** small, so that it and the sum of 2 ** 30 squares are normal numbers.
_SCALES = {torch.float32: (40, 84, -88), torch.float64: (300, 660, -650)}


class Norm(NamedTuple):
    """Euclidean norms, ``size * scale``: float tensors of one shape and dtype, or 1.0 as the scale."""

    size: Tensor
    scale: Any

    @property
    def value(self) -> Tensor:
        """Return the norms as numbers: inf where the dtype cannot hold one."""
        return self.size if isinstance(self.scale, float) else self.size * self.scale


def working_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the dtype in which a tensor is cut: float64 if it has it, else float32."""
    return torch.float64 if dtype == torch.float64 else torch.float32


def norm_over(x: Tensor, over: tuple[int, ...]) -> Norm:
    """Compute the norm of a tensor over some dimensions, which stay with length 1.

    Its derivative is ``x / norm``, and 0 where the norm is 0.

    Args:
      x: a float tensor.
      over: the dimensions, none negative.
    """
    wide = x.to(working_dtype(x.dtype))
    if not over:
        return Norm(wide.abs(), torch.ones_like(wide))
    if wide.numel() == 0:
        size = wide.sum(over, keepdim=True)
        return Norm(size, torch.ones_like(size))
    scale = _scale_for(wide.detach().abs().amax(over, keepdim=True))
    squares = (wide * (1 / scale)).square().sum(over, keepdim=True)
    positive = squares > 0
    # The root of 1 where it is 0, because the root has no derivative there. NaN is not 0.
    root = torch.where(squares == 0, torch.ones_like(squares), squares).sqrt()
    return Norm(torch.where(positive | squares.isnan(), root, torch.zeros_like(root)), scale)


def _scale_for(largest: Tensor) -> Tensor:
    safe, large, small = _SCALES[largest.dtype]
    one = torch.ones_like(largest)
    scale = torch.where(largest > 2.0**safe, 2.0**large * one, one)
    scale = torch.where((largest < 2.0**-safe) & (largest > 0), 2.0**small * one, scale)
    return torch.where(largest.isfinite(), scale, one)


def cut(x: Tensor, norm: Norm, limit: Tensor) -> Tensor:
    """Return ``x * min(1, limit / norm)``; within the limit ``x``, bit for bit.

    Args:
      x: a float tensor.
      norm: of ``x``, of a shape that it broadcasts with and of its ``working_dtype``.
      limit: of the same dtype; negative or NaN, it makes every entry NaN.

    Returns:
      A tensor of ``x``'s shape and dtype. A norm that is inf or NaN makes every entry that
      shares it NaN; a limit of inf lets anything through.
    """
    size, scale = norm
    within = is_within(norm, limit)
    target = torch.where(size.isfinite() & (limit >= 0), limit, torch.full_like(limit, torch.nan))
    # What is kept has no use for a target: inf there would make NaN of a derivative of 0.
    one = torch.ones_like(size)
    target, size = torch.where(within, one, target), torch.where(size == 0, one, size)
    # Ordinarily x / norm first. With a scale target / norm comes first, if it is a number like
    # others: x / norm may underflow then.
    factor = target / size / scale
    limits = torch.finfo(factor.dtype)
    first = (scale != 1) & (factor >= limits.tiny) & (factor <= limits.max)
    divided = x.to(size.dtype) * torch.where(first, factor, 1 / scale)
    sized = divided / torch.where(first, one, size) * torch.where(first, one, target)
    return torch.where(within, x, sized.to(x.dtype))


def is_within(norm: Norm, limit: Tensor) -> Tensor:
    """Tell where a norm is at most a limit. A limit of inf holds any; at a limit of 0 the size decides."""
    within = torch.where(limit > 0, norm.value <= limit, (limit == 0) & (norm.size == 0))
    return within | (limit == torch.inf)


def factor_of(norm: Norm, limit: Tensor, within: Tensor) -> Tensor:
    """Return ``min(1, limit / norm)``: exactly 1 within the limit, NaN where the norm is none."""
    known = norm.size.isfinite() & (limit >= 0)
    return torch.where(within, 1.0, torch.where(known, limit, torch.nan) / norm.size / norm.scale)


def norm_of_units(x: Tensor, over: tuple[int, ...]) -> Norm:
    """Compute norms over some dimensions, which stay with length 1; to be read, without derivatives.

    As in ``norm_of_each``, what is narrower than float64 is read once.
    """
    x = x.float() if is_narrow(x.dtype) else x
    if x.dtype == torch.float64 or wide_dtype(x.device) != torch.float64 or not over:
        return norm_over(x, over)
    if is_known(x):
        size = torch.linalg.vector_norm(x, 2, over, True, dtype=torch.float32).double()
        if bool(((size > LEAST) & (size < torch.inf)).all()):
            return Norm(size, torch.ones_like(size))
    size = torch.linalg.vector_norm(x, 2, over, True, dtype=torch.float64)
    return Norm(size, torch.ones_like(size))


def norm_of_each(
    grads: Sequence[Tensor | None], parameters: Iterable[Tensor], device: torch.device
) -> Norm:
    """Compute the norm of each of several gradients by itself.

    What is narrower than float64 is read once, and summed in float64 (but see ``_plain``). Float64,
    and float32 where the device has no float64, is read twice, and scaled.

    Args:
      grads: of any kind that ``real_entries`` takes, on one device or several; None has the norm 0.
        The norm of a DTensor is that of the whole.
      parameters: those that the gradients belong to. They say what a missing DTensor would be.
      device: where the result is to be.

    Returns:
      Norms of shape ``[n]``, float64 where ``device`` has it.
    """
    usual = wide_dtype(device) == torch.float64 and all(
        isinstance(g, Tensor)
        and type(g) is Tensor
        and g.dtype == torch.float32
        and g.device == device
        and not g.is_sparse
        for g in grads
    )
    if usual and grads:
        return Norm(_plain(grads), 1.0)
    fused: dict[tuple[torch.device, torch.dtype], list[int]] = {}
    tensors = [None if g is None else real_entries(g) for g in grads]
    dtype = wide_dtype(device)
    zero = torch.zeros((), dtype=dtype, device=device)
    sizes, scales = [zero] * len(grads), [zero + 1] * len(grads)
    for n, tensor in enumerate(tensors):
        if tensor is None or tensor.numel() == 0:
            continue
        if tensor.dtype == torch.float64 or wide_dtype(tensor.device) != torch.float64:
            size, scale = norm_over(tensor.reshape(-1), (0,))
            sizes[n] = size[0].to(device, dtype, non_blocking=True)
            scales[n] = scale[0].to(device, dtype, non_blocking=True)
        else:
            fused.setdefault((tensor.device, tensor.dtype), []).append(n)
    for places in fused.values():
        for n, size in zip(places, _plain([tensors[n] for n in places]).unbind(), strict=True):
            sizes[n] = size.to(device, dtype, non_blocking=True)
    # Every process asks for the same sums, though one of them may lack a gradient.
    like = [p if g is None else g for g, p in zip(grads, parameters, strict=True)]
    sharded = [n for n, tensor in enumerate(like) if is_sharded(tensor)]
    if sharded:
        here = Norm(
            torch.stack([sizes[n] for n in sharded]), torch.stack([scales[n] for n in sharded])
        )
        squares = sum_over_meshes(_squares(here).unbind(), [like[n] for n in sharded])
        whole = _from_squares(torch.stack(squares))
        for n, size, scale in zip(sharded, whole.size, whole.scale, strict=True):
            sizes[n], scales[n] = size, scale
    if not sizes:
        sizes, scales = [zero], [zero + 1]
    return Norm(torch.stack(sizes), torch.stack(scales))


def _squares(norms: Norm) -> Tensor:
    """Return squares ``[n, 3]`` that can be added: a column for each scale."""
    squares, scales = norms.size.square(), _every_scale(norms.size.dtype)
    return torch.stack([torch.where(norms.scale == s, squares, 0.0) for s in scales], -1)


def _from_squares(squares: Tensor) -> Norm:
    scales = [torch.full_like(squares[:, 0], s) for s in _every_scale(squares.dtype)]
    return together(Norm(squares.sqrt(), torch.stack(scales, -1)))


def _every_scale(dtype: torch.dtype) -> tuple[float, float, float]:
    _, large, small = _SCALES[dtype]
    return 1.0, 2.0**large, 2.0**small


def sum_over_meshes(rows: Sequence[Tensor], like: Sequence[Any]) -> list[Tensor]:
    """Add up what the processes have of several DTensors: one reduction per mesh and dimension.

    Args:
      rows: one number or one row for each DTensor, all of one shape, dtype and device.
      like: the DTensors. A copy counts once; of partial sums ``rows`` already has the sum.
    """
    from torch import distributed

    summed, meshes = list(rows), dict[Any, list[int]]()
    for n, tensor in enumerate(like):
        meshes.setdefault(tensor.device_mesh, []).append(n)
    for mesh, places in meshes.items():
        here = mesh.get_coordinate()
        if here is None:  # this process has no part in them
            continue
        split = {
            n: {
                d
                for d, placement in enumerate(like[n].placements)
                if not (placement.is_replicate() or placement.is_partial())
            }
            for n in places
        }
        dims = [d for d in sorted(set().union(*split.values())) if mesh.size(d) > 1]
        if not dims:
            continue
        zero = torch.zeros_like(rows[0])
        mine = {n: all(d in split[n] or here[d] == 0 for d in dims) for n in places}
        block = torch.stack([rows[n] if mine[n] else zero for n in places])
        device = block.device
        block = block if device.type == mesh.device_type else block.to(mesh.device_type)
        for d in dims:
            distributed.all_reduce(block, group=mesh.get_group(d))
        for n, row in zip(places, block.to(device), strict=True):
            summed[n] = row
    return summed


def real_entries(g: Tensor) -> Tensor:
    """Return the entries of a gradient that this process has, as real numbers to be read.

    A complex number becomes two (the norm is that of ``|z|``), repeated indices of a sparse tensor
    are added up, and what is narrower than 16 bits becomes float32.
    """
    if is_sharded(g):
        placements: Any = g.placements
        if any(p.is_partial() for p in placements):
            from torch.distributed.tensor import Replicate

            to = [Replicate() if p.is_partial() else p for p in placements]
            g = g.redistribute(placements=to)
        g = g.to_local()
    if g.layout == torch.sparse_coo:
        g = g.coalesce().values()
    g = real_parts(g)
    return g.float() if is_narrow(g.dtype) else g


def real_memory(g: Tensor) -> Tensor:
    """Return the memory of a gradient in this process, to be multiplied: a real tensor."""
    if is_sharded(g):
        g = g.to_local()
    return real_parts(g._values() if g.layout == torch.sparse_coo else g)


def real_parts(x: Tensor) -> Tensor:
    """Return a view of a complex tensor as real and imaginary parts, in one more dimension."""
    if not x.is_complex():
        return x
    # Conjugates have the same norms, and a real factor does the same to them.
    return torch.view_as_real(x.conj() if x.is_conj() else x)


def is_narrow(dtype: torch.dtype) -> bool:
    """Tell whether a float dtype has less than 16 bits: it has no arithmetic of its own."""
    return bool(dtype.is_floating_point and dtype.itemsize < 2)


def _plain(tensors: Sequence[Any]) -> Tensor:
    """Norms in float64 of dense tensors of one device and dtype that is narrower: ``[n]``.

    They take one call for all, which on a GPU converts as it reads. A processor converts a whole tensor
    first, which takes three times as long, so there float32 is tried, in pieces, because one sum of
    float32 over all has few right digits. Float64 is for what overflowed or underflowed.
    """
    if not all(map(is_known, tensors)):
        return torch.stack(torch._foreach_norm(tensors, 2, dtype=torch.float64))
    pieces, ends = list[Tensor](), [0]
    for tensor in tensors:
        pieces += (
            torch.unsafe_split(tensor.reshape(-1), CHUNK) if tensor.numel() > CHUNK else [tensor]
        )
        ends.append(len(pieces))
    # In Python: a step has other things in the cache, and each of a library's functions costs 10 us then.
    sizes = torch.stack(torch._foreach_norm(pieces, 2, dtype=torch.float32)).tolist()
    doubtful = [n for n, size in enumerate(sizes) if not LEAST < size < math.inf]
    if doubtful:
        again = torch._foreach_norm([pieces[n] for n in doubtful], 2, dtype=torch.float64)
        for n, size in zip(doubtful, again, strict=True):
            sizes[n] = size.item()
    whole = [math.hypot(*sizes[start:end]) for start, end in pairwise(ends)]
    return torch.from_numpy(np.array(whole))


def is_known(tensor: Tensor) -> bool:
    """Tell whether numbers can be looked at without waiting for a device: a processor has them."""
    plain = type(tensor) in (Tensor, torch.nn.Parameter)
    return plain and tensor.device.type == "cpu" and not torch.compiler.is_compiling()


def together(norms: Norm) -> Norm:
    """Combine norms along the last dimension into the norm of all of them."""
    if isinstance(norms.scale, float):
        return Norm(torch.linalg.vector_norm(norms.size, dim=-1), norms.scale)
    top = torch.where(norms.size == 0, torch.zeros_like(norms.scale), norms.scale).amax(-1)
    top = torch.where(top == 0, torch.ones_like(top), top)
    shares = norms.size * (norms.scale / top.unsqueeze(-1))
    return Norm(torch.linalg.vector_norm(shares, dim=-1), top)


def is_sharded(tensor: Any) -> bool:
    """Tell whether a tensor is a DTensor, as FSDP2's gradients are."""
    plain = type(tensor) in (Tensor, torch.nn.Parameter)  # which is quick to find out
    return not plain and hasattr(tensor, "full_tensor") and hasattr(tensor, "to_local")
