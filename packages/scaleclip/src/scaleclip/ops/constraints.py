"""Constraints: weights are moved back into a set, after the step.

A constraint acts on values, not on gradients. Those by a norm act on columns: a column is the
weights that lead to one unit. ``layout`` says where a kernel has its units, ``axis`` names
instead the axes that a column extends over. An array that is given by itself is always
constrained, a vector as one column. In a pytree only leaves of two axes or more are, unless
``where`` selects others; a vector there is a bias or a LayerNorm's scale, and has no columns.

All take a float array or a pytree of them (leaves that are ``None``, integers or booleans
pass through), keep the dtype, and work under ``jax.jit``, ``jax.grad``, ``jax.vmap`` and
``jax.lax.scan`` with bounds that may be traced. What is in the set already is returned bit for
bit. Norms are computed in float32 at least, and no square overflows or underflows on the way
to them. ``nonfinite`` is that of ``scaleclip.ops.clipping``.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import (
    concrete,
    interval,
    map_float_leaves_by_path,
    norm_limit,
    path_str,
    scalar_in_range,
)
from scaleclip.ops._columns import each_column
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import Norm, clip_norm, rescale, widened
from scaleclip.ops._squares import Axes
from scaleclip.ops.layout import ColumnAxis, Layout
from scaleclip.ops.selection import Where, check_where, on_selected


def max_norm(
    w: Any,
    limit: ArrayLike,
    axis: ColumnAxis = "layout",
    epsilon: ArrayLike = 0.0,
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Cut every column of the weights that is longer than ``limit`` to it.

    ``w -> w * min(n, limit) / (n + epsilon)`` with n the Euclidean norm of a column. With ``epsilon = 0``
    this is the projection onto ``n <= limit``: a column below the cap is not moved.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import max_norm
    >>> print(max_norm(jnp.array([[3.0, 0.3], [4.0, 0.4]]), 2.5))  # columns of norm 5 and 0.5
    [[1.5 0.3]
     [2.  0.4]]

    Kernels are taken to have their units last, ``[in, out]``, as in Keras and Flax. **For Equinox and
    PyTorch**, ``[out, in]``, **give** ``layout="out_in"``. In a pytree, vectors and scalars (biases,
    LayerNorm's scales) are left alone, unless ``where`` selects them.

    Args:
      w: a float array, or a pytree of them.
      limit: the cap, a real number or a real array of shape ``[]``, from 0 to inf.
      axis: the axes that a column extends over, in place of a layout: 1 for an embedding
        ``[words, features]``, 0 for attention's ``[in, heads, features]``, ``None`` for the whole leaf.
        For stacked layers use ``jax.vmap``.
      epsilon: what Keras adds to the norm, 1e-7 there: it shortens **every** column, each time.
      layout: ``"in_out"``, the default: over all axes but the last. ``"out_in"``: over all but the
        first. ``"depthwise"``: over all but the last two, of Keras's ``[height, width, in, multiplier]``.
      where: ``where(path, leaf) -> bool`` selects leaves, by a path such as ``"layers/0/weight"``: see
        ``scaleclip.ops.selection``. A vector that it selects is one column.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``: see ``scaleclip.ops.clipping``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if ``limit`` or ``epsilon`` is not a real number, or a leaf sparse or not numeric.
      ValueError: if ``limit`` or ``epsilon`` is not a scalar, or is negative or NaN (traced, it makes
        every entry NaN); if there is no such ``layout`` or axis, or both are given; if no leaf is
        selected; if the shape of a leaf in a pytree does not say whether it has columns, or which; for
        ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Hinton et al. 2012 (arXiv 1207.0580) and Srivastava et al. 2014, section 5.1;
      ``keras.constraints.MaxNorm`` with ``epsilon=1e-7``, where float16 [300, 400] gives 0.
      ``optax.projections.projection_l2_ball`` takes the whole pytree for one column.
    """
    cap = norm_limit(limit, "limit")
    added = norm_limit(epsilon, "epsilon")
    # Traced, it may be 0: the two formulas agree there but for the last bit.
    if concrete(epsilon) == 0:
        return each_column(w, axis, layout, where, nonfinite, clip_norm, cap)
    return each_column(w, axis, layout, where, nonfinite, _as_keras, cap, added)


def unit_norm(
    w: Any,
    axis: ColumnAxis = "layout",
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Bring every column of the weights to length 1.

    ``w -> w / n`` with n the Euclidean norm of a column. A zero column stays zero, with the identity for
    its derivative.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import unit_norm
    >>> print(unit_norm(jnp.array([[0.0, 5.0], [4.0, 0.0]])))
    [[0. 1.]
     [1. 0.]]

    Args:
      w, axis, layout, where, nonfinite: as in ``max_norm``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``max_norm``.

    Source: ``keras.constraints.UnitNorm``, which divides by n + 1e-7, so that small columns come out
      much shorter than 1. ``optax.projections.projection_l2_sphere`` takes the whole pytree for one
      column.
    """
    return each_column(w, axis, layout, where, nonfinite, _to_one)


def min_max_norm(
    w: Any,
    low: ArrayLike,
    high: ArrayLike,
    rate: ArrayLike = 1.0,
    axis: ColumnAxis = "layout",
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Move the norm of every column of the weights towards ``[low, high]``.

    ``w -> w * (rate * min(max(n, low), high) + (1 - rate) * n) / n`` with n the Euclidean norm of a
    column. A column within the interval is not moved. A zero column stays zero, with the identity for
    its derivative.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import min_max_norm
    >>> print(min_max_norm(jnp.array([3.0, 4.0]), 0.5, 2.5))
    [1.5 2. ]

    Args:
      w: a float array, or a pytree of them.
      low: a real number or a real array of shape ``[]``, from 0 to ``high``.
      high: the same, from ``low`` to inf.
      rate: how much of the way to go, in [0, 1]; with less than 1 the result may lie outside.
      axis, layout, where, nonfinite: as in ``max_norm``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``max_norm``; a ValueError too if ``rate`` is out of
        range, or ``low`` greater than ``high`` (traced, they make every entry NaN).

    Source: ``keras.constraints.MinMaxNorm``, which divides by n + 1e-7 and so moves columns within the
      interval too.
    """
    for end, name in ((low, "low"), (high, "high")):
        norm_limit(end, name)  # refused here where known; below, NaN where traced
    lower, upper = interval(low, high, ("low", "high"))
    lower, upper = norm_limit(lower, "low"), norm_limit(upper, "high")
    part = scalar_in_range(rate, "rate", lambda share: (share >= 0) & (share <= 1), "from 0 to 1")
    return each_column(w, axis, layout, where, nonfinite, _between, lower, upper, part)


def non_negative(w: Any, *, where: Where | None = None, nonfinite: Nonfinite = "propagate") -> Any:
    """Set every negative entry of the weights to 0.

    ``w -> max(w, 0)``, of every leaf, **biases too**, unless ``where`` selects some. The derivative is 1
    at 0 and above, 0 below.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import non_negative
    >>> print(non_negative(jnp.array([-1.0, 2.0])))
    [0. 2.]

    Args:
      w: a float array, or a pytree of them.
      where: as in ``max_norm``.
      nonfinite: ``"propagate"`` keeps inf and NaN and makes 0 of -inf; ``"zero"`` makes 0 of all three;
        ``"raise"`` refuses them.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if a leaf is complex, sparse or not numeric.
      ValueError: if ``where`` selects no leaf; for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.NonNeg``, whose derivative at 0 is one half;
      ``optax.projections.projection_non_negative`` has 0 there.
    """
    check_choice(nonfinite)
    check_where(where)

    def project(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"w{path_str(path)}")
        return jnp.where(widened(leaf) < 0, jnp.zeros_like(leaf), leaf)

    return on_selected(lambda w: map_float_leaves_by_path(project, w, "w", real=True), w, where)


def _as_keras(leaf: Array, norm: Norm, over: Axes, cap: Array, epsilon: Array) -> Array:
    n = norm.value
    cap, epsilon = cap.astype(n.dtype), epsilon.astype(n.dtype)
    cap = jnp.where(jnp.isnan(epsilon), jnp.nan, cap)
    divisor = n + epsilon
    known_norm = jnp.isfinite(divisor)
    numerator, divisor = (
        jnp.where(known_norm & (divisor != 0), part, 1)
        for part in (jnp.where(n > cap, cap, n), divisor)
    )
    factor = jnp.where(jnp.isnan(cap), jnp.nan, numerator / divisor)
    wide = leaf if jnp.iscomplexobj(leaf) else leaf.astype(n.dtype)
    scaled = (wide * jnp.expand_dims(factor, over)).astype(leaf.dtype)
    # Beside a norm that is too large for the dtype, epsilon is nothing.
    return jnp.where(jnp.expand_dims(known_norm, over), scaled, clip_norm(leaf, norm, over, cap))


def _to_one(leaf: Array, norm: Norm, over: Axes) -> Array:
    return _bring(leaf, norm, over, jnp.ones_like(norm.size), norm.size == 0)


def _between(leaf: Array, norm: Norm, over: Axes, lower: Array, upper: Array, part: Array) -> Array:
    n = norm.value
    ends = lower.astype(n.dtype), upper.astype(n.dtype)
    bounded = jnp.where(n < ends[0], ends[0], jnp.where(n > ends[1], ends[1], n))
    known_ends = ~(jnp.isnan(ends[0]) | jnp.isnan(ends[1]) | jnp.isnan(part))
    keep = ((bounded == n) | (norm.size == 0) | (part == 0)) & known_ends
    keep |= (ends[0] == 0) & (ends[1] == jnp.inf)  # nothing is asked, of NaN either
    p = part.astype(n.dtype)
    # Not (1 - p) * n: the norm may be inf where its entries are not.
    target = p * bounded + (1 - p) * norm.size * norm.scale
    return _bring(leaf, norm, over, jnp.where(known_ends, target, jnp.nan), keep)


def _bring(leaf: Array, norm: Norm, over: Axes, target: Array, keep: Array) -> Array:
    """``rescale``, but a norm that is inf or NaN makes every entry of the column NaN."""
    return rescale(leaf, norm, over, jnp.where(jnp.isfinite(norm.size), target, jnp.nan), keep)
