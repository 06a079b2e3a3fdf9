"""Max-norm for PyTorch's weights: in place, after the optimizer's step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, get_args

import torch
from torch import Tensor

from scaleclip.torch._arguments import (
    Number,
    describe,
    dims_of,
    has_gradient,
    norm_limit,
    on_device,
    real_tensor,
)
from scaleclip.torch._norms import cut, norm_over, working_dtype

Layout = Literal["out_in", "in_out"]
Where = Callable[[str, Tensor], bool]
Weights = TypeVar("Weights")


def max_norm_(
    weights: Weights,
    limit: Number,
    *,
    dim: int | Sequence[int] | None = None,
    layout: Layout | None = None,
    where: Where | None = None,
) -> Weights:
    """Cut every column of weights that is longer than ``limit`` to it, in place.

    >>> import torch
    >>> from scaleclip.torch import max_norm_
    >>> max_norm_(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), 2.5)
    tensor([[1.5000, 2.0000],
            [0.3000, 0.4000]])

    A column is the weights that lead to one unit. In a module each of PyTorch's own layers is
    read as it is laid out, transposed convolutions ``[in, out, ...]`` too; other kernels, and a
    tensor, are taken to have their units first, ``[out, in, ...]``. In a module vectors and scalars (biases, the scales of
    LayerNorm) are left alone, unless ``where`` selects them.

    ``w -> w * min(n, limit) / n`` with n the Euclidean norm of a column: the projection onto
    ``n <= limit``. A column below the cap is not moved, bit for bit, and a zero column stays
    zero. Norms are computed in float32 at least, and no square overflows or underflows. inf or
    NaN makes its column NaN (with a limit of inf everything stays).

    Call it after ``optimizer.step()``. Nothing waits for the device. DTensors are constrained as
    the whole that they are part of: every process must call it.

    Args:
      weights: a module, or one tensor, which is constrained in any case, a vector as one column.
      limit: the cap, a real number or a real tensor of shape ``[]``, from 0 to inf. A tensor that
        is negative or NaN makes every entry NaN.
      dim: the dimensions that one column extends over, in place of a layout: 1 for an embedding
        ``[words, features]``, ``(0, 2, 3)`` for the tensor of a transposed convolution.
      layout: of all kernels, whatever their layers. ``"out_in"``: a column extends over all
        dimensions but the first. ``"in_out"``: over all but the last.
      where: ``where(name, parameter) -> bool`` selects a module's parameters, by a name such as
        ``"layers.0.weight"``. A vector that it selects is one column.

    Returns:
      ``weights``.

    Raises:
      TypeError: if ``weights`` is neither a module nor a dense float tensor, a parameter that is
        selected is complex or sparse, or ``limit`` is not a real number.
      ValueError: if ``limit`` is not a scalar, or negative or NaN; if there is no such ``layout``,
        or ``dim`` is given too; if a parameter has no such dimension; if no
        parameter is selected; if a module without ``where`` or ``dim`` has one that may be a bias
        or a kernel (``[out, 1]``, ``[out, 1, 1]``) or, with the units last, a convolution's or
        attention's (three dimensions).

    Source: as ``scaleclip.ops.max_norm``. ``torch.renorm(w, 2, 0, limit)`` adds 1e-7 to the norm.
    """
    cap = norm_limit(limit, "limit")
    check_layout(layout, dim)
    guessed = isinstance(weights, torch.nn.Module) and where is None
    free = dim is None and layout is None
    columns = {
        name: (free and _of_layer(weights, name, w))
        or _columns(name, w, dim, layout or "out_in", guessed)
        for name, w in _selected(weights, where).items()
    }
    with torch.no_grad():
        for w, over in columns.values():
            bound = on_device(cap, working_dtype(w.dtype), w.device)
            w.copy_(cut(w, norm_over(w, over), bound))
    return weights


def check_layout(layout: Any, dim: Any = None) -> None:
    """Refuse what is no layout, and one beside dimensions.

    Raises:
      ValueError: it says what was given.
    """
    if layout is None:
        return
    if layout not in get_args(Layout):
        raise ValueError(
            "layout must be 'out_in', outputs first, for [out, in] and OIHW as in PyTorch, or "
            f"'in_out', outputs last, for [in, out] and HWIO, but {layout!r} was given."
        )
    if dim is not None:
        raise ValueError(
            f"dim = {dim!r} and layout = {layout!r} were given. Give one of them: both say "
            "over which dimensions the weights of one unit extend."
        )


_NO_KERNEL = (
    "weights has no parameter of two dimensions or more. Vectors and scalars in a module are left "
    "alone, as biases and scales: say by where=lambda name, parameter: ... which to constrain."
)


def _selected(weights: Any, where: Where | None) -> dict[str, Tensor]:
    if isinstance(weights, torch.nn.Module):
        named = {n: p for n, p in weights.named_parameters() if has_gradient(p)}
        chosen = {
            name: real_tensor(p, name)
            for name, p in named.items()
            if (where(name, p) if where else p.dim() > 1)
        }
    else:
        w = real_tensor(weights, "weights")
        if not w.is_floating_point():
            raise TypeError(f"weights must be floats, but {describe(weights)} was given.")
        named = {"weights": w}
        chosen = {name: w for name, w in named.items() if where is None or where(name, w)}
    if named and not chosen:
        names = ", ".join(map(repr, list(named)[:6])) + (", ..." if len(named) > 6 else "")
        first = "where selects no parameter." if where else _NO_KERNEL
        raise ValueError(f"{first} The names are {names}.")
    return chosen


def _of_layer(weights: Any, name: str, w: Tensor) -> tuple[Tensor, tuple[int, ...]] | None:
    """Return the columns of a kernel of one of PyTorch's own layers, by the layer's type."""
    if not isinstance(weights, torch.nn.Module) or w.dim() < 2:
        return None
    path, _, own = name.rpartition(".")
    layer = weights.get_submodule(path)
    if not isinstance(layer, _LAYERS) or "weight" not in own:
        return None
    if isinstance(layer, _TRANSPOSED):  # [in, out / groups, ...]
        if layer.groups == 1:
            return w, (0, *range(2, w.dim()))
        grouped = w.detach().unflatten(0, (layer.groups, -1))  # a group's inputs are side by side
        return grouped, (1, *range(3, grouped.dim()))
    return w, tuple(range(1, w.dim()))


_TRANSPOSED = (torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d, torch.nn.ConvTranspose3d)
_LAYERS = (
    torch.nn.Linear,
    torch.nn.Bilinear,
    torch.nn.Conv1d,
    torch.nn.Conv2d,
    torch.nn.Conv3d,
    *_TRANSPOSED,
    torch.nn.Embedding,
    torch.nn.EmbeddingBag,
    torch.nn.RNNBase,
    torch.nn.RNNCellBase,
    torch.nn.MultiheadAttention,
)


def _columns(
    name: str, w: Tensor, dim: Any, layout: Layout, guessed: bool
) -> tuple[Tensor, tuple[int, ...]]:
    if dim is not None:
        return w, dims_of(w.shape, dim, name)
    if w.dim() < 2:
        return w, tuple(range(w.dim()))
    over = tuple(range(1, w.dim())) if layout == "out_in" else tuple(range(w.dim() - 1))
    if not guessed:
        return w, over
    if math.prod(w.shape[d] for d in over) == 1:
        either = "a bias, or a kernel of one input"
    elif w.dim() == 3 and layout == "in_out":
        either = "a convolution's [width, in, out], or attention's [in, heads, features]"
    else:
        return w, over
    raise ValueError(
        f"{name} has the shape {tuple(w.shape)}. It may be {either}. Say by "
        "where=lambda name, parameter: ... which to constrain, and give those with other "
        "dimensions a call with their dim."
    )
