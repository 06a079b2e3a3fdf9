"""What the operators accept: pytrees of numbers, and scalars beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array


def describe(value: Any) -> str:
    """Says what ``value`` is, in a few words that fit into an error message."""
    if value is None:
        return "None"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"an array of shape {tuple(value.shape)} and dtype {value.dtype}"
    text = repr(value)
    if len(text) > 40:
        text = text[:37] + "..."
    return f"{text} ({type(value).__name__})"


def real_scalar(value: Any, name: str) -> Array:
    """Returns ``value`` as a real array of shape ``[]``; its weak type is kept.

    Args:
      value: a Python int or float, or an integer or float array of shape ``[]``, traced
        or not.
      name: what the error calls it.

    Raises:
      TypeError: if ``value`` is not a real number (a bool is not one here).
      ValueError: if ``value`` is an array of another shape than ``[]``.
    """
    is_array = isinstance(value, (np.ndarray, np.generic, jax.Array))
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_array and not is_number:
        raise TypeError(f"{name} must be one real number, but {describe(value)} was given.")
    if is_array and not (
        jnp.issubdtype(value.dtype, jnp.floating) or jnp.issubdtype(value.dtype, jnp.integer)
    ):
        raise TypeError(f"{name} must be one real number, but {describe(value)} was given.")
    if np.shape(value) != ():
        raise ValueError(
            f"{name} must be a scalar, but {describe(value)} was given. "
            "For one value per example, use jax.vmap."
        )
    return jnp.asarray(value)


def is_float(leaf: Any) -> bool:
    """Says whether a leaf carries a gradient: float and complex do, the rest does not.

    Raises:
      TypeError: if ``leaf`` is neither a number nor an array.
    """
    if isinstance(leaf, (bool, int)):
        return False
    if isinstance(leaf, (float, complex)):
        return True
    if not hasattr(leaf, "dtype") or not hasattr(leaf, "shape"):
        raise TypeError(
            f"x must be an array, a number or a pytree of them, but a leaf is {describe(leaf)}."
        )
    return bool(jnp.issubdtype(leaf.dtype, jnp.inexact))


def map_float_leaves(f: Callable[[Array], Array], x: Any) -> Any:
    """Applies ``f`` to every leaf that carries a gradient; other leaves pass through."""
    return jax.tree.map(lambda leaf: f(jnp.asarray(leaf)) if is_float(leaf) else leaf, x)
