"""Constraints: weights are moved back into a set, after the step.

A constraint acts on values, not on gradients. All take a float array or a pytree of them
(leaves that are ``None``, integers or booleans pass through), keep the dtype, and work
under ``jax.jit``, ``jax.grad``, ``jax.vmap`` and ``jax.lax.scan`` with bounds that may be
traced. What is in the set already is returned bit for bit. Norms are computed in float32 at
least, and no square overflows or underflows on the way to them. ``nonfinite`` is that of
``gradlab.ops.clipping``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from gradlab.ops._arguments import (
    axes_of,
    concrete,
    interval,
    map_real_leaves,
    norm_limit,
    path_str,
    scalar_in_range,
)
from gradlab.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from gradlab.ops._norms import Axes, Norm, clip_norm, joint_norm, rescale

if TYPE_CHECKING:
    import optax

Axis = int | Sequence[int] | None


def max_norm(
    w: Any,
    limit: ArrayLike,
    axis: Axis = 0,
    epsilon: ArrayLike = 0.0,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Return the weights with every column that is longer than ``limit`` cut to it.

    ``w -> w * min(n, limit) / (n + epsilon)`` with n the Euclidean norm over ``axis``. With
    ``epsilon = 0`` this is the projection onto ``n <= limit``: a column below the cap is
    not moved, and a zero column stays zero, with the identity for its derivative.

    Args:
      w: a float array, or a pytree of them.
      limit: the cap, a real number or a real array of shape ``[]``, from 0 to inf.
      axis: the axes that one column extends over: 0 for a dense kernel ``[in, out]`` and
        for a bias, ``(0, 1, 2)`` for a convolution's ``[height, width, in, out]``; ``None``
        for the whole leaf.
      epsilon: what Keras adds to the norm, 1e-7 there. Above 0 it shortens **every** column
        a little, each time.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if ``limit`` or ``epsilon`` is not a real number, or a leaf complex or not
        numeric.
      ValueError: if ``limit`` or ``epsilon`` is not a scalar, or known to be negative or NaN
        (traced, it makes every entry NaN); if a leaf has no such axis; for
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
        return _each_column(w, axis, nonfinite, clip_norm, cap)
    return _each_column(w, axis, nonfinite, _as_keras, cap, added)


def unit_norm(w: Any, axis: Axis = 0, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Return the weights with every column brought to length 1.

    ``w -> w / n`` with n the Euclidean norm over ``axis``. A zero column has no direction: it
    stays zero, and its derivative is taken to be the identity.

    Args:
      w: a float array, or a pytree of them.
      axis: the axes that one column extends over; ``None`` for the whole leaf.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if a leaf is complex or not numeric.
      ValueError: if a leaf has no such axis; for ``nonfinite="raise"`` where the function is
        traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.UnitNorm``, which divides by n + 1e-7: the columns come out
      shorter than 1, by much where n is small. ``optax.projections.projection_l2_sphere``
      takes the whole pytree for one column.
    """
    return _each_column(w, axis, nonfinite, _to_one)


def min_max_norm(
    w: Any,
    low: ArrayLike,
    high: ArrayLike,
    rate: ArrayLike = 1.0,
    axis: Axis = 0,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Return the weights with the norm of every column moved towards ``[low, high]``.

    ``w -> w * (rate * min(max(n, low), high) + (1 - rate) * n) / n`` with n the Euclidean norm
    over ``axis``. A column within the interval is not moved. A zero column has no direction
    and stays zero, below ``low`` though it is; its derivative is taken to be the identity.

    Args:
      w: a float array, or a pytree of them.
      low: a real number or a real array of shape ``[]``, from 0 to ``high``.
      high: the same, from ``low`` to inf.
      rate: how much of the way to go, in [0, 1]; with less than 1 the result may lie outside.
      axis: the axes that one column extends over; ``None`` for the whole leaf.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if ``low``, ``high`` or ``rate`` is not a real number, or a leaf complex or
        not numeric.
      ValueError: if one of them is not a scalar, or known and out of its range, or ``low`` is
        known to be greater than ``high`` (traced, they make every entry NaN); if a leaf has
        no such axis; for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.MinMaxNorm``, which divides by n + 1e-7 and so moves columns
      within the interval too.
    """
    for end, name in ((low, "low"), (high, "high")):
        norm_limit(end, name)  # refused here where known; below, NaN where traced
    lower, upper = interval(low, high, ("low", "high"))
    lower, upper = norm_limit(lower, "low"), norm_limit(upper, "high")
    part = scalar_in_range(rate, "rate", lambda share: (share >= 0) & (share <= 1), "from 0 to 1")
    return _each_column(w, axis, nonfinite, _between, lower, upper, part)


def non_negative(w: Any, *, nonfinite: Nonfinite = "propagate") -> Any:
    """Return the weights with every negative entry set to 0.

    ``w -> max(w, 0)``. The derivative is 1 at 0 and above, 0 below.

    Args:
      w: a float array, or a pytree of them.
      nonfinite: ``"propagate"`` keeps inf and NaN and makes 0 of -inf; ``"zero"`` makes 0 of
        all three; ``"raise"`` refuses them.

    Returns:
      A pytree like ``w``.

    Raises:
      TypeError: if a leaf is complex or not numeric.
      ValueError: for ``nonfinite="raise"`` where the function is traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry is inf or NaN.

    Source: ``keras.constraints.NonNeg``, in Keras 3.15 a maximum, whose derivative at 0 is one
      half (in 3.12 a mask, which made NaN of -inf); ``optax.projections.projection_non_negative``
      has the derivative 0 at 0.
    """
    check_choice(nonfinite)

    def project(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"w{path_str(path)}")
        return jnp.where(leaf < 0, jnp.zeros_like(leaf), leaf)

    return map_real_leaves(project, w, "w")


def constrained(
    optimizer: optax.GradientTransformation, projection: Callable[[Any], Any]
) -> optax.GradientTransformationExtraArgs:
    """Return an optimizer whose updates land inside a set.

    ``u -> projection(w + u) - w``: with ``optax.apply_updates`` the weights become
    ``projection(w + u)``, but for two roundings, so that a weight may land a unit in the last
    place (of the larger of it before and after) outside. The optimizer's state is not projected: its momentum goes
    on pointing out of the set. It goes around the whole chain, since what is chained after
    it would move the weights out again.

    Args:
      optimizer: an Optax transformation; its state is the state of the result.
      projection: from a pytree of weights to one like it, such as
        ``lambda w: max_norm(w, 2.0)``.

    Returns:
      An Optax transformation. Its ``update`` needs the parameters, and raises a ValueError
      without them, or if ``projection`` returns another structure, shape or dtype.

    Raises:
      TypeError: if ``optimizer`` is no Optax transformation, or ``projection`` no function.

    Source: projected gradient descent, as Keras applies the constraints of its layers after
      each update; ``optax.keep_params_nonnegative`` does it for one set.
    """
    import optax  # not at the top: it takes a quarter of a second, and the rest does without

    if not isinstance(optimizer, optax.GradientTransformation):
        raise TypeError(
            "optimizer must be an optax.GradientTransformation, such as optax.sgd(0.1), but "
            f"{optimizer!r} was given."
        )
    if not callable(projection):
        raise TypeError(
            "projection must be a function of the weights, such as "
            f"lambda w: max_norm(w, 2.0), but {projection!r} was given."
        )
    inner = optax.with_extra_args_support(optimizer)

    def update(grads: Any, state: Any, params: Any = None, **extra: Any) -> tuple[Any, Any]:
        if params is None:
            raise ValueError(
                "constrained must know the weights that it keeps inside: call "
                "update(grads, state, params)."
            )
        updates, state = inner.update(grads, state, params, **extra)
        moved = optax.apply_updates(params, updates)
        inside = projection(moved)
        _require_like(moved, inside)
        return jax.tree.map(_landing, updates, params, inside, is_leaf=_is_none), state

    return optax.GradientTransformationExtraArgs(inner.init, update)


def _landing(update: Any, weights: Any, inside: Any) -> Any:
    if update is None:
        return None
    return (inside - weights).astype(jnp.asarray(update).dtype)


def _is_none(leaf: Any) -> bool:
    return leaf is None


def _require_like(expected: Any, given: Any) -> None:
    shape: Any = jax.tree.map(lambda leaf: (jnp.shape(leaf), jnp.result_type(leaf)), expected)
    other: Any = jax.tree.map(lambda leaf: (jnp.shape(leaf), jnp.result_type(leaf)), given)
    if shape != other:
        raise ValueError(
            "projection must return a pytree like the weights, the same shapes and dtypes: "
            f"it was given {shape} and returned {other}."
        )


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
    scaled = (leaf.astype(n.dtype) * jnp.expand_dims(factor, over)).astype(leaf.dtype)
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
    p = part.astype(n.dtype)
    # Not (1 - p) * n: the norm may be inf where its entries are not.
    target = p * bounded + (1 - p) * norm.size * norm.scale
    return _bring(leaf, norm, over, jnp.where(known_ends, target, jnp.nan), keep)


def _bring(leaf: Array, norm: Norm, over: Axes, target: Array, keep: Array) -> Array:
    """``rescale``, but a norm that is inf or NaN makes every entry of the column NaN."""
    return rescale(leaf, norm, over, jnp.where(jnp.isfinite(norm.size), target, jnp.nan), keep)


def _each_column(
    w: Any, axis: Axis, nonfinite: Nonfinite, project: Callable[..., Array], *bounds: Array
) -> Any:
    """Apply ``project(leaf, norm, over, *bounds)`` to each leaf."""
    check_choice(nonfinite)

    def apply(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"w{path_str(path)}")
        projected: Array = _projected(leaf, axes_of(leaf, axis, path, "w"), project, bounds)
        return projected

    return map_real_leaves(apply, w, "w")


@partial(jax.jit, static_argnums=(1, 2))  # one compilation where nothing around it is compiled
def _projected(
    leaf: Array, over: Axes, project: Callable[..., Array], bounds: tuple[Array, ...]
) -> Array:
    return project(leaf, joint_norm((leaf,), (over,)), over, *bounds)
