"""The ledger once more, from its definition: a copy of the parameters for each step.

The unroll is a Python loop. Step j reads copy j of the parameters, head j
another; zeros added to each state tell the cotangents there. One ``jax.jacrev`` of all K losses
with respect to all of them says everything that a ledger says.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


def gates(placement: str, scale: Any, steps: int) -> tuple[Any, Any]:
    """The factors ``[K]`` on gradients at the input of each step, and at its output."""
    ones, full = np.ones(steps), np.full(steps, float(scale))
    beyond_the_root = np.where(np.arange(steps) > 0, full, ones)
    return {
        "after_heads": (beyond_the_root, ones),
        "every_input": (full, ones),
        "before_heads": (ones, full),
        "off": (ones, ones),
    }[placement]


def scaled(tree: Any, factor: Any) -> Any:
    """The floats of a pytree, their gradient scaled, in the way of the asker's answer."""

    def scaled_leaf(leaf: Any) -> Any:
        if not jnp.issubdtype(jnp.asarray(leaf).dtype, jnp.floating):
            return leaf
        kept = jax.lax.stop_gradient(leaf)
        return kept + factor * (leaf - kept)

    return jax.tree.map(scaled_leaf, tree)


def added(tree: Any, vector: Any) -> Any:
    """A pytree with the entries of a vector added to its floats, taken in order."""
    leaves, structure = jax.tree.flatten(tree)
    out, start = [], 0
    for leaf in map(jnp.asarray, leaves):
        if jnp.issubdtype(leaf.dtype, jnp.floating):
            leaf, start = (
                leaf + vector[start : start + leaf.size].reshape(leaf.shape),
                start + leaf.size,
            )
        out.append(leaf)
    return jax.tree.unflatten(structure, out)


def size(tree: Any) -> int:
    """Count the floats of a pytree."""
    return sum(
        jnp.size(leaf)
        for leaf in jax.tree.leaves(tree)
        if jnp.issubdtype(jnp.asarray(leaf).dtype, jnp.floating)
    )


def flat(tree: Any) -> np.ndarray:
    """The floats of a pytree in one vector of NumPy's."""
    leaves = [np.ravel(leaf).astype(np.float64) for leaf in jax.tree.leaves(tree)]
    return np.concatenate(leaves)


@partial(jax.jit, static_argnums=(0, 1))
def _gradients(
    step: Any, head: Any, params: Any, state: Any, inputs: Any, at_input: Any, at_output: Any,
    weights: Any,
) -> Any:  # fmt: skip
    steps = weights.shape[0]
    vector, back = ravel_pytree(params)

    def losses(of_step: Any, of_head: Any, at_root: Any, probes: Any) -> Any:
        h, found = added(state, at_root), []
        for j in range(steps):
            x = jax.tree.map(lambda leaf, j=j: leaf[j], inputs)
            h = step(back(of_step[j]), scaled(h, at_input[j]), x)
            h = scaled(added(h, probes[j]), at_output[j])
            found.append(weights[j] * head(back(of_head[j]), h, x))
        return jnp.stack(found)

    copies = jnp.tile(vector, (steps, 1))
    width = size(state)
    zeros = jnp.zeros(width, vector.dtype), jnp.zeros((steps, width), vector.dtype)
    values = losses(copies, copies, *zeros)
    return values, jax.jacrev(losses, argnums=(0, 1, 2, 3))(copies, copies, *zeros)


def reference(
    step: Any, head: Any, params: Any, state: Any, inputs: Any, *, scale: Any = 1.0,
    placement: str = "after_heads", weights: Any = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Compute what a ledger of the same arguments should hold, pytrees flattened."""
    steps = len(jax.tree.leaves(inputs)[0])
    weights = np.full(steps, 1 / steps) if weights is None else np.asarray(weights, float)
    arguments = (params, state, inputs, *gates(placement, scale, steps), weights)
    values, parts = _gradients(step, head, *arguments)
    values, (of_step, of_head, root, probes) = jax.tree.map(np.asarray, (values, parts))
    k = np.arange(steps)
    total = of_step.sum((0, 1))
    later = np.tril(np.ones((steps, steps)), -1)
    return {
        "weighted losses": values,
        "norms": np.linalg.norm(of_step, axis=-1),
        "inner_products": of_step @ total,
        "head_norms": np.linalg.norm(of_head[k, k], axis=-1),
        "own": np.linalg.norm(probes[k, k], axis=-1),
        "through": np.linalg.norm(np.einsum("kj,kjd->jd", later, probes), axis=-1),
        "root": np.linalg.norm(root, axis=-1),
        "state_cotangent": root.sum(0),
        "step_total": total,
        "total": total + of_head.sum((0, 1)),
    }
