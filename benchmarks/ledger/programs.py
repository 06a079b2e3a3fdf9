"""What is timed: the ledger, ways to its entries without it, and the gradient alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree

from benchmarks.ledger.models import Unroll
from gradlab.ops import scale_gradient
from gradlab.unroll import ledger
from gradlab.unroll.placements import unroll_losses

SCALE = 0.5
"""What the state's gradient is scaled by after the heads, as in MuZero."""

Entries = tuple[Array, Array]
"""Norms and inner products, ``[K, K]`` each."""


def gradient(unroll: Unroll, params: Any, state: Any, inputs: Any) -> Any:
    """One backward pass of the whole loss: the least that a gradient costs."""

    def loss(params: Any, state: Any) -> Array:
        losses = unroll_losses(unroll.step, unroll.head, params, state, inputs, scale=SCALE)[1]
        return jnp.mean(losses)

    return jax.grad(loss, (0, 1))(params, state)


def by_ledger(unroll: Unroll, params: Any, state: Any, inputs: Any) -> Any:
    """The ledger, with all that it holds."""
    return ledger(unroll.step, unroll.head, params, state, inputs, scale=SCALE)


def by_copies(unroll: Unroll, params: Any, state: Any, inputs: Any) -> Entries:
    """The definition: a copy of the parameters for each application, all gradients at once.

    ``jax.jacrev`` of the K losses with respect to the K copies, ``[K, K]`` gradients.
    """
    losses, copies = _copied(unroll, params, state, inputs)
    jacobian = jax.jacrev(losses)(copies)
    return _lengths(jacobian), jacobian @ jnp.sum(jacobian, axis=(0, 1))


def by_passes(unroll: Unroll, params: Any, state: Any, inputs: Any) -> Entries:
    """The same copies, and a backward pass for each loss, one after another: K gradients at once."""
    losses, copies = _copied(unroll, params, state, inputs)
    values, pull = jax.vjp(losses, copies)
    total = jnp.sum(pull(jnp.ones_like(values))[0], axis=0)

    def row(one: Array) -> Entries:
        (gradients,) = pull(one)
        return _lengths(gradients), gradients @ total

    found: Entries = jax.lax.map(row, jnp.eye(len(values)))
    return found


def _copied(
    unroll: Unroll, params: Any, state: Any, inputs: Any
) -> tuple[Callable[[Array], Array], Array]:
    """The weighted losses as a function of K copies of the parameters, one for each ``step``."""
    vector, shaped = ravel_pytree(params)
    steps = len(jax.tree.leaves(inputs)[0])

    def application(h: Any, one: Any) -> tuple[Any, Array]:
        copy, x = one
        h = unroll.step(shaped(copy), h, x)
        loss = unroll.head(params, h, x)
        return scale_gradient(h, SCALE), loss / steps

    def losses(copies: Array) -> Array:
        found: Array = jax.lax.scan(application, state, (copies, inputs))[1]
        return found

    return losses, jnp.tile(vector, (steps, 1))


def _lengths(gradients: Array) -> Array:
    return jnp.sqrt(jnp.sum(gradients**2, axis=-1))


PROGRAMS: dict[str, Callable[..., Any]] = {
    "gradient": gradient,
    "ledger": by_ledger,
    "passes": by_passes,
    "copies": by_copies,
}


@dataclass(frozen=True)
class Compiled:
    """A program, how long it took to compile, and the bytes that it wants at a time.

    ``temporary`` is what it sets aside beside its arguments and its results.
    """

    call: Callable[[], Any]
    seconds: float
    temporary: int
    results: int


def compiled(name: str, unroll: Unroll) -> Compiled:
    """Compiles a program for an unroll, and reads off its memory. It is not run."""
    program = PROGRAMS[name]
    given = unroll.params, unroll.state, unroll.inputs
    forget: Any = jax.clear_caches  # it carries no types; what others traced is not to be found
    forget()
    start = time.perf_counter()
    done = jax.jit(lambda *arguments: program(unroll, *arguments)).lower(*given).compile()
    seconds = time.perf_counter() - start
    memory: Any = done.memory_analysis()
    ready: Any = jax.block_until_ready  # it carries no types
    return Compiled(
        lambda: ready(done(*given)), seconds, memory.temp_size_in_bytes, memory.output_size_in_bytes
    )


def entries(found: Any) -> Entries:
    """Norms and inner products of what a program other than the gradient returned."""
    return found if isinstance(found, tuple) else (found.norms, found.inner_products)


def apart(found: Any, expected: Any) -> float:
    """How far two results are apart at most, in units of the largest entry of the same loss."""
    worst = 0.0
    for one, other in zip(entries(found), entries(expected), strict=True):
        a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
        worst = max(worst, float(np.max(np.abs(a - b) / np.max(np.abs(b), axis=1, keepdims=True))))
    return worst
