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
    map_real_leaves,
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
    """Return the weights with every column that is longer than ``limit`` cut to it.

    Kernels are taken to have their units last, ``[in, out]``, as in Keras and Flax. **For
    Equinox and PyTorch,** ``[out, in]``, **give** ``layout="out_in"``. In a pytree, vectors and
    scalars (biases, LayerNorm's scales) are left alone, unless ``where`` selects them.

    ``w -> w * min(n, limit) / (n + epsilon)`` with n the Euclidean norm of a column. With
    ``epsilon = 0`` this is the projection onto ``n <= limit``: a column below the cap is
    not moved, and a zero column stays zero, with the identity for its derivative.

    Args:
      w: a float array, or a pytree of them.
      limit: the cap, a real number or a real array of shape ``[]``, from 0 to inf.
      axis: the axes that one column extends over, in place of a layout: 1 for an embedding
        ``[words, features]``, 0 for attention's ``[in, heads, features]``; ``None`` for the
        whole leaf. For layers that are stacked, use ``jax.vmap``.
      epsilon: what Keras adds to the norm, 1e-7 there. Above 0 it shortens **every** column
        a little, each time.
      layout: ``"in_out"``, the default: a column extends over all axes but the last, of a
        convolution ``[height, width, in, out]`` too. ``"out_in"``: over all but the first, of
        ``[out, in, height, width]`` too. ``"depthwise"``: over all but the last two, of Keras's
        ``[height, width, in, multiplier]``.
      where: ``where(path, leaf) -> bool`` selects the leaves to constrain, by a path such as
        ``"layers/0/weight"``: see ``scaleclip.ops.selection``. A vector that it selects is one
        column.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if ``limit`` or ``epsilon`` is not a real number, or a leaf sparse or not
        numeric.
      ValueError: if ``limit`` or ``epsilon`` is not a scalar, or known to be negative or NaN
        (traced, it makes every entry NaN); if there is no such ``layout``, or ``axis`` is given
        too; if a leaf has no such axis; if no leaf of a pytree is selected; if a pytree without
        ``where`` or ``axis`` has a leaf that may be a bias or a kernel (``[out, 1, 1]``,
        ``[1, out]``) or, with the units last, a convolution's or attention's (three axes), or may be
        depthwise (one unit, or by its name); for
        ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: Srebro, Rennie and Jaakkola 2005 for the name of another thing; as a cap on
      columns Hinton et al. 2012 (arXiv 1207.0580) and Srivastava et al. 2014, section 5.1;
      ``keras.constraints.MaxNorm`` with ``epsilon=1e-7``, where float16 [300, 400] gives 0
      and the derivative at zero is NaN. ``optax.projections.projection_l2_ball`` takes the
      whole pytree for one column.
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
    """Return the weights with every column brought to length 1.

    Kernels are taken to be ``[in, out]``; **for Equinox and PyTorch give**
    ``layout="out_in"``. In a pytree, vectors and scalars (biases, LayerNorm's scales) are left
    alone, unless ``where`` selects them.

    ``w -> w / n`` with n the Euclidean norm of a column. A zero column has no direction: it
    stays zero, and its derivative is taken to be the identity.

    Args:
      w: a float array, or a pytree of them.
      axis, layout, where: as in ``max_norm``.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError, ValueError, FloatingPointError: as ``max_norm``.

    Source: ``keras.constraints.UnitNorm``, which divides by n + 1e-7: the columns come out
      shorter than 1, by much where n is small. ``optax.projections.projection_l2_sphere``
      takes the whole pytree for one column.
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
    """Return the weights with the norm of every column moved towards ``[low, high]``.

    Kernels are taken to be ``[in, out]``; **for Equinox and PyTorch give**
    ``layout="out_in"``. In a pytree, vectors and scalars (biases, LayerNorm's scales) are left
    alone, unless ``where`` selects them.

    ``w -> w * (rate * min(max(n, low), high) + (1 - rate) * n) / n`` with n the Euclidean norm
    of a column. A column within the interval is not moved. A zero column has no direction
    and stays zero, below ``low`` though it is; its derivative is taken to be the identity.

    Args:
      w: a float array, or a pytree of them.
      low: a real number or a real array of shape ``[]``, from 0 to ``high``.
      high: the same, from ``low`` to inf.
      rate: how much of the way to go, in [0, 1]; with less than 1 the result may lie outside.
      axis, layout, where: as in ``max_norm``.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if ``low``, ``high`` or ``rate`` is not a real number, or a leaf complex or
        not numeric.
      ValueError: if one of them is not a scalar, or known and out of its range, or ``low`` is
        known to be greater than ``high`` (traced, they make every entry NaN); else as
        ``max_norm``.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.MinMaxNorm``, which divides by n + 1e-7 and so moves columns
      within the interval too.
    """
    for end, name in ((low, "low"), (high, "high")):
        norm_limit(end, name)  # refused here where known; below, NaN where traced
    lower, upper = interval(low, high, ("low", "high"))
    lower, upper = norm_limit(lower, "low"), norm_limit(upper, "high")
    part = scalar_in_range(rate, "rate", lambda share: (share >= 0) & (share <= 1), "from 0 to 1")
    return each_column(w, axis, layout, where, nonfinite, _between, lower, upper, part)


def non_negative(w: Any, *, where: Where | None = None, nonfinite: Nonfinite = "propagate") -> Any:
    """Return the weights with every negative entry set to 0.

    In a pytree that is every leaf, **biases too**, unless ``where`` selects some.

    ``w -> max(w, 0)``. The derivative is 1 at 0 and above, 0 below.

    Args:
      w: a float array, or a pytree of them.
      where: as in ``max_norm``.
      nonfinite: ``"propagate"`` keeps inf and NaN and makes 0 of -inf; ``"zero"`` makes 0 of
        all three; ``"raise"`` refuses them.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if a leaf is complex, sparse or not numeric.
      ValueError: if ``where`` selects no leaf; for ``nonfinite="raise"`` where the function is
        traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.NonNeg``, in Keras 3.15 a maximum, whose derivative at 0 is one
      half (in 3.12 a mask, which made NaN of -inf); ``optax.projections.projection_non_negative``
      has the derivative 0 at 0.
    """
    check_choice(nonfinite)
    check_where(where)

    def project(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"w{path_str(path)}")
        return jnp.where(widened(leaf) < 0, jnp.zeros_like(leaf), leaf)

    return on_selected(lambda w: map_real_leaves(project, w, "w"), w, where)


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
