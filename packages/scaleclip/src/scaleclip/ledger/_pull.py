"""Pull the cotangents of many losses back through one step, a row for each loss."""

from __future__ import annotations

import math
from itertools import compress
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.flatten_util import ravel_pytree

from scaleclip.ledger._arguments import Floats, Split, floats_of
from scaleclip.ledger.placements import Step
from scaleclip.ops._norms import joint_norm


def pull_rows(
    step: Step, read: Split, along: Array, state: Any, x: Any, rows: Floats, j: Array, at_once: int
) -> tuple[Array, Array, Floats, Array]:
    """Pull each loss's cotangent back through one step, a group of losses at a time.

    Args:
      step, state, x: the step, ``step(params, state, x)``.
      read: the parameters, of ``read_by``.
      along: float ``[size]``, the numbers of ``read``; to take inner products with.
      rows: the cotangents of the floats of the step's output, ``[K, ...]`` each. Those of
        the losses before j are 0.
      j: int ``[]``; groups in which all losses are before it are left out.
      at_once: a group is so many numbers of the parameters' gradients, or one loss.

    Returns:
      For each loss the norm of what reaches the parameters, and its inner product with
      ``along``, float ``[K]`` each; the cotangents of the step's input, like ``rows``; and
      the sum of what reaches the parameters, float ``[size]``.
    """
    floats = floats_of(state)
    _, pull = jax.vjp(
        lambda p, f: floats_of(step(read.merge(p), floats.merge(f), x)).floats,
        read.floats,
        floats.floats,
    )

    def back_and_gradient(row: Floats) -> tuple[Floats, Array]:
        of_params, back = pull(row)
        return back, ravel_pytree(of_params)[0].astype(along.dtype)

    def group(rows: Floats) -> tuple[Array, Array, Floats, Array]:
        back, gradients = jax.vmap(back_and_gradient)(rows)
        norms = row_norms([gradients])
        summed = jnp.matmul(jnp.ones_like(norms), gradients, precision="highest")
        return norms, gradients @ along, back, summed

    steps = rows[0].shape[0]
    groups = math.ceil(steps / max(1, at_once // max(along.size, 1)))
    if groups == 1:
        return group(rows)
    group_size = math.ceil(steps / groups)
    missing = groups * group_size - steps
    rows = [jnp.pad(leaf, [(0, missing)] + [(0, 0)] * (leaf.ndim - 1)) for leaf in rows]

    def pull_group(number: Array, held: tuple[Any, Array]) -> tuple[Any, Array]:
        """Put a group's results where its rows stood, and add its sum."""
        before, summed = held
        rows = [
            lax.dynamic_slice_in_dim(leaf, number * group_size, group_size) for leaf in before[2]
        ]
        *found, of_group = group(rows)
        put = jax.tree.map(
            lambda whole, part: lax.dynamic_update_slice_in_dim(
                whole, part, number * group_size, 0
            ),
            before,
            tuple(found),
        )
        return put, summed + of_group

    nothing = jnp.zeros(groups * group_size, along.dtype)
    start = (nothing, nothing, rows), jnp.zeros_like(along)
    held, summed = lax.fori_loop(j // group_size, groups, pull_group, start)
    norms, products, back = jax.tree.map(lambda whole: whole[:steps], held)
    return norms, products, back, summed


def row_norms(leaves: Floats) -> Array:
    """Compute the norm of each row of several arrays taken together, ``[rows]``."""
    return joint_norm(tuple(leaves), tuple(tuple(range(1, leaf.ndim)) for leaf in leaves)).value


def read_by(step: Step, params: Any, state: Any, x: Any) -> Split:
    """Split off the parameters that a step reads, as its trace says: no others get a gradient."""
    leaves, structure = jax.tree.flatten(params)
    trace = jax.make_jaxpr(step)(params, state, x).jaxpr
    read = {id(var) for var in trace.outvars}.union(*(map(id, e.invars) for e in trace.eqns))
    which = [id(var) in read for var in trace.invars[: len(leaves)]]
    return Split(list(compress(leaves, which)), leaves, which, structure)
