"""Arguments of the operators for PyTorch: tensors, and numbers beside them.

A number may be a tensor of shape ``[]``. It is not looked at, because that would wait for the
device: one that is out of its range makes NaN, where a Python number is refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from scaleclip._words import Nonfinite as Nonfinite
from scaleclip._words import check_choice as check_choice
from scaleclip._words import describe as describe

Number: TypeAlias = float | Tensor


def real_number(value: Any, name: str) -> Number:
    """Return a real number as a Python float, or as the tensor of shape ``[]`` that it is.

    Raises:
      TypeError: if it is not a real number (a bool is not one here).
      ValueError: if it is a tensor or an array of another shape than ``[]``.
    """
    if isinstance(value, Tensor):
        real = value.dtype != torch.bool and not value.is_complex()
    else:
        real = isinstance(value, (int, float)) and not isinstance(value, bool)
        if isinstance(value, (np.ndarray, np.generic)):
            real = value.dtype.kind in "fiu"
    if not real:
        raise TypeError(f"{name} must be one real number, but {describe(value)} was given.")
    if isinstance(value, (Tensor, np.ndarray)) and tuple(value.shape) != ():
        raise ValueError(
            f"{name} must be a scalar, but {describe(value)} was given. "
            "For one value per example, use torch.func.vmap."
        )
    if isinstance(value, Tensor):
        return value
    try:
        return float(value)
    except OverflowError:  # an integer that no float can hold
        return math.copysign(math.inf, value)


def norm_limit(value: Any, name: str) -> Number:
    """Return a limit of a norm, from 0 to inf.

    Raises:
      TypeError: if it is not a real number.
      ValueError: if it isn't a scalar, or is a Python number that is negative or NaN.
    """
    if value is None:
        raise TypeError(
            f"{name} must be one real number, but None was given: for no limit math.inf."
        )
    limit = real_number(value, name)
    if not isinstance(limit, Tensor) and not limit >= 0:
        raise ValueError(f"{name} must be 0 or more, but {limit} was given.")
    return limit


def interval(minimum: Any, maximum: Any) -> tuple[Number, Number]:
    """Return the two ends of an interval.

    Raises:
      TypeError: if one is not a real number.
      ValueError: if one isn't a scalar, or is a Python number that is NaN, or both are Python
        numbers in the wrong order.
    """
    ends = real_number(minimum, "minimum"), real_number(maximum, "maximum")
    for end, name in zip(ends, ("minimum", "maximum"), strict=True):
        if not isinstance(end, Tensor) and math.isnan(end):
            raise ValueError(f"{name} must be a number, but nan was given.")
    lower, upper = ends
    if not isinstance(lower, Tensor) and not isinstance(upper, Tensor) and lower > upper:
        raise ValueError(
            f"minimum must not be greater than maximum, but minimum = {lower} and "
            f"maximum = {upper} were given."
        )
    return ends


def on_device(value: Number, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Put a number on a device as a tensor of shape ``[]``, rounded to a dtype."""
    if isinstance(value, Tensor):
        return value.to(device=device, dtype=dtype)
    wide = wide_dtype(device)
    if abs(value) > torch.finfo(wide).max:
        value = math.copysign(math.inf, value)
    # Filled there: a number that is copied there would be waited for.
    return torch.full((), value, dtype=wide, device=device).to(dtype)


def wide_dtype(device: torch.device) -> torch.dtype:
    """Return the dtype in which norms are kept: float64 where the device surely has it."""
    return torch.float64 if device.type in ("cpu", "cuda", "meta") else torch.float32


def dense_tensor(value: Any, name: str) -> Tensor:
    """Return a tensor that is dense.

    Raises:
      TypeError: if it isn't a tensor, or is sparse.
    """
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a tensor, but {describe(value)} was given.")
    if value.layout != torch.strided:
        raise TypeError(
            f"{name} must be a dense tensor, but one with the layout {value.layout} was given. "
            f"Give {name}.to_dense(), or apply the operator to {name}.values()."
        )
    return value


def has_gradient(tensor: Tensor) -> bool:
    """Tell whether a tensor can have a gradient: floats and complex numbers can, integers can't."""
    return bool(tensor.is_floating_point() or tensor.is_complex())


def real_tensor(value: Any, name: str) -> Tensor:
    """Return a tensor that is real and dense.

    Raises:
      TypeError: if it isn't a tensor, or is complex or sparse.
    """
    if dense_tensor(value, name).is_complex():
        raise TypeError(
            f"{name} must be real, but {describe(value)} was given. "
            "torch.view_as_real shows its real and imaginary parts as one more dimension."
        )
    return value


def dims_of(shape: Sequence[int], dim: Any, name: str) -> tuple[int, ...]:
    """Return the dimensions that ``dim`` names, none negative and in order; all for None.

    Raises:
      TypeError: if ``dim`` is not an int, a sequence of them or None.
      ValueError: if there is no such dimension, or one is named twice.
    """
    count = len(shape)
    if dim is None:
        return tuple(range(count))
    given = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    if not all(isinstance(d, int) and not isinstance(d, bool) for d in given):
        raise TypeError(f"dim must be an int, a tuple of them or None, but {dim!r} was given.")
    if not all(-count <= d < count for d in given):
        raise ValueError(
            f"dim = {dim!r} was given, but {name} has the shape {tuple(shape)}, "
            f"with {count} dimensions."
        )
    named = tuple(sorted({d % count for d in given}))
    if len(named) < len(given):
        raise ValueError(f"dim = {dim!r} names a dimension of {name} twice. Name each once.")
    return named
