"""Check the arguments of operators: pytrees of numbers, and scalars beside them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip._words import describe as describe


def real_scalar(value: Any, name: str) -> Array:
    """Convert a real number to an array of shape ``[]``; its weak type is kept.

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
    real = (jnp.floating, jnp.integer)
    if not is_number and not (is_array and any(jnp.issubdtype(value.dtype, t) for t in real)):
        raise TypeError(f"{name} must be one real number, but {describe(value)} was given.")
    if np.shape(value) != ():
        raise ValueError(
            f"{name} must be a scalar, but {describe(value)} was given. "
            "For one value per example, use jax.vmap."
        )
    if isinstance(value, int):
        value = float(value)  # which is never too large for an integer dtype
    elif isinstance(value, (np.ndarray, np.generic)) and jnp.issubdtype(value.dtype, jnp.integer):
        value = value.astype(np.float64)  # which JAX does not wrap around
    with np.errstate(over="ignore"):  # what is too large for the dtype is inf
        return jnp.asarray(value)


def is_float(leaf: Any) -> bool:
    """Tell whether a leaf carries a gradient: float and complex do, the rest does not.

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
    """Apply ``f`` to every leaf that carries a gradient; other leaves pass through."""
    return jax.tree.map(lambda leaf: f(jnp.asarray(leaf)) if is_float(leaf) else leaf, x)


def is_node_end(leaf: Any) -> bool:
    """Tell where a pytree ends for the operators: at None and at sparse arrays too."""
    return leaf is None or is_sparse(leaf)


def is_sparse(leaf: Any) -> bool:
    """Tell whether it is one of JAX's sparse arrays."""
    sparse = sys.modules.get("jax.experimental.sparse")  # not loaded, there are none
    return sparse is not None and isinstance(leaf, sparse.JAXSparse)


def float_leaf(leaf: Any, path: Any, name: str, *, real: bool = False) -> Array | None:
    """Convert a leaf of gradients or weights to an array; None for one that passes through.

    Raises:
      TypeError: if it is neither a number nor a dense array, or complex where it has to be real.
    """
    if leaf is None or isinstance(leaf, (bool, int)):
        return None
    if is_sparse(leaf):
        raise TypeError(
            f"{name}{path_str(path)} is sparse ({type(leaf).__name__} of shape {leaf.shape}), and its "
            "stored entries don't make its norm: an index may come twice. Give its .todense(), or "
            "leave it out by where= in scaleclip.transforms."
        )
    if not isinstance(leaf, (float, complex)) and not (
        hasattr(leaf, "dtype") and hasattr(leaf, "shape")
    ):
        raise TypeError(
            f"{name} must be an array, a number or a pytree of them, "
            f"but {name}{path_str(path)} is {describe(leaf)}. Keep apart what has no gradient, as "
            "eqx.partition(model, eqx.is_inexact_array) does."
        )
    is_complex = isinstance(leaf, complex) or jnp.issubdtype(
        getattr(leaf, "dtype", jnp.float32), jnp.complexfloating
    )
    if is_complex and real:
        raise TypeError(
            f"{name} must be real, but {name}{path_str(path)} is {describe(leaf)}: complex numbers "
            "have no order. Clip or constrain by a norm, or give the real and the imaginary part "
            "as two leaves."
        )
    if hasattr(leaf, "dtype") and not jnp.issubdtype(leaf.dtype, jnp.inexact):
        return None
    return jnp.asarray(leaf)


def float_leaves(
    tree: Any, name: str = "grads"
) -> tuple[list[tuple[Any, Array]], Callable[[Iterable[Array]], Any]]:
    """Return the float and complex leaves of a pytree with their paths, and what puts others in their place."""
    pairs, structure = jax.tree_util.tree_flatten_with_path(tree, is_leaf=is_node_end)
    arrays = [float_leaf(leaf, path, name) for path, leaf in pairs]

    def put_back(leaves: Iterable[Array]) -> Any:
        given = iter(leaves)
        every = [
            leaf if array is None else next(given)
            for array, (_, leaf) in zip(arrays, pairs, strict=True)
        ]
        return jax.tree.unflatten(structure, every)

    paths = [path for path, _ in pairs]
    return [(p, a) for p, a in zip(paths, arrays, strict=True) if a is not None], put_back


def path_str(path: Any) -> str:
    """Write a leaf's path in its pytree as Python does, such as ``['w'][0]``."""
    return str(jax.tree_util.keystr(path))


def concrete(value: Any) -> float | None:
    """Return a scalar's value where it is known; None where it is traced."""
    # NumPy's, because under jit jax.numpy would trace it.
    return None if isinstance(value, jax.core.Tracer) else float(np.asarray(value))


def scalar_in_range(value: Any, name: str, holds: Callable[[Any], Any], expected: str) -> Array:
    """Convert a number in some range to an array of shape ``[]``.

    Where it is traced and so not known, one that is out of the range becomes NaN.

    Args:
      value: the number.
      name: what the error calls it.
      holds: tells of a number, or a traced array, whether it is in the range.
      expected: the range, in words.

    Raises:
      TypeError: if it is not a real number.
      ValueError: if it is no scalar, or is known and out of the range.
    """
    scalar = real_scalar(value, name)
    number = concrete(value)
    if number is None:
        scalar = scalar.astype(jnp.result_type(scalar, float))
        return jnp.where(holds(scalar), scalar, jnp.nan)
    if not holds(number):
        raise ValueError(f"{name} must be {expected}, but {number} was given.")
    return scalar


def norm_limit(value: Any, name: str) -> Array:
    """Convert a limit of a norm, from 0 to inf, to an array of shape ``[]``.

    Where it is traced and so not known, one that is negative becomes NaN.

    Raises:
      TypeError: if it is not a real number.
      ValueError: if it is no scalar, or is known and negative or NaN.
    """
    return scalar_in_range(value, name, lambda limit: limit >= 0, "0 or more")


def interval(
    low: Any, high: Any, names: tuple[str, str] = ("minimum", "maximum")
) -> tuple[Array, Array]:
    """Convert the two ends of an interval to arrays of shape ``[]``.

    Where an end is traced, ends in the wrong order become NaN, both.

    Raises:
      TypeError: if one is not a real number.
      ValueError: if one is no scalar or known to be NaN, or both are known and in the
        wrong order.
    """
    ends = [real_scalar(end, name) for end, name in zip((low, high), names, strict=True)]
    numbers = [concrete(end) for end in (low, high)]
    for number, name in zip(numbers, names, strict=True):
        if number is not None and math.isnan(number):
            raise ValueError(f"{name} must be a number, but nan was given.")
    if None not in numbers:
        if numbers[0] > numbers[1]:  # type: ignore[operator]
            raise ValueError(
                f"{names[0]} must not be greater than {names[1]}, but {names[0]} = "
                f"{numbers[0]} and {names[1]} = {numbers[1]} were given."
            )
        return ends[0], ends[1]
    # Each keeps a dtype of its own: the other's may be too narrow for it.
    dtype = jnp.result_type(jnp.float32, *(end.dtype for end in ends))
    ordered = ends[0].astype(dtype) <= ends[1].astype(dtype)
    lower, upper = (
        jnp.where(ordered, end.astype(jnp.result_type(end, float)), jnp.nan) for end in ends
    )
    return lower, upper


def axes_of(leaf: Array, axis: int | Sequence[int] | None, path: Any, name: str) -> tuple[int, ...]:
    """Return the axes that ``axis`` names, none negative and in order; all for None.

    Raises:
      TypeError: if ``axis`` is not an int, a sequence of them or None.
      ValueError: if the leaf has no such axis, or one is named twice.
    """
    if axis is None:
        return tuple(range(leaf.ndim))
    given: tuple[Any, ...] = tuple(axis) if isinstance(axis, Sequence) else (axis,)
    if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in given):
        raise TypeError(f"axis must be an int, a tuple of them or None, but {axis!r} was given.")
    if not all(-leaf.ndim <= n < leaf.ndim for n in given):
        raise ValueError(
            f"axis = {axis} was given, but {name}{path_str(path)} has the shape "
            f"{leaf.shape}. Give each kind of leaf its own call, with its own axis."
        )
    named = sorted(int(n) % leaf.ndim for n in given)
    if len(set(named)) < len(named):
        raise ValueError(f"axis = {axis} names an axis of {name}{path_str(path)} twice.")
    return tuple(named)


def map_float_leaves_by_path(
    f: Callable[..., Array], tree: Any, name: str, *others: Any, real: bool = False
) -> Any:
    """Apply ``f(leaf, path, ...)`` to every float or complex leaf; the rest passes through.

    Args:
      f: takes a leaf as an array, its path and the leaves of ``others`` at that path.
      tree: a pytree; ``None``, integers and booleans in it pass through.
      name: what errors call it.
      *others: pytrees of the same structure; where ``tree`` has ``None`` they may have
        anything.
      real: refuse complex leaves.
    """

    def apply(path: Any, leaf: Any, *rest: Any) -> Any:
        array = float_leaf(leaf, path, name, real=real)
        return leaf if array is None else f(array, path, *rest)

    return jax.tree_util.tree_map_with_path(apply, tree, *others, is_leaf=is_node_end)
