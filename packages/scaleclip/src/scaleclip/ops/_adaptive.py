"""Adaptive clipping: each unit's gradient by its norm, relative to that of its weights."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import (
    axes_of,
    describe,
    float_leaf,
    is_node_end,
    map_float_leaves_by_path,
    norm_limit,
    path_str,
)
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import Norm, clip_norm, joint_norm
from scaleclip.ops._squares import Axes
from scaleclip.ops.layout import Axis, Layout, check_layout, unit_axes


def clip_adaptively(
    grads: Any,
    params: Any,
    ratio: ArrayLike,
    floor: ArrayLike = 1e-3,
    *,
    axis: Axis = None,
    layout: Layout | None = None,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Clip each unit's gradient by its norm, to ``ratio`` times the norm of its weights.

    ``g_i -> g_i * min(1, ratio * max(norm(w_i), floor) / norm(g_i))`` for each unit i: the weights that
    lead to one output. Outputs are taken to be last, ``[in, out]``, as in Keras and Flax; **for Equinox
    and PyTorch**, ``[out, in]``, **give** ``layout="out_in"``.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ops import clip_adaptively
    >>> g, w = jnp.array([[3.0, 0.3], [4.0, 0.4]]), jnp.array([[30.0, 30.0], [40.0, 40.0]])
    >>> print(clip_adaptively(g, w, 0.05))  # norms 5 and 0.5, limits 2.5
    [[1.5 0.3]
     [2.  0.4]]

    Args:
      grads: a float array or Python number, or a pytree of them.
      params: a pytree like ``grads``, with the same shapes. A unit with NaN among its weights becomes
        NaN, one with inf has no limit.
      ratio: a real number or a real array of shape ``[]``, from 0 to inf.
      floor: the same; what the norm of a unit's weights counts at least, so that weights that start at
        zero can move.
      axis: the axes that a unit extends over. Without it and ``layout`` they are guessed by rank, as
        published: all axes of a scalar or vector (also of a matrix with one row or column), 0 of a
        matrix or of rank 3, all but the last beyond.
      layout: ``"in_out"``: over all axes but the last. ``"out_in"``: over all but the first. A scalar
        or vector is one unit.
      nonfinite: of ``grads``; see the module.

    Returns:
      A pytree like ``grads``.

    Raises:
      TypeError: if ``ratio`` or ``floor`` is not a real number, or a leaf sparse or not numeric.
      ValueError: if ``ratio`` or ``floor`` is not a scalar, or is negative or NaN (traced, it makes
        every entry NaN); if the pytrees or two shapes differ; if a leaf has no such axis; if there is
        no such ``layout``, or ``axis`` is given too; for ``nonfinite="raise"`` where the function is
        traced.
      FloatingPointError: for ``nonfinite="raise"``, if an entry of ``grads`` is inf or NaN.

    Source: Brock, De, Smith and Simonyan 2021 (arXiv 2102.06171), equation 3;
      ``optax.adaptive_grad_clip``, which divides by max(norm(g), 1e-6) and refuses ranks above 5.
    """
    most = norm_limit(ratio, "ratio")
    least = norm_limit(floor, "floor")
    check_choice(nonfinite)
    check_layout(layout, axis, None)

    def clip(leaf: Array, path: Any, given: Any) -> Array:
        weights = float_leaf(given, path, "params")
        if weights is None or weights.shape != leaf.shape:
            raise ValueError(
                f"params{path_str(path)} must be floats in the shape of grads{path_str(path)}, "
                f"{leaf.shape}, but {describe(given)} was given."
            )
        leaf = handle_nonfinite(leaf, nonfinite, f"grads{path_str(path)}")
        if axis is not None:
            over = axes_of(leaf, axis, path, "grads")
        else:
            over = unit_axes(leaf, layout) if layout else _guessed_axes(leaf)
        clipped: Array = _clip_units(leaf, weights, over, most, least)
        return clipped

    try:
        return map_float_leaves_by_path(clip, grads, "grads", params)
    except ValueError:
        _require_one_structure(grads, params)
        raise


@partial(jax.jit, static_argnums=2)  # one compilation where nothing around it is compiled
def _clip_units(leaf: Array, weights: Array, over: Axes, ratio: Array, floor: Array) -> Array:
    limit = _adaptive_limit(joint_norm((weights,), (over,)), ratio, floor)
    return clip_norm(leaf, joint_norm((leaf,), (over,)), over, limit)


def _adaptive_limit(weights: Norm, ratio: Array, floor: Array) -> Array:
    """Return ``ratio * max(weights, floor)``; inf if one is inf and the other is not 0."""
    size, scale = weights
    ratio, floor = ratio.astype(size.dtype), floor.astype(size.dtype)
    unlimited = (jnp.isinf(ratio) | jnp.isinf(floor)) & (ratio > 0)
    ratio, floor = (jnp.where(jnp.isinf(part), 0, part) for part in (ratio, floor))
    # In this order, because size * scale may be too large for the dtype.
    limit = jnp.maximum(ratio * size * scale, ratio * floor)
    limit = jnp.where((ratio == 0) & jnp.isinf(size), 0, limit)
    return jnp.where(unlimited, jnp.inf, limit)


def _require_one_structure(grads: Any, params: Any) -> None:
    given: Any = jax.tree.structure(grads, is_leaf=is_node_end)
    # what is None among the gradients may be anything among the weights
    try:
        given.flatten_up_to(params)
    except (ValueError, TypeError, KeyError):
        raise ValueError(
            "grads and params must be pytrees of the same structure, but "
            f"{given} and {jax.tree.structure(params, is_leaf=is_node_end)} were given. Give the "
            "weights that the gradients are of."
        ) from None


def _guessed_axes(leaf: Array) -> Axes:
    if sum(length > 1 for length in leaf.shape) <= 1:
        return tuple(range(leaf.ndim))
    return (0,) if leaf.ndim <= 3 else tuple(range(leaf.ndim - 1))
