"""Unrolls of three networks, and programs: the ledger, ways to its entries without it, the gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree

from scaleclip.ledger import ledger
from sccbook.models import muzero, recurrent
from scaleclip.ledger.placements import unroll_losses

INPUTS, UNITS, CLASSES = 8, 32, 10
BATCH, ACTIONS = 16, 4
SCALE = 0.5
"""Factor of the state's gradient after the heads, as in MuZero."""

Entries = tuple[Array, Array]
"""Norms and inner products, ``[K, K]`` each."""


class Unroll(NamedTuple):
    """The functions of an unroll, and what they are given."""

    step: Callable[[Any, Any, Any], Any]
    head: Callable[[Any, Any, Any], Any]
    params: Any
    state: Any
    inputs: Any


def tanh(steps: int) -> Unroll:
    """A tanh RNN of 32 units that reads vectors of 8 and names one of 10 classes at each step."""
    params = recurrent.init_tanh(jax.random.key(0), INPUTS, UNITS, CLASSES)
    return _classifying(recurrent.tanh_step, params, recurrent.tanh_state(params), steps)


def lstm(steps: int) -> Unroll:
    """The same with an LSTM of 32 units."""
    params = recurrent.init_lstm(jax.random.key(0), INPUTS, UNITS, CLASSES)
    return _classifying(recurrent.lstm_step, params, recurrent.lstm_state(params), steps)


def of_muzero(steps: int) -> Unroll:
    """MuZero's dynamics and heads on a batch of 16, states of 16, hidden layers of 32."""
    key, other = jax.random.split(jax.random.key(0))
    params = muzero.init(key, observation=INPUTS, actions=ACTIONS)
    batch = muzero.random_batch(other, BATCH, steps, observation=INPUTS, actions=ACTIONS)
    step, head, state, inputs = muzero.parts(params, batch)
    return Unroll(step, head, params, state, inputs)


MODELS: dict[str, Callable[[int], Unroll]] = {"tanh": tanh, "LSTM": lstm, "MuZero": of_muzero}


def _classifying(step: Any, params: Any, state: Any, steps: int) -> Unroll:
    key, other = jax.random.split(jax.random.key(1))
    labels = jax.random.randint(other, (steps,), 0, CLASSES)
    inputs = jax.random.normal(key, (steps, INPUTS)), labels

    def head(params: Any, state: Any, x: tuple[Array, Array]) -> Array:
        return recurrent.cross_entropy(recurrent.readout(params, state), x[1])

    return Unroll(lambda p, h, x: step(p, h, x[0]), head, params, state, inputs)


def gradient(unroll: Unroll) -> Any:
    """One backward pass of the whole loss: the least that a gradient costs."""

    def loss(params: Any, state: Any) -> Array:
        rest = unroll.inputs
        return jnp.mean(
            unroll_losses(unroll.step, unroll.head, params, state, rest, scale=SCALE)[1]
        )

    return jax.grad(loss, (0, 1))(unroll.params, unroll.state)


def by_ledger(unroll: Unroll) -> Any:
    """The ledger, with all that it holds."""
    return ledger(*unroll, scale=SCALE)


def by_copies(unroll: Unroll) -> Entries:
    """The definition: a copy of the parameters for each application, all gradients at once.

    ``jax.jacrev`` of the K losses with respect to the K copies, ``[K, K]`` gradients.
    """
    losses, copies = _copied(unroll)
    jacobian = jax.jacrev(losses)(copies)
    return jnp.linalg.norm(jacobian, axis=-1), jacobian @ jnp.sum(jacobian, axis=(0, 1))


def by_passes(unroll: Unroll) -> Entries:
    """The same copies, and a backward pass for each loss, one after another: K gradients at once."""
    losses, copies = _copied(unroll)
    values, pull = jax.vjp(losses, copies)
    total = jnp.sum(pull(jnp.ones_like(values))[0], axis=0)

    def row(cotangent: Array) -> Entries:
        (gradients,) = pull(cotangent)
        return jnp.linalg.norm(gradients, axis=-1), gradients @ total

    found: Entries = jax.lax.map(row, jnp.eye(len(values)))
    return found


def _copied(unroll: Unroll) -> tuple[Callable[[Array], Array], Array]:
    """The weighted losses as a function of K copies of the parameters, one for each ``step``."""
    step, head, params, state, inputs = unroll
    vector, shaped = ravel_pytree(params)
    steps = len(jax.tree.leaves(inputs)[0])

    def losses(copies: Array) -> Array:
        return (
            unroll_losses(
                lambda _, h, x: step(shaped(x[0]), h, x[1]),
                lambda params, h, x: head(params, h, x[1]),
                params, state, (copies, inputs), scale=SCALE,
            )[1]
            / steps
        )  # fmt: skip

    return losses, jnp.tile(vector, (steps, 1))


PROGRAMS: dict[str, Callable[[Unroll], Any]] = {
    "ledger": by_ledger,
    "gradient": gradient,
    "passes": by_passes,
    "copies": by_copies,
}


class Compiled(NamedTuple):
    """A program, and the bytes that it wants at a time beside its arguments, and as results."""

    call: Callable[[], Any]
    temporary: int
    results: int


def compiled(name: str, unroll: Unroll) -> Compiled:
    """Compile a program for an unroll, and read off its memory. It is not run."""
    step, head, *given = unroll
    ready: Any = jax.block_until_ready  # it carries no types
    traced = jax.jit(lambda *arguments: PROGRAMS[name](Unroll(step, head, *arguments)))
    done = traced.lower(*given).compile()
    memory: Any = done.memory_analysis()
    return Compiled(
        lambda: ready(done(*given)), memory.temp_size_in_bytes, memory.output_size_in_bytes
    )


def entries(found: Any) -> Entries:
    """Norms and inner products of what a program other than the gradient returned."""
    return found if isinstance(found, tuple) else (found.norms, found.inner_products)


def apart(found: Any, expected: Any) -> float:
    """Measure how far two results are apart at most, in units of the largest entry of the same loss."""
    worst = 0.0
    for mine, other in zip(entries(found), entries(expected), strict=True):
        a, b = np.asarray(mine, np.float64), np.asarray(other, np.float64)
        worst = max(worst, float(np.max(np.abs(a - b) / np.max(np.abs(b), axis=1, keepdims=True))))
    return worst
