"""Cotangents of many losses, pulled back through one application: one row of numbers a loss."""

from __future__ import annotations

import math
from itertools import compress
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.flatten_util import ravel_pytree

from gradlab.ops._norms import joint_norm
from gradlab.unroll._ledger_arguments import Floats, Split, floats_of
from gradlab.unroll.placements import Step


def pull_rows(
    step: Step, params: Any, total: Any, state: Any, x: Any, rows: Floats, j: Array, at_once: int
) -> tuple[Array, Array, Floats]:
    """Pull each loss's cotangent back through one application, a group of losses at a time.

    Args:
      step, params, state, x: the application, ``step(params, state, x)``.
      total: a pytree like the parameters, to take inner products with.
      rows: the cotangents of the floats of the application's output, ``[K, ...]`` each. Those of
        the losses before j are 0.
      j: int ``[]``; groups in which all losses are before it are left out.
      at_once: a group is so many numbers of the parameters' gradients, or one loss.

    Returns:
      For each loss the norm of what reaches the parameters, and its inner product with the
      total, float ``[K]`` each; and the cotangents of the application's input, like ``rows``.
    """
    floats, read = floats_of(state), _read_by(step, params, state, x)
    _, pull = jax.vjp(
        lambda p, f: floats_of(step(read.merge(p), floats.merge(f), x)).floats,
        read.floats,
        floats.floats,
    )
    dtype = jnp.result_type(jnp.float32, *jax.tree.leaves(params))
    along = ravel_pytree(list(compress(jax.tree.leaves(total), read.which)))[0].astype(dtype)

    def back_and_gradient(row: Floats) -> tuple[Floats, Array]:
        of_params, back = pull(row)
        return back, ravel_pytree(of_params)[0].astype(dtype)

    def group(rows: Floats) -> tuple[Array, Array, Floats]:
        back, gradients = jax.vmap(back_and_gradient)(rows)
        return row_norms([gradients]), gradients @ along, back

    steps = rows[0].shape[0]
    size = sum(leaf.size for leaf in read.floats)
    groups = math.ceil(steps / max(1, at_once // max(size, 1)))
    if groups == 1:
        return group(rows)
    group_size = math.ceil(steps / groups)
    rows = [_with_zeros(leaf, groups * group_size) for leaf in rows]

    def pull_group(number: Array, held: tuple[Array, Array, Floats]) -> tuple[Array, Array, Floats]:
        """Put a group's results where its rows stood."""
        rows = [lax.dynamic_slice_in_dim(leaf, number * group_size, group_size) for leaf in held[2]]
        found: tuple[Array, Array, Floats] = jax.tree.map(
            lambda whole, part: lax.dynamic_update_slice_in_dim(
                whole, part, number * group_size, 0
            ),
            held,
            group(rows),
        )
        return found

    nothing = jnp.zeros(groups * group_size, dtype)
    held = lax.fori_loop(j // group_size, groups, pull_group, (nothing, nothing, rows))
    trimmed: tuple[Array, Array, Floats] = jax.tree.map(lambda whole: whole[:steps], held)
    return trimmed


def row_norms(leaves: Floats) -> Array:
    """Compute the norm of each row of several arrays taken together, ``[rows]``."""
    return joint_norm(tuple(leaves), tuple(tuple(range(1, leaf.ndim)) for leaf in leaves)).value


def _read_by(step: Step, params: Any, state: Any, x: Any) -> Split:
    """Split off the parameters that a step reads, as its trace says: no others get a gradient."""
    leaves, structure = jax.tree.flatten(params)
    trace = jax.make_jaxpr(step)(params, state, x).jaxpr
    read = {id(var) for var in trace.outvars}.union(*(map(id, e.invars) for e in trace.eqns))
    which = [id(var) in read for var in trace.invars[: len(leaves)]]
    return Split(list(compress(leaves, which)), leaves, which, structure)


def _with_zeros(leaf: Array, rows: int) -> Array:
    return jnp.pad(leaf, [(0, rows - leaf.shape[0])] + [(0, 0)] * (leaf.ndim - 1))
