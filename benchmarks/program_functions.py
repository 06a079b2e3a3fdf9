"""Twelve functions of the book, as a chapter writes them, each with arguments to call it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from gradlab.explorables.reported_tangent import reported
from gradlab.explorables.unrolled_flow import river
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


@dataclass(frozen=True)
class Case:
    """A function and how it is called.

    Attributes:
      words: what it is, for the table.
      chapter: where in the book.
      function: of NumPy arrays and numbers.
      arguments: from a number to the arguments of a call; another number, other values.
      recorded: whether it captures an array that was recorded, which is counted apart.
      handwritten: the file under ``handwritten/`` that does the same, if there is one.
    """

    words: str
    chapter: str
    function: Callable[..., Any]
    arguments: Callable[[np.random.Generator], tuple[Any, ...]]
    recorded: bool = False
    handwritten: str | None = None

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.function.__name__)

    def calls(self, number: int) -> list[tuple[Any, ...]]:
        """The arguments of ``number`` calls, the same each time."""
        source = np.random.default_rng(1)
        return [self.arguments(source) for _ in range(number)]


def _network(source: np.random.Generator) -> tuple[Any, ...]:
    normal, uniform = source.standard_normal, source.uniform
    weights: list[Any] = [0.3 * normal(shape) for shape in ((16, 16), (16,), (16,), (16,))]
    network = Network(*weights)
    return network, normal(16), normal(12), normal(12), uniform(0.0, 1.0)


CASES = (
    Case(
        "norm clip of a pair", "08", clip_pair,
        lambda r: (r.normal(size=2), r.uniform(0.5, 2.0)),
        handwritten="clip_pair.js",
    ),
    Case(
        "a curve and its reported tangent", "01", reported,
        lambda r: (r.uniform(-1.0, 1.0), r.uniform(-2.0, 2.0)),
    ),
    Case(
        "policy loss, gradient and Hessian", "05", policy_gradient,
        lambda r: (r.normal(size=9), r.uniform(0.0, 50.0, 9), r.uniform(0.5, 2.0)),
    ),
    Case(
        "ellipses of eight Jacobian products", "04", ellipses,
        lambda r: (r.uniform(-1.1, 1.1, (2, 2)),),
    ),
    Case(
        "the river: 12 losses by 12 applications", "06", river,
        lambda r: (
            r.uniform(0.0, 1.0), r.uniform(0.0, 2.0), int(r.integers(1, 13)),
            int(r.integers(0, 4)), int(r.integers(0, 2)), bool(r.integers(0, 2)),
            bool(r.integers(0, 2)), r.uniform(0.0, 4.0), int(r.integers(0, 2)),
        ),
    ),
    Case(
        "a cloud of 200 gradients, clipped", "08", cloud,
        lambda r: (r.uniform(0.2, 4.0), r.uniform(0.0, 2.0)),
        recorded=True,
    ),
    Case(
        "gradient of a 12-step unroll, 16 wide", "09", recurrent_gradient, _network,
        handwritten="recurrent_gradient.js",
    ),
    Case(
        "MaxNorm on 6 columns, 100 times", "10", max_norm,
        lambda r: (r.normal(size=(2, 6)), r.uniform(0.5, 3.0), 100),
    ),
    Case(
        "adaptive clip of a 16 by 16 layer", "10", adaptive_clip,
        lambda r: (r.normal(size=(16, 16)), r.normal(size=(16, 16)), r.uniform(0.1, 2.0)),
    ),
    Case(
        "Adam and SGD, 60 steps", "11", adam_and_sgd,
        lambda r: (10.0 ** r.uniform(-6.0, 1.0), r.uniform(0.01, 0.1), 1e-8),
    ),
    Case(
        "a history of 300 norms, and a threshold", "13", threshold,
        lambda r: (r.uniform(0.5, 8.0), r.uniform(0.01, 0.5)),
        recorded=True,
    ),
    Case(
        "a training run of 200 steps: 4 units, 10 points", "11", trainer(10, 4),
        lambda r: (r.uniform(0.003, 0.03), r.uniform(0.1, 1.0), r.uniform(0.5, 1.0)),
        handwritten="training_run.js",
    ),
)  # fmt: skip
"""In the order of the book's chapters, but the longest last."""
BEYOND = (
    Case(
        "MaxNorm on 6 columns, 100,000 times", "10", max_norm,
        lambda r: (r.normal(size=(2, 6)), r.uniform(0.5, 3.0), 100_000),
    ),
    Case(
        "a training run of 200 steps: 8 units, 16 points", "11", trainer(16, 8),
        lambda r: (r.uniform(0.003, 0.03), r.uniform(0.1, 1.0), r.uniform(0.5, 1.0)),
    ),
)  # fmt: skip
"""Timed beside them to show where the module loses; held against no target."""
