"""Sums of the squares of many arrays, in few kernels: what a norm over a pytree reads.

Small leaves of one shape share a kernel, because each kernel takes XLA time to compile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

Axes = tuple[int, ...]

BUNDLE, SMALL = 8, 2**14
"""So many leaves of one shape are read together if they have so few entries: fewer kernels to compile."""


def sums_of_squares(
    leaves: tuple[Array, ...],
    axes: tuple[Axes, ...],
    groups: tuple[int, ...],
    multiplier: Array | None,
    dtype: Any,
) -> tuple[Array, Array]:
    """Sum the squares of leaves, multiplied first: of all, and of each group, ``[G, ...]``."""
    count = max(groups) + 1
    bundles = _bundles(leaves, axes, SMALL if multiplier is None or count > 1 else math.inf)
    if multiplier is None:
        own: tuple[Array | None, ...] = (None,) * len(bundles)
    else:
        # To each its own, because one that all shared XLA would spread over as much memory as a
        # leaf has.
        own = jax.lax.optimization_barrier((multiplier,) * len(bundles))  # type: ignore[no-untyped-call]
    sums = [
        _sum_of_squares(tuple(leaves[n] for n in bundle), by, axes[bundle[0]], dtype, count > 1)
        for bundle, by in zip(bundles, own, strict=True)
    ]
    if count == 1:
        whole = sum(sums[1:], start=sums[0])
        return whole, whole[None]
    of = np.array([groups[n] for bundle in bundles for n in bundle])
    parts = jax.ops.segment_sum(jnp.concatenate(sums), of, count)
    return jnp.sum(parts, axis=0), parts


def _bundles(leaves: tuple[Array, ...], axes: tuple[Axes, ...], small: float) -> list[list[int]]:
    """Bundle the numbers of leaves of one type that are small, at most ``BUNDLE`` together."""
    alike: dict[Any, list[int]] = {}
    for n, (leaf, over) in enumerate(pairs(leaves, axes)):
        alone = None if leaf.size <= small else n
        alike.setdefault((over, jax.typeof(leaf), alone), []).append(n)
    return [some[n : n + BUNDLE] for some in alike.values() for n in range(0, len(some), BUNDLE)]


@partial(jax.jit, static_argnums=(2, 3, 4))  # traced once for leaves of one shape
def _sum_of_squares(
    bundle: tuple[Array, ...], multiplier: Array | None, over: Axes, dtype: Any, apart: bool
) -> Array:
    """Sum the squares of leaves of one type, multiplied first: of all, or of each apart."""

    def squares(leaf: Array) -> Any:
        total: Any = 0
        for part in (leaf.real, leaf.imag) if jnp.iscomplexobj(leaf) else (leaf,):
            part = part.astype(dtype)
            if multiplier is not None:
                part = part * jnp.expand_dims(multiplier, over)
            total = total + part * part
        return total

    if not apart:
        return jax.lax.reduce_sum(sum(map(squares, bundle)), over)
    if len(bundle) == 1:
        return jax.lax.reduce_sum(squares(bundle[0]), over)[None]
    over = tuple(axis + 1 for axis in over)
    multiplier = None if multiplier is None else multiplier[None]
    return jax.lax.reduce_sum(squares(jnp.stack(bundle)), over)


def pairs(leaves: tuple[Array, ...], axes: tuple[Axes, ...]) -> Iterator[tuple[Array, Axes]]:
    """Return each leaf with the axes that are summed over."""
    return zip(leaves, axes, strict=True)
