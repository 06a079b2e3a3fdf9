"""Clip by a Euclidean norm that neither overflows nor underflows, in Keras' operations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

SCALES = {"float32": (2.0**40, 2.0**-84, 2.0**88), "float64": (2.0**300, 2.0**-660, 2.0**650)}
"""Beyond the first number entries are multiplied by the second, and below its inverse by the third."""


def clip_by_global_norm(
    grads: Sequence[Any], limit: Any, groups: Sequence[int], count: int
) -> tuple[list[Any], Any]:
    """Clip gradients by the norm of all of them together.

    Args:
      grads: float tensors; on TensorFlow also ``IndexedSlices``, whose repeated rows are added up
        for the norm.
      limit: a number or float ``[]``, from 0 to inf.
      groups: for each gradient the number of its group.
      count: how many groups there are, G.

    Returns:
      The gradients, within the limit bit for bit; and the norms before, ``[1 + G]``, in float32 at
      least: of all of them, and of the groups. A norm that is inf or NaN makes every entry NaN,
      unless the limit is inf.
    """
    dtypes = [keras.backend.standardize_dtype(g.dtype) for g in grads]
    wide = "float64" if "float64" in dtypes else "float32"
    # + 0 adds up the rows of a gradient that TensorFlow keeps apart.
    dense = [ops.add(g, 0) if type(g).__name__ == "IndexedSlices" else g for g in grads]
    each = _norm_of_each([ops.cast(g, wide) for g in dense], wide)
    rows = [[True] * len(grads), *([group == g for group in groups] for g in range(count))]
    norms = _norm(ops.where(np.array(rows), each, 0), wide, axis=1)
    norm, limit = norms[0], ops.cast(limit, wide)
    within = ops.logical_or(norm <= limit, limit == math.inf)
    target = ops.where(ops.isfinite(norm), limit, math.nan)
    factor = ops.where(within, 1, target / ops.where(within, 1, norm))
    return [_times(g, factor, dtype) for g, dtype in zip(grads, dtypes, strict=True)], norms


def _times(g: Any, factor: Any, dtype: str) -> Any:
    if dtype == keras.backend.standardize_dtype(factor.dtype):
        return ops.multiply(g, factor)
    return ops.cast(ops.cast(g, factor.dtype) * factor, dtype)


def _norm_of_each(leaves: list[Any], dtype: str) -> Any:
    """Return the norms of arrays, ``[n]``, which are read again only where squares may be lost."""
    if keras.backend.backend() == "torch":  # where a branch would wait for the device
        from scaleclip.torch._norms import norm_of_each

        return ops.cast(norm_of_each(leaves, leaves, leaves[0].device).value, dtype)
    squares = ops.stack([ops.sum(ops.square(x)) for x in leaves])
    limits = np.finfo(dtype)
    least = sum(math.prod(x.shape) for x in leaves) * float(limits.tiny / limits.eps)
    total = ops.sum(squares)
    rare = ops.logical_or(total > float(limits.max), total < least)
    return ops.cond(
        rare, lambda: ops.stack([_norm(x, dtype) for x in leaves]), lambda: ops.sqrt(squares)
    )


def _norm(x: Any, dtype: str, axis: int | None = None) -> Any:
    safe, large, small = (ops.convert_to_tensor(number, dtype) for number in SCALES[dtype])
    most = ops.max(ops.abs(x), axis=axis, keepdims=True, initial=0)
    by = ops.where(most > safe, large, ops.where(most < 1 / safe, small, ops.ones_like(most)))
    return ops.sqrt(ops.sum(ops.square(x * by), axis=axis)) / ops.squeeze(by)
