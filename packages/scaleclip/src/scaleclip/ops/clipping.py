"""Clip gradients: what is larger than a limit is cut to it, the rest is left alone.

``clip_gradient`` and ``clip_gradient_norm`` are put at a tensor inside the model and act on what
flows back through it. The others act on gradients that have been taken.

What all the others share: leaves that are ``None``, integers or booleans pass through; the
dtype of each leaf is kept; within the limit the result is the input, bit for bit, and the
derivative the identity, at zero too; a norm is computed in float32 at least, and no square
overflows or underflows on the way to it (but XLA on CPU makes 0 of subnormal entries); norms of
complex leaves use ``|z| ** 2``; sparse arrays are refused. **A limit of 0 makes zeros** of what is
finite: to switch a clip off, which is what 0 does in some other programs, use ``math.inf``. By a
limit of inf a clip by a norm changes no bit, NaN and inf included. All work under ``jax.jit``, ``jax.grad``, ``jax.jvp``, ``jax.vmap`` and
``jax.lax.scan``, with limits that may be traced, and are differentiated as written, with
respect to a limit too. ``nonfinite`` says what inf and NaN do:

- ``"propagate"``: every entry that shares a norm with one becomes NaN. (A clip by value makes
  the limit of inf, and leaves NaN.)
- ``"zero"``: they become 0 before anything else is done.
- ``"raise"``: a FloatingPointError, refused with a ValueError where the function is traced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._adaptive import clip_adaptively
from scaleclip.ops._arguments import (
    axes_of,
    float_leaves,
    interval,
    map_float_leaves_by_path,
    norm_limit,
    path_str,
    scalar_in_range,
)
from scaleclip.ops._at_tensors import clip_entries, clip_gradient, clip_gradient_norm
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import (
    Norm,
    clip_joint_norm,
    clip_norms,
    joint_norm,
    widened,
    working_dtype,
)
from scaleclip.ops.layout import Layout, check_layout, unit_axes

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
    """Clip every entry to ``[minimum, maximum]``.

    ``g -> min(max(g, minimum), maximum)``. The direction is not kept. The derivative is 1 within the
    interval and at its ends, 0 beyond.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_by_value
    >>> print(clip_by_value(jnp.array([-3.0, 0.5, 2.0]), -1.0, 1.0))
    [-1.   0.5  1. ]

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      minimum: a real number or a real array of shape ``[]``; -inf for no limit.
      maximum: the same, not less than ``minimum``; inf for no limit.
      nonfinite: see the module; ``"propagate"`` makes the limit of inf and leaves NaN.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if a limit is not a real number, or a leaf complex, sparse or not numeric.
      ValueError: if a limit is not a scalar or is NaN, or ``minimum`` is greater than ``maximum``
        (traced, they make every entry NaN); for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``tf.clip_by_value``. At a limit its derivative is 1 too, that of ``optax.clip`` one half,
      of ``jax.lax.clamp`` 0.
    """
    lower, upper = interval(minimum, maximum)
    check_choice(nonfinite)

    def clip(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"grads{path_str(path)}")
        dtype = widened(leaf).dtype  # a limit may be inf, which not every narrow float has
        return clip_entries(leaf, lower.astype(dtype), upper.astype(dtype))

    return map_float_leaves_by_path(clip, grads, "grads", real=True)


def clip_by_norm(
    grads: Any,
    max_norm: ArrayLike,
    axis: int | Sequence[int] | None = None,
    *,
    layout: Layout | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Clip each leaf by its own norm.

    ``g -> g * min(1, max_norm / norm(g))``, with the Euclidean norm over ``axis``. The direction of each
    leaf (or slice) is kept, that of the whole is not.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_by_norm
    >>> clipped = clip_by_norm({"a": jnp.array([3.0, 4.0]), "b": jnp.array([1.0])}, 2.5)
    >>> print(clipped["a"], clipped["b"])
    [1.5 2. ] [1.]

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      axis: the axes over which the norm is taken, which each leaf must have; ``None`` for all.
      layout: in place of an axis, to clip each unit's gradient by itself: ``"in_out"``, over all axes
        but the last, as for Keras and Flax; ``"out_in"``, over all but the first, as for Equinox and
        PyTorch. A scalar or vector is one unit.
      nonfinite: see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf sparse or not numeric.
      ValueError: if ``max_norm`` is not a scalar, or is negative or NaN (traced, it makes every entry
        NaN); if a leaf has no such axis; if there is no such ``layout``, or ``axis`` is given too; for
        ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``tf.clip_by_norm``; Keras's ``clipnorm`` is the same, without axes. Both return 0 where
      the squares overflow.
    """
    check_layout(layout, axis, None)
    limit = norm_limit(max_norm, "max_norm")
    return _clip_each_leaf(grads, limit, lambda n: 1, axis, nonfinite, layout)


def clip_by_average_norm(
    grads: Any, max_norm: ArrayLike, *, nonfinite: Nonfinite = "propagate"
) -> Any:
    """Clip each leaf by its own norm, divided by the number of its entries.

    ``g -> g * min(1, max_norm / (norm(g) / n))`` for a leaf of n entries. This "average" is neither a
    mean nor a root mean square: a leaf of n ones has 1 / sqrt(n). See ``clip_by_rms``.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_by_average_norm
    >>> print(clip_by_average_norm(jnp.array([3.0, 4.0]), 1.25))  # 5 / 2, halved
    [1.5 2. ]

    Args:
      grads, max_norm, nonfinite: as for ``clip_by_norm``.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``clip_by_norm``.

    Source: ``tf.compat.v1.clip_by_average_norm``, deprecated, whose derivative at zero is NaN.
    """
    return _clip_each_leaf(grads, norm_limit(max_norm, "max_norm"), float, None, nonfinite)


def clip_by_rms(grads: Any, max_rms: ArrayLike, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Clip each leaf by its own root mean square.

    ``g -> g * min(1, max_rms / rms(g))`` with ``rms(g) = norm(g) / sqrt(n)`` for a leaf of n entries. The
    limit is one for the typical entry, and means the same for leaves of all sizes.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_by_rms
    >>> print(clip_by_rms(jnp.full(4, 3.0), 1.5))
    [1.5 1.5 1.5 1.5]

    Args:
      grads, nonfinite: as for ``clip_by_norm``.
      max_rms: a real number or a real array of shape ``[]``, from 0 to inf.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``clip_by_norm``.

    Source: ``optax.clip_by_block_rms`` in Optax 0.2, where squares overflow and the derivative at zero
      is NaN.
    """
    return _clip_each_leaf(grads, norm_limit(max_rms, "max_rms"), math.sqrt, None, nonfinite)


def clip_by_global_norm(
    grads: Any,
    max_norm: ArrayLike,
    norm: ArrayLike | None = None,
    *,
    nonfinite: Nonfinite = "propagate",
) -> tuple[Any, Array]:
    """Clip all leaves by the norm of all of them together.

    ``g -> g * min(1, max_norm / norm)``: the direction of the whole is kept.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_by_global_norm
    >>> clipped, norm = clip_by_global_norm({"a": jnp.array([3.0]), "b": jnp.array([4.0])}, 2.5)
    >>> print(clipped["a"], clipped["b"], norm)
    [1.5] [2.] 5.0

    Args:
      grads: a float array or Python number of any shape, or a pytree of them.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      norm: the norm to compare with ``max_norm``, if it is known already, or ``grads`` are a shard of
        the whole; ``global_norm(grads)`` by default. It is trusted.
      nonfinite: see the module. ``"zero"`` comes before the norm is taken; a ``norm`` that is given is
        used as it is.

    Returns:
      A pytree like ``grads``, and the norm before clipping, of shape ``[]`` and dtype float32, or
      float64 if a leaf has it.

    Raises:
      TypeError: if ``max_norm`` or ``norm`` is not a real number, or a leaf sparse or not numeric.
      ValueError: if ``max_norm`` or ``norm`` is not a scalar, or is negative, or ``max_norm`` is NaN
        (traced, they make every entry NaN); for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1; ``tf.clip_by_global_norm``,
      whose ``use_norm`` is ``norm``. Where squares overflow TensorFlow and Keras return NaN, Optax and
      PyTorch 0. Optax's derivative at zero is NaN; PyTorch divides by norm + 1e-6.
    """
    limit = norm_limit(max_norm, "max_norm")
    leaves, put_back = _flatten(grads, nonfinite)
    axes = tuple(tuple(range(leaf.ndim)) for leaf in leaves)
    if norm is None:
        clipped, whole, _ = clip_joint_norm(leaves, axes, limit)
        return put_back(clipped), whole
    # NaN is taken, and makes every entry NaN
    given = scalar_in_range(norm, "norm", lambda n: (n >= 0) | (n != n), "0 or more")
    whole = given.astype(working_dtype(leaves))
    as_norm = Norm(whole, jnp.ones_like(whole))
    return put_back(clip_norms(leaves, as_norm, axes, limit)), whole


def clip_per_example(grads: Any, max_norm: ArrayLike, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Clip each example's gradient by its norm over all leaves together.

    ``g_b -> g_b * min(1, max_norm / norm(g_b))`` for each example b. Their sum or mean is left to you:
    DP-SGD adds noise to it.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_per_example
    >>> print(clip_per_example(jnp.array([[3.0, 4.0], [0.5, 0.0]]), 2.5))
    [[1.5 2. ]
     [0.5 0. ]]

    Args:
      grads: a float array ``[B, ...]``, or a pytree of them, as from ``jax.vmap`` of a gradient.
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf.
      nonfinite: see the module; inf and NaN stay within their example.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf sparse or not numeric.
      ValueError: if ``max_norm`` is not a scalar, or is negative or NaN (traced, it makes every entry
        NaN); if leaves have no leading axis, or of different lengths; for ``nonfinite="raise"`` where
        the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Abadi et al. 2016 (arXiv 1607.00133), algorithm 1; ``optax.per_example_global_norm_clip``
      returns the sum, and lets an example with NaN pass unclipped.
    """
    limit = norm_limit(max_norm, "max_norm")
    leaves, put_back = _flatten(grads, nonfinite)
    counts = {leaf.shape[:1] for leaf in leaves}
    if len(counts) > 1 or () in counts:
        shapes = ", ".join(str(leaf.shape) for leaf in leaves)
        raise ValueError(
            "grads must have the examples along the first axis of every leaf, as many in each, "
            f"but the shapes are {shapes}. jax.vmap of a gradient gives such leaves."
        )
    axes = tuple(tuple(range(1, leaf.ndim)) for leaf in leaves)
    return put_back(clip_joint_norm(leaves, axes, limit)[0])


def global_norm(tree: Any) -> Array:
    """Compute the Euclidean norm of all leaves of a pytree together.

    ``norm = sqrt(sum_i sum(leaf_i ** 2))``; no square overflows or underflows. The derivative is
    ``leaf / norm``, and 0 at zero.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import global_norm
    >>> print(global_norm({"a": jnp.array([3.0]), "b": jnp.array([4.0])}))
    5.0

    Args:
      tree: a float array or Python number of any shape, or a pytree of them; a leaf without a gradient
        (``None``, integers, booleans) does not count.

    Returns:
      The norm, of shape ``[]`` and dtype float32, or float64 if a leaf has it: inf where it is too
      large for that, 0 for an empty tree.

    Raises:
      TypeError: if a leaf is sparse or not numeric.

    Source: ``tf.linalg.global_norm``, ``optax.global_norm``; their squares overflow, and the derivative
      of both at zero is NaN.
    """
    leaves, _ = _flatten(tree, "propagate", "tree")
    return joint_norm(leaves, tuple(tuple(range(leaf.ndim)) for leaf in leaves)).value


def _clip_each_leaf(
    grads: Any,
    limit: Array,
    divisor: Callable[[int], float],
    axis: int | Sequence[int] | None,
    nonfinite: Nonfinite,
    layout: Layout | None = None,
) -> Any:
    """Clip each leaf so that ``norm / divisor(number of entries)`` is at most ``limit``."""
    check_choice(nonfinite)

    def clip(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"grads{path_str(path)}")
        over = unit_axes(leaf, layout) if layout else axes_of(leaf, axis, path, "grads")
        (clipped,), _, _ = clip_joint_norm((leaf,), (over,), limit, divisor(max(leaf.size, 1)))
        return clipped

    return map_float_leaves_by_path(clip, grads, "grads")


def _flatten(
    tree: Any, nonfinite: Nonfinite, name: str = "grads"
) -> tuple[tuple[Array, ...], Callable[[Any], Any]]:
    """Return the float leaves of a pytree, and a function that puts others in their place."""
    check_choice(nonfinite)
    found, put_back = float_leaves(tree, name)
    leaves = [handle_nonfinite(leaf, nonfinite, f"{name}{path_str(path)}") for path, leaf in found]
    return tuple(leaves), put_back
