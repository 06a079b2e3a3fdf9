"""At a tensor in PyTorch: the value passes unchanged, the gradient that flows back is changed.

All three work under ``torch.func.grad`` and ``torch.func.vmap``, and in ``torch.compile``. What
has no gradient (integers, booleans) passes through. The result is a view: PyTorch refuses to
change it in place, as it would change ``x``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from scaleclip.torch._arguments import (
    Number,
    dense_tensor,
    dims_of,
    has_gradient,
    interval,
    norm_limit,
    on_device,
    real_number,
    real_tensor,
)
from scaleclip.torch._norms import cut, is_narrow, norm_over, real_parts, working_dtype


def scale_gradient(x: Tensor, scale: Number) -> Tensor:
    """Return ``x`` unchanged; multiply the gradient that flows back through it by ``scale``.

    >>> import torch
    >>> from scaleclip.torch import scale_gradient
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (scale_gradient(x, 0.5) ** 2).sum().backward()  # the gradient is [6, 8]
    >>> x.grad
    tensor([3., 4.])

    Forward ``y = x``, tangent ``dy = scale * dx``, cotangent ``x_bar = scale * y_bar``.

    The value is the one that was given, bit for bit. ``scale = 1`` is the identity, 0 is
    ``detach`` (with a gradient of zeros), a negative scale reverses. A second derivative meets
    the operator twice and is multiplied by ``scale ** 2``. ``torch.func.jvp`` works, too, but
    not ``torch.autograd.forward_ad`` by itself, which wants a view of the tangent.

    Args:
      x: a tensor, float or complex, of any shape.
      scale: a real number or a real tensor of shape ``[]``, in (-inf, inf). The value's
        derivative with respect to it is 0; the gradient that comes back does depend on it.

    Returns:
      A tensor like ``x``: the same values, shape and dtype.

    Raises:
      TypeError: if ``x`` isn't a dense tensor, or ``scale`` isn't a real number.
      ValueError: if ``scale`` is a tensor of another shape than ``[]``.

    Source: as ``scaleclip.ops.scale_gradient``. ``h.register_hook(lambda g: scale * g)`` does the
      same to the gradient of a tensor that is not a leaf, not under ``torch.func``.
    """
    factor = real_number(scale, "scale")
    if not has_gradient(dense_tensor(x, "x")):
        return x
    # The compiler takes no function with a rule for tangents.
    function = _Scale if torch.compiler.is_compiling() else _ScaleBothWays
    scaled: Tensor = function.apply(x, factor)
    return scaled


def clip_gradient(x: Tensor, minimum: Number, maximum: Number) -> Tensor:
    """Return ``x`` unchanged; clip each entry of the gradient that flows back through it.

    >>> import torch
    >>> from scaleclip.torch import clip_gradient
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (clip_gradient(x, -7.0, 7.0) ** 2).sum().backward()  # the gradient is [6, 8]
    >>> x.grad
    tensor([6., 7.])

    Forward ``y = x``, cotangent ``x_bar = min(max(y_bar, minimum), maximum)``. NaN stays NaN, inf
    becomes the limit that it exceeds.

    A sparse gradient, as of an embedding's weight, is clipped after repeated rows were added up. It
    stays sparse where both limits are Python numbers with 0 between them, else it becomes dense.

    Clipping is not linear, so there is no forward mode, nor ``torch.func.hessian``, which needs
    it: PyTorch refuses both. A second derivative, by ``create_graph=True`` or
    ``torch.func.jacrev`` twice, differentiates the clip (1 within the limits and at them, 0
    beyond), and what flows back through ``x`` on that way is clipped, too;
    ``scaleclip.ops.clip_gradient`` does not clip it again.

    Args:
      x: a real tensor of any shape.
      minimum: a real number or a real tensor of shape ``[]``; -inf for no limit.
      maximum: the same, not less than ``minimum``; inf for no limit. Tensors in the wrong
        order, or NaN, make every entry of the gradient NaN.

    Returns:
      A tensor like ``x``: the same values, shape and dtype, bit for bit.

    Raises:
      TypeError: if ``x`` isn't a dense tensor or is complex, or a limit isn't a real number.
      ValueError: if a limit is not a scalar, or NaN, or ``minimum`` is greater than ``maximum``.

    Source: as ``scaleclip.ops.clip_gradient``.
    """
    lower, upper = interval(minimum, maximum)
    if not real_tensor(x, "x").is_floating_point():
        return x
    clipped: Tensor = _Clip.apply(x, lower, upper)
    return clipped


def clip_gradient_norm(
    x: Tensor, max_norm: Number, dim: int | Sequence[int] | None = None
) -> Tensor:
    """Return ``x`` unchanged; shorten the gradient that flows back through it to ``max_norm``.

    >>> import torch
    >>> from scaleclip.torch import clip_gradient_norm
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (clip_gradient_norm(x, 5.0) ** 2).sum().backward()  # the gradient is [6, 8]
    >>> x.grad
    tensor([3., 4.])

    Forward ``y = x``, cotangent ``x_bar = y_bar * min(1, max_norm / norm(y_bar))``, with the
    Euclidean norm of the cotangent over ``dim``. The direction over these dimensions is kept.
    With ``dim=None`` the norm of a batch of states ``[B, D]`` depends on all of them; ``dim=-1``
    shortens each example's gradient by itself.

    Norms are computed in float32, of float64 in float64; no square overflows or underflows. Complex
    entries count with ``|z|``. A sparse gradient stays sparse with ``dim=None``, else it becomes
    dense; repeated rows are added up. What
    is within the limit comes back bit for bit, a zero gradient stays zero, and inf or NaN makes
    NaN of all entries that share its norm (with a limit of inf everything passes).
    Derivatives are as in ``clip_gradient``.

    Args:
      x: a tensor, float or complex, of any shape.
      max_norm: a real number or a real tensor of shape ``[]``, from 0 (which lets nothing
        through) to inf (no limit). A tensor that is negative or NaN makes the gradient NaN.
      dim: a dimension, several, or None for all.

    Returns:
      A tensor like ``x``: the same values, shape and dtype, bit for bit.

    Raises:
      TypeError: if ``x`` isn't a dense tensor, or ``max_norm`` isn't a real number.
      ValueError: if ``max_norm`` is not a scalar, or negative or NaN, or ``x`` has no such
        dimension.

    Source: as ``scaleclip.ops.clip_gradient_norm``.
    """
    limit = norm_limit(max_norm, "max_norm")
    over = dims_of(dense_tensor(x, "x").shape, dim, "x")
    if not has_gradient(x):
        return x
    shortened: Tensor = _ClipNorm.apply(x, limit, over)
    return shortened


class _AtTensor(torch.autograd.Function):  # type: ignore[misc]
    """The identity, and a rule for the cotangent: ``back(y_bar, *limits)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, *limits: Any) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        limits = inputs[1:]
        # Tensors are saved as such: what comes back has a derivative with respect to them.
        tensors = [limit for limit in limits if isinstance(limit, Tensor)]
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.numbers = [None if isinstance(limit, Tensor) else limit for limit in limits]

    @staticmethod
    def limits(ctx: Any) -> list[Any]:
        saved = iter(ctx.saved_tensors)
        return [next(saved) if number is None else number for number in ctx.numbers]


def _zeros(limits: list[Any]) -> list[Tensor | None]:
    """The gradients of the limits, on which the value does not depend."""
    return [torch.zeros_like(limit) if isinstance(limit, Tensor) else None for limit in limits]


class _Scale(_AtTensor):
    @staticmethod
    def backward(ctx: Any, y_bar: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = limits = _AtTensor.limits(ctx)
        return _times(y_bar, scale), *_zeros(limits)


class _ScaleBothWays(_Scale):
    @staticmethod
    def jvp(ctx: Any, dx: Tensor, *_: Any) -> Tensor:
        return _times(dx, _AtTensor.limits(ctx)[0])


def _times(x: Tensor, scale: Number) -> Tensor:
    return (x.float() * scale).to(x.dtype) if is_narrow(x.dtype) else x * scale


class _Clip(_AtTensor):
    @staticmethod
    def backward(ctx: Any, y_bar: Tensor) -> tuple[Tensor | None, ...]:
        limits = _AtTensor.limits(ctx)
        lower, upper = limits
        numbers = isinstance(lower, float) and isinstance(upper, float)

        def clip(y_bar: Tensor) -> Tensor:
            wide = y_bar.float() if is_narrow(y_bar.dtype) else y_bar
            ends = [on_device(end, wide.dtype, wide.device) for end in limits]
            return clip_entries(wide, *ends).to(y_bar.dtype)

        return _on_entries(clip, y_bar, numbers and lower <= 0 <= upper), *_zeros(limits)


class _ClipNorm(_AtTensor):
    @staticmethod
    def backward(ctx: Any, y_bar: Tensor) -> tuple[Tensor | None, ...]:
        limits = _AtTensor.limits(ctx)
        over = limits[1]
        whole = over == tuple(range(y_bar.dim()))

        def clip(y_bar: Tensor) -> Tensor:
            dims = tuple(range(y_bar.dim())) if whole else over
            parts = real_parts(y_bar.resolve_conj())
            if y_bar.is_complex():
                dims = (*dims, parts.dim() - 1)
            limit = on_device(limits[0], working_dtype(parts.dtype), y_bar.device)
            shortened = cut(parts, norm_over(parts, dims), limit)
            return torch.view_as_complex(shortened) if y_bar.is_complex() else shortened

        return _on_entries(clip, y_bar, whole), *_zeros(limits)


def _on_entries(f: Callable[[Tensor], Tensor], g: Tensor, sparse: bool) -> Tensor:
    """Apply a function to a gradient; to the entries alone of a sparse one, if it keeps zeros 0."""
    # The compiler doesn't let a backward pass ask for the layout.
    if torch.compiler.is_compiling() or g.layout == torch.strided:
        return f(g)
    if g.layout != torch.sparse_coo or not sparse:
        return f(g.to_dense())
    g = g.coalesce()
    values = f(g.values())
    return torch.sparse_coo_tensor(
        g.indices(), values, g.shape, is_coalesced=True, check_invariants=False
    )


def clip_entries(x: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
    """Clip entries to [lower, upper], derivative 1 there and 0 beyond; NaN where an end is."""
    inside = torch.where(x < lower, lower, torch.where(x > upper, upper, x))
    return torch.where(lower <= upper, inside, torch.full_like(inside, torch.nan))
