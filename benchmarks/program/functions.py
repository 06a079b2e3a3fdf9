"""Functions of the book, written as a chapter writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from gradlab.ops import scale_gradient

_DRAWS = np.random.default_rng(0)
CLOUD = _DRAWS.standard_t(2.5, size=(200, 2)) + np.array([0.6, 0.3])
"""Two hundred minibatch gradients ``[200, 2]``, some of them long."""
HISTORY = np.exp(0.6 * _DRAWS.standard_normal(300)) * np.where(np.arange(300) % 41 == 40, 9.0, 1.0)
"""Three hundred gradient norms ``[300]`` with a spike now and then."""


def clip_pair(gradient: Array, limit: Array) -> dict[str, Array]:
    """Clips the norm of a gradient ``[2]`` to ``limit``."""
    norm = jnp.linalg.norm(gradient)
    factor = jnp.minimum(1.0, limit / norm)
    return {"clipped": factor * gradient, "norm": norm, "factor": factor}


def ellipses(matrix: Array) -> dict[str, Array]:
    """The unit circle under one to eight applications of ``matrix [2, 2]``; how far each reaches."""

    def application(product: Array, _: None) -> tuple[Array, Array]:
        product = matrix @ product
        return product, product

    _, products = jax.lax.scan(application, jnp.eye(2), None, length=8)
    angles = jnp.linspace(0.0, 2.0 * jnp.pi, 49)
    circle = jnp.stack([jnp.cos(angles), jnp.sin(angles)])
    squares = jnp.sum(products**2, axis=(1, 2))
    determinants = products[:, 0, 0] * products[:, 1, 1] - products[:, 0, 1] * products[:, 1, 0]
    gap = jnp.sqrt(jnp.maximum(squares**2 - 4.0 * determinants**2, 0.0))
    half, det = jnp.trace(matrix) / 2.0, determinants[0]
    root = jnp.sqrt(jnp.abs(half**2 - det))
    radius = jnp.where(half**2 >= det, jnp.abs(half) + root, jnp.sqrt(jnp.abs(det)))
    return {
        "ellipses": products @ circle,
        "gains": jnp.sqrt((squares + gap) / 2.0),
        "radius": radius,
    }


def cloud(limit: Array, noise: Array) -> dict[str, Array]:
    """Each gradient of ``CLOUD`` clipped to ``limit``, and where that moves their mean."""
    centre = jnp.mean(CLOUD, axis=0)
    gradients = centre + noise * (CLOUD - centre)
    norms = jnp.linalg.norm(gradients, axis=1)
    clipped = gradients * jnp.minimum(1.0, limit / norms)[:, None]
    mean, drifted = jnp.mean(gradients, axis=0), jnp.mean(clipped, axis=0)
    cross = mean[0] * drifted[1] - mean[1] * drifted[0]
    return {
        "clipped": clipped,
        "mean": mean,
        "drifted": drifted,
        "angle": jnp.arctan2(cross, jnp.dot(mean, drifted)),
        "rate": jnp.mean(norms > limit, dtype=float),
    }


def max_norm(weights: Array, limit: Array, times: Array) -> dict[str, Array]:
    """Keras's MaxNorm applied ``times`` times to the columns of ``weights [2, 6]``."""

    def constrain(_: Array, weights: Array) -> Array:
        norms = jnp.sqrt(jnp.sum(jnp.square(weights), axis=0, keepdims=True))
        return weights * (jnp.clip(norms, 0.0, limit) / (1e-7 + norms))

    weights = jax.lax.fori_loop(0, times, constrain, weights)
    return {"weights": weights, "norms": jnp.linalg.norm(weights, axis=0)}


def adaptive_clip(weights: Array, gradient: Array, limit: Array) -> dict[str, Array]:
    """Clips each unit's gradient by the norm of its weights; both ``[16, 16]``, a column a unit."""
    size = jnp.maximum(jnp.linalg.norm(weights, axis=0), 1e-3)
    norms = jnp.linalg.norm(gradient, axis=0)
    most = limit * size
    factor = jnp.where(norms > most, most / jnp.maximum(norms, 1e-6), 1.0)
    return {"clipped": gradient * factor, "factor": factor}


def policy_gradient(logits: Array, visits: Array, temperature: Array) -> dict[str, Array]:
    """MuZero's policy loss at a root: its value, its gradient, and how the gradient turns.

    Args:
      logits: float ``[9]``.
      visits: float ``[9]``; what the search counted.
      temperature: float ``[]`` > 0.
    """

    def loss(logits: Array) -> Array:
        return -jnp.sum(visits / jnp.sum(visits) * jax.nn.log_softmax(logits / temperature))

    value, gradient = jax.value_and_grad(loss)(logits)
    return {
        "policy": jax.nn.softmax(logits / temperature),
        "loss": value,
        "gradient": gradient,
        "hessian": jax.hessian(loss)(logits),
    }


class Network(NamedTuple):
    """A recurrent network: dynamics h' = tanh(W h + b + action u), head v . h."""

    dynamics: Array
    """float ``[16, 16]``; W."""
    bias: Array
    """float ``[16]``; b."""
    action: Array
    """float ``[16]``; u."""
    head: Array
    """float ``[16]``; v."""


def recurrent_gradient(
    network: Network, state: Array, actions: Array, returns: Array, scale: Array
) -> dict[str, Any]:
    """The loss of a 12-step unroll and its gradient, each state's cotangent scaled.

    Args:
      network: the parameters.
      state: float ``[16]``; h_0.
      actions, returns: float ``[12]``.
      scale: float ``[]``; s, met by each state after its head.
    """

    def loss(network: Network, state: Array) -> Array:
        def step(h: Array, given: tuple[Array, Array]) -> tuple[Array, Array]:
            action, target = given
            h = jnp.tanh(network.dynamics @ h + network.bias + action * network.action)
            error = jnp.dot(network.head, h) - target
            return scale_gradient(h, scale), jnp.square(error)

        _, losses = jax.lax.scan(step, state, (actions, returns))
        return jnp.mean(losses)

    value, (gradient, root) = jax.value_and_grad(loss, argnums=(0, 1))(network, state)
    return {"loss": value, "gradient": gradient, "root": root}


def adam_and_sgd(factor: Array, rate: Array, epsilon: Array) -> dict[str, Array]:
    """SGD and Adam, 60 steps down a bowl whose loss is multiplied by ``factor``."""

    def loss(x: Array) -> Array:
        return factor * (x[0] ** 2 + 0.1 * x[1] ** 2 + 0.05 * jnp.sin(3.0 * x[0]) * x[1])

    gradient = jax.grad(loss)
    start = jnp.array([1.2, -1.6])

    def sgd(x: Array, _: Array) -> tuple[Array, Array]:
        x = x - rate * gradient(x)
        return x, x

    def adam(state: tuple[Array, Array, Array], t: Array) -> tuple[Any, Array]:
        x, m, v = state
        g = gradient(x)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        x = x - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + epsilon)
        return (x, m, v), x

    times = jnp.arange(1.0, 61.0)
    _, by_sgd = jax.lax.scan(sgd, start, times)
    _, by_adam = jax.lax.scan(adam, (start, jnp.zeros(2), jnp.zeros(2)), times)
    return {
        "sgd": by_sgd,
        "adam": by_adam,
        "steps": jnp.stack(
            [jnp.linalg.norm(by_sgd[0] - start), jnp.linalg.norm(by_adam[0] - start)]
        ),
    }


def threshold(limit: Array, share: Array) -> dict[str, Array]:
    """What a clip at ``limit`` does to ``HISTORY``, and the limit that would clip ``share``."""
    clipped = jnp.minimum(HISTORY, limit)
    return {
        "clipped": clipped,
        "rate": jnp.mean(limit < HISTORY, dtype=float),
        "lost": 1.0 - jnp.sum(clipped) / jnp.sum(HISTORY),
        "running": jnp.cumsum(clipped) / jnp.arange(1, 301),
        "limit": jnp.quantile(HISTORY, 1.0 - share),
        "worst": jnp.argmax(HISTORY - clipped),
    }


def trainer(points: int, hidden: int) -> Callable[[Array, Array, Array], dict[str, Any]]:
    """A training run of a network of ``hidden`` units on ``points`` points."""

    def training_run(rate: Array, limit: Array, scale: Array) -> dict[str, Any]:
        """Trains a network for 200 steps, in Optax.

        Args:
          rate: float ``[]``; the learning rate.
          limit: float ``[]``; of the gradient's global norm.
          scale: float ``[]``; what the gradient is multiplied by at the hidden layer.
        """
        inputs = jnp.linspace(-1.0, 1.0, points)
        targets = jnp.sin(3.0 * inputs)
        units = jnp.arange(1.0, hidden + 1.0)
        parameters = {
            "inner": jnp.sin(units),
            "shift": 0.5 * jnp.cos(2.0 * units),
            "outer": 0.5 * jnp.sin(3.0 * units),
        }

        def loss(parameters: dict[str, Array]) -> Array:
            inner = jnp.outer(inputs, parameters["inner"]) + parameters["shift"]
            hidden = jnp.tanh(scale_gradient(inner, scale))
            return jnp.mean(jnp.square(hidden @ parameters["outer"] - targets))

        optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))

        def step(state: Any, _: None) -> tuple[Any, Array]:
            parameters, memory = state
            value, gradient = jax.value_and_grad(loss)(parameters)
            updates, memory = optimizer.update(gradient, memory, parameters)
            return (optax.apply_updates(parameters, updates), memory), value

        start = (parameters, optimizer.init(parameters))
        (parameters, _), losses = jax.lax.scan(step, start, None, length=200)
        return {"losses": losses, "parameters": parameters}

    return training_run
