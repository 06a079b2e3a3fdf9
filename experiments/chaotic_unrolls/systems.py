"""The systems: a map with parameters, a distribution of starts, a loss at the end, a width of blur."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from sccbook.models.cliff import START, TARGET

UNITS, GAIN, WIDTH = 16, 3.0, 0.05


class System(NamedTuple):
    """One system.

    Attributes:
      apply: ``(theta, x) -> x``, one application.
      draw: ``key -> x_0``.
      loss: ``x_T -> []``.
      theta: float ``[d]``, the place.
      width: sigma of the blur of theta.
    """

    apply: Callable[[Array, Array], Array]
    draw: Callable[[Array], Array]
    loss: Callable[[Array], Array]
    theta: tuple[float, ...]
    width: float


def network(seed: int) -> System:
    """Return a tanh network with a random matrix of gain 3, whose biases are theta."""
    matrix = np.random.default_rng(seed).normal(size=(UNITS, UNITS)) * GAIN / UNITS**0.5
    return System(
        lambda theta, x: jnp.tanh(jnp.asarray(matrix) @ x + theta),
        lambda key: 0.5 * jax.random.normal(key, (UNITS,)),
        lambda x: (x[0] - 0.5) ** 2,
        (0.0,) * UNITS,
        WIDTH,
    )


SYSTEMS = {
    "logistic": System(
        lambda theta, x: theta[0] * x * (1 - x),
        lambda key: jax.random.uniform(key, minval=0.1, maxval=0.9),
        lambda x: x,
        (3.7,),
        0.02,
    ),
    "cliff": System(
        lambda theta, x: theta[0] * jax.nn.sigmoid(x) + theta[1],
        lambda key: START + 0.1 * jax.random.normal(key),
        lambda x: (jax.nn.sigmoid(x) - TARGET) ** 2,
        (5.25, -2.768),
        WIDTH,
    ),
    "network": network(2),
    "network 2": network(3),
    "network 3": network(7),
}


def end(system: System, theta: Array, start: Array, length: int) -> Array:
    """Return the loss after so many applications."""
    last = jax.lax.fori_loop(0, length, lambda _, x: system.apply(theta, x), start)
    return system.loss(last)


def lags(
    system: System, theta: Array, start: Array, length: int, limit: ArrayLike = np.inf
) -> Array:
    """Return the gradient in parts: float ``[length, d]``, first through the last application.

    Their sum is the gradient. A scale s on the state between two applications multiplies the part
    at lag l by s to the power l. With a limit, what goes back from a state to the one before is
    clipped at that norm.
    """

    def forward(x: Array, _: None) -> tuple[Array, Array]:
        return system.apply(theta, x), x

    def backward(cotangent: Array, x: Array) -> tuple[Array, Array]:
        to_theta, to_x = jax.vjp(system.apply, theta, x)[1](cotangent)
        norm = jnp.maximum(jnp.sqrt(jnp.sum(to_x**2)), 1e-300)
        return to_x * jnp.minimum(1, limit / norm), to_theta

    last, states = jax.lax.scan(forward, start, None, length=length)
    parts: Array = jax.lax.scan(backward, jax.grad(system.loss)(last), states, reverse=True)[1]
    return parts[::-1]
