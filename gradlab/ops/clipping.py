"""Clipping: what is longer than a limit is cut to it, the rest is left alone.

``clip_gradient`` and ``clip_gradient_norm`` stand at a tensor and act on what flows back
through it. The others act on gradients that have been taken.

What all the others share: leaves that are ``None``, integers or booleans pass through; the
dtype of each leaf is kept; within the limit the result is the input, bit for bit, and the
derivative the identity, at zero too; a norm is computed in float32 at least, and no square
overflows or underflows on the way to it; a limit of 0 makes zeros of what is finite, and inf
is no limit. All work under ``jax.jit``, ``jax.grad``, ``jax.jvp``, ``jax.vmap`` and
``jax.lax.scan``, with limits that may be traced, and are differentiated as written, with
respect to a limit too. ``nonfinite`` says what inf and NaN do:

- ``"propagate"``: every entry that shares a norm with one becomes NaN. (Where the limit is
  inf, what has inf and no NaN passes. A clip by value makes the limit of inf, and leaves NaN.)
- ``"zero"``: they become 0 before anything else is done.
- ``"raise"``: a FloatingPointError, refused with a ValueError where the function is traced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from gradlab.ops._arguments import (
    axes_of,
    describe,
    interval,
    known,
    limit_of_size,
    map_real_leaves,
    place,
    real_leaf,
    real_scalar,
)
from gradlab.ops._at_tensors import clip_gradient, clip_gradient_norm, clipped
from gradlab.ops._nonfinite import Nonfinite, check_choice, treat
from gradlab.ops._norms import Norm, joint_norm, shorten, shorten_together, working_dtype

__all__ = [
    "clip_adaptively",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_rms",
    "clip_by_value",
    "clip_gradient",
    "clip_gradient_norm",
    "clip_per_example",
    "global_norm",
]


def clip_by_value(
    grads: Any, minimum: ArrayLike, maximum: ArrayLike, *, nonfinite: Nonfinite = "propagate"
) -> Any:
    """Returns the gradients with every entry cut to ``[minimum, maximum]``.

    ``g -> min(max(g, minimum), maximum)``. The direction is not kept. The derivative is 1
    within the interval and at its ends, 0 beyond.

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      minimum: a real number or a real array of shape ``[]``; -inf for no limit.
      maximum: the same, not less than ``minimum``; inf for no limit.
      nonfinite: see the module; ``"propagate"`` makes the limit of inf and leaves NaN.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if a limit is not a real number, or a leaf complex or not numeric.
      ValueError: if a limit is not a scalar, or is known to be NaN, or ``minimum`` is
        known to be greater than ``maximum``; where they are traced every entry becomes
        NaN. Also for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``tf.clip_by_value``. It and ``optax.clip`` agree on values; at a limit
      ``optax.clip`` has the derivative one half, ``jax.lax.clamp`` 0, TensorFlow 1.
      Where the interval is empty JAX's two return ``maximum``, TensorFlow ``minimum``.
    """
    lower, upper = interval(minimum, maximum)
    check_choice(nonfinite)

    def clip(leaf: Array, path: Any) -> Array:
        leaf = treat(leaf, nonfinite, f"grads{place(path)}")
        return clipped(leaf, lower.astype(leaf.dtype), upper.astype(leaf.dtype))

    return map_real_leaves(clip, grads, "grads")


def clip_by_norm(
    grads: Any,
    max_norm: ArrayLike,
    axis: int | Sequence[int] | None = None,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Returns the gradients with each leaf shortened to ``max_norm``, by itself.

    ``g -> g * min(1, max_norm / norm(g))``, with the Euclidean norm over ``axis``. The
    direction of each leaf (or of each slice) is kept, that of the whole is not.

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      axis: the axes over which the norm is taken, which each leaf must have; ``None``
        for all of them.
      nonfinite: see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf complex or not numeric.
      ValueError: if ``max_norm`` is not a scalar, or known to be negative or NaN (traced,
        it makes every entry NaN); if a leaf has no such axis; for ``nonfinite="raise"``
        where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``tf.clip_by_norm``; Keras's ``clipnorm`` is the same, without axes. Where the
      squares overflow both return 0 (so Keras on float16 [300, 400]); an inf among the
      entries gives NaN in its place and 0 elsewhere.
    """
    return _each_leaf(grads, limit_of_size(max_norm, "max_norm"), _one, axis, nonfinite)


def clip_by_average_norm(
    grads: Any, max_norm: ArrayLike, *, nonfinite: Nonfinite = "propagate"
) -> Any:
    """Returns the gradients with each leaf shortened to an average norm of ``max_norm``.

    ``g -> g * min(1, max_norm / (norm(g) / n))`` for a leaf of n entries. This "average" is
    the norm divided by the count, and neither a mean nor a root mean square: a leaf of n
    ones has 1 / sqrt(n). See ``clip_by_rms``.

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      nonfinite: see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``clip_by_norm``.

    Source: ``tf.compat.v1.clip_by_average_norm``, deprecated, whose value at zero is 0 and
      whose derivative there is NaN; the squares overflow as in ``tf.clip_by_norm``.
    """
    return _each_leaf(grads, limit_of_size(max_norm, "max_norm"), float, None, nonfinite)


def clip_by_rms(grads: Any, max_rms: ArrayLike, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Returns the gradients with each leaf shortened to a root mean square of ``max_rms``.

    ``g -> g * min(1, max_rms / rms(g))`` with ``rms(g) = norm(g) / sqrt(n)`` for a leaf of n
    entries: a limit for the typical entry, that means the same for leaves of all sizes.

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_rms: a real number or a real array of shape ``[]``, from 0 to inf.
      nonfinite: see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``clip_by_norm``.

    Source: ``optax.clip_by_block_rms`` in Optax 0.2. There the squares overflow, the limit
      0 gives NaN at zero, and the derivative at zero is NaN.
    """
    return _each_leaf(grads, limit_of_size(max_rms, "max_rms"), math.sqrt, None, nonfinite)


def clip_by_global_norm(
    grads: Any,
    max_norm: ArrayLike,
    norm: ArrayLike | None = None,
    *,
    nonfinite: Nonfinite = "propagate",
) -> tuple[Any, Array]:
    """Returns the gradients, all shortened by one factor, and their norm before that.

    ``g -> g * min(1, max_norm / norm)`` with ``norm`` that of all leaves together: the
    direction of the whole is kept.

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      norm: the norm to go by, if it is known already or ``grads`` are a shard of the whole:
        a real number or a real array of shape ``[]``, from 0 to inf. It is trusted.
        ``global_norm(grads)`` by default.
      nonfinite: see the module. ``"zero"`` comes before the norm is taken; a ``norm`` that
        is given is used as it is.

    Returns:
      A pytree like ``grads``, and the norm that was gone by, of shape ``[]`` and dtype
      float32, or float64 if a leaf has it.

    Raises:
      TypeError: if ``max_norm`` or ``norm`` is not a real number, or a leaf complex or not
        numeric.
      ValueError: if ``max_norm`` or ``norm`` is not a scalar, or ``max_norm`` known to be
        negative or NaN, or ``norm`` known to be negative (traced, they make every entry
        NaN); for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1;
      ``tf.clip_by_global_norm``, whose ``use_norm`` is ``norm``. Where the squares overflow
      TensorFlow and Keras's ``global_clipnorm`` return NaN, Optax and PyTorch 0. Where an
      entry is inf TensorFlow and Keras return NaN everywhere, Optax and PyTorch NaN there
      and 0 elsewhere. Optax's derivative at zero is NaN; PyTorch divides by norm + 1e-6; within
      the limit TensorFlow and Keras multiply by c * (1 / c), which is not 1 for every c.
    """
    limit = limit_of_size(max_norm, "max_norm")
    given = None if norm is None else _given(norm)
    leaves, structure, real = _treated(grads, nonfinite)
    arrays = tuple(leaves[n] for n in real)
    axes = tuple(tuple(range(leaf.ndim)) for leaf in arrays)
    if given is None:
        shortened, whole = shorten_together(arrays, axes, limit)
    else:
        whole = given.astype(working_dtype(arrays))
        trusted = Norm(whole, jnp.ones_like(whole))
        shortened = tuple(
            shorten(leaf, trusted, over, limit) for leaf, over in zip(arrays, axes, strict=True)
        )
    for n, leaf in zip(real, shortened, strict=True):
        leaves[n] = leaf
    return jax.tree.unflatten(structure, leaves), whole


def clip_adaptively(
    grads: Any,
    params: Any,
    ratio: ArrayLike,
    floor: ArrayLike = 1e-3,
    *,
    axis: int | Sequence[int] | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Returns the gradients with each unit's shortened to ``ratio`` times its weights' norm.

    ``g_i -> g_i * min(1, ratio * max(norm(w_i), floor) / norm(g_i))`` for each unit i: the
    weights that lead to one output.

    Args:
      grads: a float array or Python number, or a pytree of them.
      params: a pytree like ``grads``, with the same shapes. A unit with NaN among its
        weights becomes NaN, one with inf has no limit.
      ratio: a real number or a real array of shape ``[]``, from 0 to inf.
      floor: the same; what the norm of a unit's weights counts at least, so that weights
        that start at zero can move.
      axis: the axes that a unit extends over; ``None`` guesses by rank, for layouts with the
        outputs last: all axes of a scalar or vector (also of a matrix with one row or
        column), 0 of a matrix or of rank 3, all but the last beyond.
      nonfinite: of ``grads``; see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``ratio`` or ``floor`` is not a real number, or a leaf complex or not
        numeric.
      ValueError: if ``ratio`` or ``floor`` is not a scalar, or known to be negative or NaN
        (traced, it makes every entry NaN); if the pytrees or two shapes differ; if a leaf
        has no such axis; for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry of ``grads`` is inf or NaN.

    Source: Brock, De, Smith and Simonyan 2021 (arXiv 2102.06171), equation 3;
      ``optax.adaptive_grad_clip``, which divides by max(norm(g), 1e-6) and refuses ranks
      above 5.
    """
    most = limit_of_size(ratio, "ratio")
    least = limit_of_size(floor, "floor")
    check_choice(nonfinite)

    def clip(leaf: Array, path: Any, weights: Any) -> Array:
        given = weights
        weights = real_leaf(given, path, "params")
        if weights is None or weights.shape != leaf.shape:
            raise ValueError(
                f"params{place(path)} must be floats in the shape of grads{place(path)}, "
                f"{leaf.shape}, but {describe(given)} was given."
            )
        leaf = treat(leaf, nonfinite, f"grads{place(path)}")
        over = _unit_axes(leaf) if axis is None else axes_of(leaf, axis, path, "grads")
        adapted: Array = _adapted(leaf, weights, over, most, least)
        return adapted

    return map_real_leaves(clip, grads, "grads", params)


def clip_per_example(grads: Any, max_norm: ArrayLike, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Returns gradients of single examples, each example's shortened to ``max_norm``.

    ``g_b -> g_b * min(1, max_norm / norm(g_b))`` for each example b, with the norm over all
    leaves together. Their sum or mean, which bounds what one example can do to a step, is
    left to you: DP-SGD adds noise to it.

    Args:
      grads: a float array ``[B, ...]``, or a pytree of them, as from ``jax.vmap`` of a
        gradient.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      nonfinite: see the module; inf and NaN stay within their example.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf complex or not numeric.
      ValueError: if ``max_norm`` is not a scalar, or known to be negative or NaN (traced,
        it makes every entry NaN); if a leaf has no leading axis, or one of another
        length; for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Abadi et al. 2016 (arXiv 1607.00133), algorithm 1;
      ``optax.per_example_global_norm_clip`` returns the sum, and lets an example with NaN
      pass unclipped.
    """
    limit = limit_of_size(max_norm, "max_norm")
    leaves, structure, real = _treated(grads, nonfinite)
    arrays = tuple(leaves[n] for n in real)
    counts = {leaf.shape[:1] for leaf in arrays}
    if len(counts) > 1 or () in counts:
        shapes = ", ".join(str(leaf.shape) for leaf in arrays)
        raise ValueError(
            "grads must have the examples along the first axis of every leaf, as many in each, "
            f"but the shapes are {shapes}. jax.vmap of a gradient gives such leaves."
        )
    axes = tuple(tuple(range(1, leaf.ndim)) for leaf in arrays)
    for n, leaf in zip(real, shorten_together(arrays, axes, limit)[0], strict=True):
        leaves[n] = leaf
    return jax.tree.unflatten(structure, leaves)


def global_norm(tree: Any) -> Array:
    """Returns the Euclidean norm of all leaves of a pytree together.

    ``norm = sqrt(sum_i sum(leaf_i ** 2))``, computed so that no square overflows or
    underflows. The derivative is ``leaf / norm``, and 0 at zero.

    Args:
      tree: a float array or Python number of any shape, or a pytree of them; what has no
        gradient (``None``, integers, booleans) does not count.

    Returns:
      The norm, of shape ``[]`` and dtype float32, or float64 if a leaf has it: inf where it
      is too large for that, 0 for an empty tree.

    Raises:
      TypeError: if a leaf is complex or not numeric.

    Source: ``tf.linalg.global_norm``, ``optax.global_norm``; their squares overflow, and
      the derivative at zero of both is NaN.
    """
    leaves, _, real = _treated(tree, "propagate", "tree")
    arrays = tuple(leaves[n] for n in real)
    return joint_norm(arrays, tuple(tuple(range(leaf.ndim)) for leaf in arrays)).value


def _one(count: int) -> float:
    return 1.0


def _each_leaf(
    grads: Any,
    limit: Array,
    divisor: Callable[[int], float],
    axis: int | Sequence[int] | None,
    nonfinite: Nonfinite,
) -> Any:
    """Shortens each leaf so that ``norm / divisor(its entries)`` is at most ``limit``."""
    check_choice(nonfinite)

    def clip(leaf: Array, path: Any) -> Array:
        leaf = treat(leaf, nonfinite, f"grads{place(path)}")
        over = axes_of(leaf, axis, path, "grads")
        (shortened,), _ = shorten_together((leaf,), (over,), limit, divisor(max(leaf.size, 1)))
        return shortened

    return map_real_leaves(clip, grads, "grads")


def _treated(
    tree: Any, nonfinite: Nonfinite, name: str = "grads"
) -> tuple[list[Any], Any, list[int]]:
    """The leaves, ``None`` among them, the structure, and which ones are real arrays."""
    check_choice(nonfinite)
    pairs, structure = jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda leaf: leaf is None)
    leaves: list[Any] = []
    real: list[int] = []
    for path, leaf in pairs:
        array = real_leaf(leaf, path, name)
        if array is not None:
            real.append(len(leaves))
            array = treat(array, nonfinite, f"{name}{place(path)}")
        leaves.append(leaf if array is None else array)
    return leaves, structure, real


def _given(norm: ArrayLike) -> Array:
    value = real_scalar(norm, "norm")
    number = known(norm)
    if number is not None and number < 0:
        raise ValueError(f"norm must be 0 or more, but {number} was given.")
    if number is None:
        value = value.astype(jnp.result_type(value, float))
        value = jnp.where(value < 0, jnp.nan, value)
    return value


@partial(jax.jit, static_argnums=2)  # one compilation where nothing around it is compiled
def _adapted(
    leaf: Array, weights: Array, over: tuple[int, ...], ratio: Array, floor: Array
) -> Array:
    limit = _share(joint_norm((weights,), (over,)), ratio, floor)
    return shorten(leaf, joint_norm((leaf,), (over,)), over, limit)


def _share(weights: Norm, ratio: Array, floor: Array) -> Array:
    """``ratio * max(weights, floor)``; inf if one is inf and the other is not 0."""
    size, scale = weights
    ratio, floor = ratio.astype(size.dtype), floor.astype(size.dtype)
    unlimited = (jnp.isinf(ratio) | jnp.isinf(floor)) & (ratio > 0)
    ratio, floor = (jnp.where(jnp.isinf(part), 0, part) for part in (ratio, floor))
    # In this order, because size * scale may be too large for the dtype.
    share = jnp.maximum(ratio * size * scale, ratio * floor)
    share = jnp.where((ratio == 0) & jnp.isinf(size), 0, share)
    return jnp.where(unlimited, jnp.inf, share)


def _unit_axes(leaf: Array) -> tuple[int, ...]:
    if sum(length > 1 for length in leaf.shape) <= 1:
        return tuple(range(leaf.ndim))
    return (0,) if leaf.ndim <= 3 else tuple(range(leaf.ndim - 1))
