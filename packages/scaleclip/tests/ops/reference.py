"""Norms and shortened vectors in NumPy and float64, and how near to them a dtype can be."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from tests.tiers import some_now

FLOATS = [jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64]
EACH_FLOAT = pytest.mark.parametrize("dtype", some_now(FLOATS, jnp.float16, jnp.float64))
"""Each dtype: the one that overflows first and the one of the chapters each time."""


def bits(x: Any) -> bytes:
    """The bytes of an array: equal for equal arrays, NaN and the sign of 0 included."""
    return np.asarray(x).tobytes()


def normal(*shape: int, seed: int = 1, dtype: Any = jnp.float64) -> Any:
    """Normal numbers. NumPy's, because JAX compiles a program for every shape."""
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape).astype(dtype))


def rounding(dtype: Any) -> float:
    """A relative error that a few operations in a dtype may make: of 8 units in the last place."""
    return 8 * float(jnp.finfo(dtype).eps)


def least(dtype: Any) -> float:
    """An absolute error that a result may have at the lower end of a dtype's range."""
    limits = jnp.finfo(dtype)
    # JAX makes zeros of subnormal numbers, but not of float16's, for which it uses float32.
    half = dtype == jnp.float16
    return 2 * float(limits.smallest_subnormal if half else limits.tiny)


def norm64(*arrays: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The Euclidean norm of arrays taken together, in float64, without overflow."""
    wide = [np.asarray(array).astype(np.float64) for array in arrays]
    largest = max((np.max(np.abs(array)) for array in wide if array.size), default=0.0)
    if largest == 0 or not np.isfinite(largest):
        largest = 1.0
    squares = sum(np.sum((a / largest) ** 2, axis=axis, keepdims=keepdims) for a in wide)
    with np.errstate(over="ignore"):
        return np.sqrt(squares) * largest


def shortened(g: Any, limit: Any, axis: Any = None, norm: Any = None) -> Any:
    """``g * min(1, limit / norm)`` in float64."""
    wide = np.asarray(g).astype(np.float64)
    n = norm64(wide, axis=axis, keepdims=True) if norm is None else norm
    n, limit = np.broadcast_arrays(n, np.asarray(limit, np.float64))
    return wide / np.where(n > limit, n, 1) * np.where(n > limit, limit, 1)


def assert_close(given: Any, expected: Any, dtype: Any, name: str = "") -> None:
    """Assert a dtype, and values equal but for its rounding and its flush to zero."""
    assert given.dtype == dtype
    np.testing.assert_allclose(
        np.asarray(given).astype(np.float64),
        np.asarray(expected).astype(np.float64),
        rtol=rounding(dtype),
        atol=least(dtype),
        err_msg=name,
    )
