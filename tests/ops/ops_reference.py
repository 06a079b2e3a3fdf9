"""The operators once more, in NumPy and float64, one line of mathematics each."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

FLOATS = [jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64]


def bits(x: Any) -> bytes:
    """The bytes of an array: equal for equal arrays, NaN and the sign of 0 included."""
    return np.asarray(x).tobytes()


def rounding(dtype: Any) -> float:
    """A relative error that a few operations in a dtype may make: of 8 units in the last place."""
    return 8 * float(jnp.finfo(dtype).eps)


def norm64(*arrays: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The Euclidean norm of arrays taken together, in float64, without overflow."""
    wide = [np.asarray(array).astype(np.float64) for array in arrays]
    largest = max((np.max(np.abs(array)) for array in wide if array.size), default=0.0)
    if largest == 0 or not np.isfinite(largest):
        largest = 1.0
    squares = sum(np.sum((a / largest) ** 2, axis=axis, keepdims=keepdims) for a in wide)
    return np.sqrt(squares) * largest


def shortened(g: Any, limit: Any, axis: Any = None, norm: Any = None) -> Any:
    """``g * min(1, limit / norm)`` in float64."""
    wide = np.asarray(g).astype(np.float64)
    n = norm64(wide, axis=axis, keepdims=True) if norm is None else norm
    n, limit = np.broadcast_arrays(n, np.asarray(limit, np.float64))
    return wide / np.where(n > limit, n, 1) * np.where(n > limit, limit, 1)


def assert_close(given: Any, expected: Any, dtype: Any, name: str = "") -> None:
    """Asserts a dtype, and values equal but for its rounding and its flush to zero."""
    assert given.dtype == dtype
    limits = jnp.finfo(dtype)
    np.testing.assert_allclose(
        np.asarray(given).astype(np.float64),
        np.asarray(expected).astype(np.float64),
        rtol=rounding(dtype),
        atol=2 * float(limits.tiny),
        err_msg=name,
    )
