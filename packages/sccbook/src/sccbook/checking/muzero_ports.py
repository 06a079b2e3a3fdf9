"""Make a port of MuZero's loss whose scale line sits in one of several places."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

PLACES = ("before_loop", "every_input", "before_heads", "after_heads", "twice", "value", "off")
"""Where the line acts. ``"twice"``: after the heads, twice in a row. ``"value"``: in the loop, on the state
itself. ``"off"``: nowhere, because nothing uses what it returns, or because it's below the loop."""

WIDTH = 3


@jax.jit
def _loss(theta: Array, h: Array, scale: Array, gates: Array, own: tuple[Array, ...]) -> Array:
    """Compute the loss for all places in one program: where the line isn't, its scale is 1."""

    def gated(x: Array, gate: Array | float) -> Array:  # nothing that runs beside an answer has ops
        stopped = jax.lax.stop_gradient(x)
        return stopped + gate * (x - stopped)

    head, actions, targets = own
    first, top, before, after, twice, state = jnp.where(gates, scale, 1.0)[: len(PLACES) - 1]
    total, h = jnp.zeros(()), gated(h, first)
    for action, target in zip(actions, targets, strict=True):
        h = gated(jnp.tanh(theta @ gated(h, top) + action), before)
        total += gated((head @ h - target) ** 2, 1 / len(targets))
        h = gated(h, after * twice**2) * state
    return total


def port(place: str, steps: int, seed: int) -> tuple[Callable[..., Array], Array, Array]:
    """Make a port, and a point at which to look at it.

    Args:
      place: one of ``PLACES``.
      steps: K, of the unroll.
      seed: of its numbers.

    Returns:
      ``loss(theta, h, scale)``, the sum of the losses of steps 1 to K, each of whose gradients is
      weighted 1/K; ``theta`` ``[3, 3]``, the parameters of the dynamics; and ``h`` ``[3]``, the root
      state. The head, the actions and the targets are the port's own.
    """
    source = np.random.default_rng(seed)
    shapes = ((WIDTH, WIDTH), (WIDTH,), (WIDTH,), (steps, WIDTH), (steps,))
    theta, h, *own = (jnp.asarray(source.normal(size=shape)) for shape in shapes)
    gates = np.array(PLACES) == place

    def loss(theta: Any, h: Any, scale: Any) -> Array:
        total: Array = _loss(theta, h, scale, gates, tuple(own))
        return total

    return loss, theta, h
