"""Euclidean norms that neither overflow nor underflow, and vectors rescaled to a norm.

A norm is kept as ``size * scale``, two numbers that are both of moderate size where the
norm itself, or its square, may be too large or too small for the dtype.

Each leaf costs a few operations of the compiled program, no more than in Optax's clip, because
small leaves of one shape share a kernel, and so do all that are read again where squares overflow.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip.ops._squares import Axes, pairs, sums_of_squares


class Norm(NamedTuple):
    """A Euclidean norm, ``size * scale``: float arrays of one shape and dtype."""

    size: Array
    scale: Array

    @property
    def value(self) -> Array:
        """Return the norm as one number: inf where the dtype cannot hold it."""
        return self.size * self.scale


def working_dtype(leaves: tuple[Array, ...]) -> Any:
    """Return the dtype in which norms are computed: float64 if a leaf has it, else float32.

    For complex leaves it is the dtype of their parts.
    """
    wide = any(jnp.finfo(leaf.dtype).bits == 64 for leaf in leaves)  # type: ignore[no-untyped-call]
    return jnp.dtype(jnp.float64 if wide else jnp.float32)


def widened(leaf: Array) -> Array:
    """Convert a leaf that is narrower than 32 bits to float32, and leave others alone."""
    narrow = jnp.finfo(leaf.dtype).bits < 32  # type: ignore[no-untyped-call]
    return leaf.astype(jnp.float32) if narrow else leaf


def joint_norm(leaves: tuple[Array, ...], axes: tuple[Axes, ...]) -> Norm:
    """Compute the norm of several arrays taken together, over some axes of each.

    ``norm = sqrt(sum_i sum_axes |leaf_i| ** 2)``. Its derivative is ``leaf / norm``, and 0
    where the norm is 0.

    Args:
      leaves: float or complex arrays.
      axes: for each of them the axes that are summed over, none negative. What is left of
        the shapes is the same for all.

    Returns:
      The norm, of the shape that is left and of ``working_dtype``.
    """
    return joint_norms(leaves, axes, (0,) * len(leaves))[0]


def joint_norms(
    leaves: tuple[Array, ...], axes: tuple[Axes, ...], groups: tuple[int, ...]
) -> tuple[Norm, Array]:
    """Compute the norm of all leaves together, and those of groups of them, in one reading.

    Args:
      leaves, axes: as for ``joint_norm``.
      groups: for each leaf the number of its group, from 0, without a gap.

    Returns:
      The norm of all, and those of the groups, ``[G, ...]``, which have no derivative. In
      float32 a group below 1e-19 may be 0 beside a larger one.
    """
    if not leaves:
        return Norm(jnp.zeros((), jnp.float32), jnp.ones((), jnp.float32)), jnp.zeros(0)
    norm, parts, _ = _joint_norms(leaves, None, axes, groups, 1.0)
    return norm, parts


class _Plan(NamedTuple):
    """How leaves are brought from their norm to a target: kept, or ``leaf * a / b * c``."""

    target: Array
    keep: Array
    a: Array
    b: Array
    c: Array


@partial(jax.custom_jvp, nondiff_argnums=(2, 3, 4))
@partial(jax.jit, static_argnums=(2, 3, 4))
def _joint_norms(
    leaves: tuple[Array, ...],
    limit: Array | None,
    axes: tuple[Axes, ...],
    groups: tuple[int, ...],
    divisor: float,
) -> tuple[Norm, Array, _Plan | None]:
    """Return the norm, those of the groups, and the plan of a clip where a limit is given."""
    dtype = working_dtype(leaves)
    limits: Any = jnp.finfo(dtype)  # type: ignore[no-untyped-call]
    count = sum(math.prod(leaf.shape[a] for a in over) for leaf, over in pairs(leaves, axes))
    # Below this the squares that underflowed to 0 could be missed from the sum.
    least = count * float(limits.tiny) / float(limits.eps)
    up, down = 2.0 ** (3 * limits.maxexp // 4), 2.0 ** (-3 * limits.maxexp // 4)
    whole, parts = sums_of_squares(leaves, axes, groups, None, dtype)

    # All that the leaves share is settled in a branch, or XLA would repeat it in each leaf's code.
    def direct() -> Any:
        return found(whole, jnp.ones_like(whole), jnp.sqrt(parts))

    def rescued() -> Any:
        multiplier = jnp.where(whole > limits.max, down, jnp.where(whole < least, up, 1.0))
        multiplier = multiplier.astype(dtype)
        total, again = sums_of_squares(leaves, axes, groups, multiplier, dtype)
        # What is small beside a sum that overflowed was right the first time.
        right = (multiplier < 1) & (parts <= limits.max)
        norms = jnp.where(right, jnp.sqrt(parts), jnp.sqrt(again) / multiplier)
        return found(total, jnp.where(total == 0, 1, 1 / multiplier), norms)

    def found(whole: Array, scale: Array, parts: Array) -> Any:
        norm = Norm(jnp.sqrt(whole), scale)
        return norm, parts, None if limit is None else _clipping(norm, limit, divisor)

    # Where XLA knew the entries it would square the multiplier by itself, and that overflows.
    rare = jax.lax.optimization_barrier(jnp.any((whole > limits.max) | (whole < least)))  # type: ignore[no-untyped-call]
    # One branch is run: the second reading of the memory is for those who need it.
    result: tuple[Norm, Array, _Plan | None] = jax.lax.cond(rare, rescued, direct)
    return result


@_joint_norms.defjvp
def _joint_norms_jvp(
    axes: tuple[Axes, ...],
    groups: tuple[int, ...],
    divisor: float,
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
) -> tuple[Any, Any]:
    (leaves, limit), (moves, _) = primals, tangents
    norm, *rest = _joint_norms(leaves, limit, axes, groups, divisor)
    move = Norm(_size_tangent(leaves, norm, moves, axes), jnp.zeros_like(norm.scale))
    return (norm, *rest), (move, *_no_tangents(rest))


def _no_tangents(values: Any) -> Any:
    def zero(value: Array) -> Any:
        if jnp.issubdtype(value.dtype, jnp.inexact):
            return jnp.zeros_like(value)
        return np.zeros(value.shape, jax.dtypes.float0)

    return jax.tree.map(zero, values)


@partial(jax.jit, static_argnums=3)
def _size_tangent(
    leaves: tuple[Array, ...], norm: Norm, moves: tuple[Array, ...], axes: tuple[Axes, ...]
) -> Array:
    move = jnp.zeros_like(norm.size)
    for leaf, moved, over in zip(leaves, moves, axes, strict=True):
        direction = jnp.where(jnp.expand_dims(norm.size, over) == 0, 0, _unit(leaf, norm, over))
        along = _widen(moved, norm.size.dtype) / jnp.expand_dims(norm.scale, over)
        move = move + jnp.sum(_inner(direction, along), axis=over)
    return move


def rescale(leaf: Array, norm: Norm, over: Axes, target: Array, keep: Array) -> Array:
    """Rescale an array to a norm: ``target * leaf / norm``, or ``leaf`` itself where ``keep``.

    Where it is kept it is kept bit for bit, and the derivative is the identity, whatever
    the norm. Where the norm is 0 and the array is not kept, the result is 0.

    Args:
      leaf: a float or complex array.
      norm: of ``leaf``, or of a group to which it belongs, over the axes ``over``.
      target: the norm to rescale it to; NaN makes every entry NaN.
      keep: bool, where ``leaf`` is to be left alone; like ``target`` of ``norm``'s shape.

    Returns:
      An array of ``leaf``'s shape and dtype.
    """
    return _rescale_all((leaf,), norm, (over,), _planned(norm, target, keep))[0]


def clip_norm(leaf: Array, norm: Norm, over: Axes, limit: Array) -> Array:
    """Clip an array by its norm: ``leaf * min(1, limit / norm)``; see ``clip_norms``."""
    return clip_norms((leaf,), norm, (over,), limit)[0]


def clip_norms(
    leaves: tuple[Array, ...], norm: Norm, axes: tuple[Axes, ...], limit: Array
) -> tuple[Array, ...]:
    """Clip several arrays by one norm: ``leaf * min(1, limit / norm)``.

    Where the norm is within the limit, and where the limit is inf, the result is ``leaf``, bit
    for bit.

    Args:
      leaves, axes: as for ``joint_norm``.
      norm: of the leaves, or of a group to which they belong.
      limit: from 0 to inf, of a shape that fits ``norm``'s. NaN makes every entry NaN.

    Returns:
      Arrays of the leaves' shapes and dtypes. Below a limit of inf a norm that is inf or NaN
      makes every entry NaN.
    """
    return _rescale_all(leaves, norm, axes, _clipping(norm, limit))


def clip_joint_norm(
    leaves: tuple[Array, ...],
    axes: tuple[Axes, ...],
    limit: Array,
    divisor: float = 1.0,
    groups: tuple[int, ...] | None = None,
) -> tuple[tuple[Array, ...], Array, Array]:
    """Clip several arrays by the norm of all of them together.

    Args:
      leaves, axes: as for ``joint_norm``.
      limit: as for ``clip_norms``.
      divisor: what the norm is divided by before it is compared.
      groups: as for ``joint_norms``; all leaves are one group by default.

    Returns:
      The arrays, their norm before, not divided, and the norms of the groups, ``[G, ...]``.
    """
    if not leaves:
        return (), jnp.zeros((), jnp.float32), jnp.zeros(0)
    clipped, whole, parts = _clip_joint_norm(
        leaves, limit, axes, groups or (0,) * len(leaves), divisor
    )
    return clipped, whole, parts


@partial(jax.jit, static_argnums=(2, 3, 4))  # one compilation where nothing around is compiled
def _clip_joint_norm(
    leaves: tuple[Array, ...],
    limit: Array,
    axes: tuple[Axes, ...],
    groups: tuple[int, ...],
    divisor: float,
) -> tuple[tuple[Array, ...], Array, Array]:
    norm, parts, plan = _joint_norms(leaves, limit, axes, groups, divisor)
    # Once more, for its derivative: the values are those of the plan.
    target = _clipping(norm, limit, divisor).target
    measured = Norm(norm.size / divisor, norm.scale)
    clipped = _rescale_all(leaves, measured, axes, plan._replace(target=target))
    return clipped, norm.value, parts


def _clipping(norm: Norm, limit: Array, divisor: float = 1.0) -> _Plan:
    """Plan to clip to a limit by a norm, divided: the limit multiplied may be too large."""
    norm = Norm(norm.size / divisor, norm.scale)
    limit = jnp.broadcast_to(limit.astype(norm.size.dtype), norm.size.shape)
    # With a limit of 0 the size decides: a product may underflow to 0.
    within = jnp.where(limit > 0, norm.value <= limit, (limit == 0) & (norm.size == 0))
    within |= limit == jnp.inf  # NaN too
    return _planned(norm, jnp.where(jnp.isfinite(norm.size), limit, jnp.nan), within)


def _planned(norm: Norm, target: Array, keep: Array) -> _Plan:
    # What is kept has no use for a target: inf there would make NaN of a cotangent of 0.
    target = jnp.where(keep, 0, target.astype(norm.size.dtype))
    size, scale = _nonzero(norm.size), norm.scale
    # Ordinarily leaf / norm first. Where the norm is very large or small this may underflow
    # or overflow while target / norm is a number like others: then that comes first.
    limits: Any = jnp.finfo(size.dtype)  # type: ignore[no-untyped-call]
    factor = target / size / scale
    first = (scale != 1) & (jnp.abs(factor) >= limits.tiny) & (jnp.abs(factor) <= limits.max)
    factor = jnp.where(first, target, 0) / size / scale
    one = jnp.ones_like(size)
    a, b = jnp.where(first, factor, 1 / scale), jnp.where(first, one, size)
    return _Plan(target, keep, a, b, jnp.where(first, one, target))


def _rescale_all(
    leaves: tuple[Array, ...], norm: Norm, axes: tuple[Axes, ...], plan: _Plan
) -> tuple[Array, ...]:
    rescaled: tuple[Array, ...] = _rescale(leaves, norm.size, norm.scale, plan, axes)
    return rescaled


@partial(jax.custom_jvp, nondiff_argnums=(4,))
@partial(jax.jit, static_argnums=4)
def _rescale(
    leaves: tuple[Array, ...], size: Array, scale: Array, plan: _Plan, axes: tuple[Axes, ...]
) -> tuple[Array, ...]:
    return tuple(_rescale_leaf(leaf, plan, over) for leaf, over in pairs(leaves, axes))


@partial(jax.jit, static_argnums=2)  # traced once for leaves of one shape
def _rescale_leaf(leaf: Array, plan: _Plan, over: Axes) -> Array:
    return _where(plan.keep, leaf, _times(leaf, plan, over).astype(leaf.dtype), over)


@_rescale.defjvp
def _rescale_jvp(
    axes: tuple[Axes, ...], primals: tuple[Any, ...], tangents: tuple[Any, ...]
) -> tuple[Any, Any]:
    moves, dsize, _, plan = tangents
    return _rescale(*primals, axes), _rescale_tangent(primals, (moves, dsize, plan.target), axes)


@partial(jax.jit, static_argnums=2)
def _rescale_tangent(
    primals: tuple[Any, ...], tangents: tuple[Any, ...], axes: tuple[Axes, ...]
) -> tuple[Array, ...]:
    leaves, size, scale, plan = primals
    moves, dsize, dtarget = tangents
    norm = Norm(size, scale)
    plan = _planned(norm, plan.target, plan.keep)  # once more, because it has a derivative too
    stretch = dtarget - (plan.target / _nonzero(size)) * dsize

    def tangent(leaf: Array, move: Array, over: Axes) -> Array:
        stretched = _unit(leaf, norm, over) * jnp.expand_dims(stretch, over)
        moved = (_times(move, plan, over) + stretched).astype(move.dtype)
        return _where(plan.keep, move, moved, over)

    return tuple(tangent(*each) for each in zip(leaves, moves, axes, strict=True))


def _unit(leaf: Array, norm: Norm, over: Axes) -> Array:
    """Return ``leaf / norm`` in the norm's dtype; 0 / 1 where the norm is 0."""
    size, scale = (jnp.expand_dims(part, over) for part in norm)
    return _widen(leaf, norm.size.dtype) * (1 / scale) / _nonzero(size)


def _times(leaf: Array, plan: _Plan, over: Axes) -> Array:
    """Return ``leaf * a / b * c`` in the norm's dtype, or the complex dtype of its width."""
    if jnp.iscomplexobj(leaf):  # by parts: a complex product has inf * 0
        return jax.lax.complex(_times(leaf.real, plan, over), _times(leaf.imag, plan, over))
    factors = plan.a, plan.b, plan.c
    a, b, c = (jnp.expand_dims(part, over) if part.ndim else part for part in factors)
    return leaf.astype(a.dtype) * a / b * c


def _where(keep: Array, kept: Array, other: Array, over: Axes) -> Array:
    """``jnp.where``, which takes a few operations more where ``keep`` is one for all."""
    if keep.ndim:
        return jnp.where(jnp.expand_dims(keep, over), kept, other)
    return jax.lax.select(keep, kept, other)


def _widen(leaf: Array, dtype: Any) -> Array:
    """Convert an array to a real dtype, or to the complex dtype of its width."""
    return leaf.astype(jnp.result_type(dtype, jnp.complex64) if jnp.iscomplexobj(leaf) else dtype)


def _inner(a: Array, b: Array) -> Array:
    return jnp.real(jnp.conj(a) * b) if jnp.iscomplexobj(a) else a * b


def _nonzero(size: Array) -> Array:
    return jnp.where(size == 0, jnp.ones_like(size), size)
