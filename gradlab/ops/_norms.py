"""Euclidean norms that neither overflow nor underflow, and vectors rescaled to a norm.

A norm is kept as ``size * scale``, two numbers that are both of moderate size where the
norm itself, or its square, may be too large or too small for the dtype.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

Axes = tuple[int, ...]


class Norm(NamedTuple):
    """A Euclidean norm, ``size * scale``: float arrays of one shape and dtype."""

    size: Array
    scale: Array

    @property
    def value(self) -> Array:
        """Return the norm as one number: inf where the dtype cannot hold it."""
        return self.size * self.scale


def working_dtype(leaves: tuple[Array, ...]) -> Any:
    """Return the dtype in which norms are computed: float64 if a leaf is, else float32."""
    return jnp.result_type(jnp.float32, *(leaf.dtype for leaf in leaves))


def joint_norm(leaves: tuple[Array, ...], axes: tuple[Axes, ...]) -> Norm:
    """Compute the norm of several arrays taken together, over some axes of each.

    ``norm = sqrt(sum_i sum_axes leaf_i ** 2)``. Its derivative is ``leaf / norm``, and 0
    where the norm is 0.

    Args:
      leaves: float arrays.
      axes: for each of them the axes that are summed over, none negative. What is left of
        the shapes is the same for all.

    Returns:
      The norm, of the shape that is left and of ``working_dtype``.
    """
    if not leaves:
        return Norm(jnp.zeros((), jnp.float32), jnp.ones((), jnp.float32))
    norm: Norm = _joint_norm(leaves, axes)
    return norm


@partial(jax.custom_jvp, nondiff_argnums=(1,))
@partial(jax.jit, static_argnums=1)
def _joint_norm(leaves: tuple[Array, ...], axes: tuple[Axes, ...]) -> Norm:
    dtype = working_dtype(leaves)
    squares = _sum_of_squares(leaves, axes, dtype)
    count = sum(math.prod(leaf.shape[a] for a in over) for leaf, over in _pairs(leaves, axes))
    if count == 0 or squares.size == 0:  # nothing is summed
        return Norm(squares, jnp.ones_like(squares))
    # Below this the squares that underflowed to 0 could be missed from the sum.
    limits: Any = jnp.finfo(dtype)  # type: ignore[no-untyped-call]
    least = count * float(limits.tiny) / float(limits.eps)
    safe = jnp.all((squares >= least) & (squares <= limits.max))

    def unscaled(leaves: tuple[Array, ...], squares: Array) -> Norm:
        return Norm(jnp.sqrt(squares), jnp.ones_like(squares))

    def scaled(leaves: tuple[Array, ...], squares: Array) -> Norm:
        # Each leaf by a scale of its own: one that they shared XLA would spread over as much
        # memory as a leaf has, for all leaves of one shape.
        norms = [_scaled_norm(leaf, over, dtype) for leaf, over in _pairs(leaves, axes)]
        scales = [jnp.where(norm.size == 0, 0, norm.scale) for norm in norms]
        scale = _nonzero(jax.tree.reduce(jnp.maximum, scales))
        shares = [jnp.square(norm.size * (norm.scale / scale)) for norm in norms]
        return Norm(jnp.sqrt(sum(shares[1:], start=shares[0])), scale)

    # One branch is run: the second reading of the memory is for those who need it.
    norm: Norm = jax.lax.cond(safe, unscaled, scaled, leaves, squares)
    return norm


@_joint_norm.defjvp
def _joint_norm_jvp(
    axes: tuple[Axes, ...],
    primals: tuple[tuple[Array, ...]],
    tangents: tuple[tuple[Array, ...]],
) -> tuple[Norm, Norm]:
    (leaves,), (moves,) = primals, tangents
    norm = _joint_norm(leaves, axes)
    return norm, Norm(_size_tangent(leaves, norm, moves, axes), jnp.zeros_like(norm.scale))


@partial(jax.jit, static_argnums=3)
def _size_tangent(
    leaves: tuple[Array, ...], norm: Norm, moves: tuple[Array, ...], axes: tuple[Axes, ...]
) -> Array:
    move = jnp.zeros_like(norm.size)
    for leaf, moved, over in zip(leaves, moves, axes, strict=True):
        direction = jnp.where(jnp.expand_dims(norm.size, over) == 0, 0, _unit(leaf, norm, over))
        along = moved.astype(norm.size.dtype) / jnp.expand_dims(norm.scale, over)
        move = move + jnp.sum(direction * along, axis=over)
    return move


def rescale(leaf: Array, norm: Norm, over: Axes, target: Array, keep: Array) -> Array:
    """Rescale an array to a norm: ``target * leaf / norm``, or ``leaf`` itself where ``keep``.

    Where it is kept it is kept bit for bit, and the derivative is the identity, whatever
    the norm. Where the norm is 0 and the array is not kept, the result is 0.

    Args:
      leaf: a float array.
      norm: of ``leaf``, or of a group to which it belongs, over the axes ``over``.
      target: the norm to rescale it to; NaN makes every entry NaN.
      keep: bool, where ``leaf`` is to be left alone; like ``target`` of ``norm``'s shape.

    Returns:
      An array of ``leaf``'s shape and dtype.
    """
    size, scale, target, keep = (jnp.expand_dims(part, over) for part in (*norm, target, keep))
    # What is kept has no use for a target: inf there would make NaN of a cotangent of 0.
    target = jnp.where(keep, 0, target.astype(size.dtype))
    rescaled: Array = _rescale(leaf, size, scale, target, keep)
    return rescaled


def clip_norm(leaf: Array, norm: Norm, over: Axes, limit: Array) -> Array:
    """Clip an array by its norm: ``leaf * min(1, limit / norm)``.

    Where the norm is within the limit the result is ``leaf``, bit for bit.

    Args:
      leaf, norm, over: as for ``rescale``.
      limit: from 0 to inf, of a shape that fits ``norm``'s. NaN makes every entry NaN.

    Returns:
      An array of ``leaf``'s shape and dtype. A norm that is inf or NaN makes every entry
      NaN; a limit of inf lets what has the norm inf through.
    """
    limit = jnp.broadcast_to(limit.astype(norm.size.dtype), norm.size.shape)
    # With a limit of 0 the size decides: a product may underflow to 0.
    within = jnp.where(limit > 0, norm.value <= limit, (limit == 0) & (norm.size == 0))
    return rescale(leaf, norm, over, jnp.where(jnp.isfinite(norm.size), limit, jnp.nan), within)


def clip_joint_norm(
    leaves: tuple[Array, ...], axes: tuple[Axes, ...], limit: Array, divisor: float = 1.0
) -> tuple[tuple[Array, ...], Array]:
    """Clip several arrays by the norm of all of them together.

    Args:
      leaves, axes: as for ``joint_norm``.
      limit: as for ``clip_norm``.
      divisor: what the norm is divided by before it is compared.

    Returns:
      The arrays, and their norm before, not divided.
    """
    clipped, norm = _clip_joint_norm(leaves, axes, limit, divisor)
    return clipped, norm


@partial(jax.jit, static_argnums=1)  # one compilation where nothing around it is compiled
def _clip_joint_norm(
    leaves: tuple[Array, ...], axes: tuple[Axes, ...], limit: Array, divisor: float
) -> tuple[tuple[Array, ...], Array]:
    norm = joint_norm(leaves, axes)
    # The norm is divided, because the limit multiplied may be too large for the dtype.
    measured = Norm(norm.size / divisor, norm.scale)
    clipped = (clip_norm(leaf, measured, over, limit) for leaf, over in _pairs(leaves, axes))
    return tuple(clipped), norm.value


@jax.custom_jvp
@jax.jit
def _rescale(leaf: Array, size: Array, scale: Array, target: Array, keep: Array) -> Array:
    sized = _times(leaf, Norm(size, scale), target)
    return jnp.where(keep, leaf, sized.astype(leaf.dtype))


@_rescale.defjvp
def _rescale_jvp(primals: tuple[Array, ...], tangents: tuple[Any, ...]) -> tuple[Array, Array]:
    dleaf, dsize, _, dtarget, _ = tangents
    return _rescale(*primals), _rescale_tangent(primals, (dleaf, dsize, dtarget))


@jax.jit
def _rescale_tangent(primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> Array:
    leaf, size, scale, target, keep = primals
    dleaf, dsize, dtarget = tangents
    direction = _unit(leaf, Norm(size, scale), ())
    along = _times(dleaf, Norm(size, scale), target)
    stretched = direction * (dtarget - (target / _nonzero(size)) * dsize)
    return jnp.where(keep, dleaf, (along + stretched).astype(leaf.dtype))


def _unit(leaf: Array, norm: Norm, over: Axes) -> Array:
    """Return ``leaf / norm`` in the norm's dtype; 0 / 1 where the norm is 0."""
    size, scale = (jnp.expand_dims(part, over) for part in norm)
    return leaf.astype(size.dtype) * (1 / scale) / _nonzero(size)


def _times(leaf: Array, norm: Norm, target: Array) -> Array:
    """Return ``leaf * target / norm`` in the norm's dtype, in an order that loses no entry."""
    size, scale = _nonzero(norm.size), norm.scale
    # Ordinarily leaf / norm first. Where the norm is very large or small this may underflow
    # or overflow while target / norm is a number like others: then that comes first.
    limits: Any = jnp.finfo(size.dtype)  # type: ignore[no-untyped-call]
    factor = target / size / scale
    first = (scale != 1) & (jnp.abs(factor) >= limits.tiny) & (jnp.abs(factor) <= limits.max)
    factor = jnp.where(first, target, 0) / size / scale
    one = jnp.ones_like(size)
    divided = leaf.astype(size.dtype) * jnp.where(first, factor, 1 / scale)
    return divided / jnp.where(first, one, size) * jnp.where(first, one, target)


def _nonzero(size: Array) -> Array:
    return jnp.where(size == 0, jnp.ones_like(size), size)


def _sum_of_squares(leaves: tuple[Array, ...], axes: tuple[Axes, ...], dtype: Any) -> Array:
    sums = [
        jnp.sum(jnp.square(leaf.astype(dtype)), axis=over) for leaf, over in _pairs(leaves, axes)
    ]
    return sum(sums[1:], start=sums[0])


def _scaled_norm(leaf: Array, over: Axes, dtype: Any) -> Norm:
    limits: Any = jnp.finfo(dtype)  # type: ignore[no-untyped-call]
    # Where XLA knows the entries it would square the scale by itself, and that overflows.
    leaf = jax.lax.optimization_barrier(leaf)  # type: ignore[no-untyped-call]
    largest = jnp.max(jnp.abs(leaf), axis=over, initial=0).astype(dtype)
    # So far from the ends of the range that it, its inverse, and what a derivative makes
    # of both, are normal numbers, as the squares are; NaN and inf stay in size.
    scale = jnp.clip(largest, 2.0 ** (3 * limits.minexp // 4), 2.0 ** (3 * limits.maxexp // 4))
    scale = jnp.where(jnp.isfinite(largest) & (largest > 0), scale, 1.0).astype(dtype)
    divided = leaf.astype(dtype) / jnp.expand_dims(scale, over)
    return Norm(jnp.sqrt(jnp.sum(jnp.square(divided), axis=over)), scale)


def _pairs(leaves: tuple[Array, ...], axes: tuple[Axes, ...]) -> Iterator[tuple[Array, Axes]]:
    return zip(leaves, axes, strict=True)
