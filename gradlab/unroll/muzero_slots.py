"""MuZero's loss with the scale line in any of seven places, and what that makes of its gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.ops import scale_gradient
from gradlab.unroll import muzero
from gradlab.unroll.muzero_networks import Params

MOST = 5
"""Unroll steps at most; further ones are masked."""
SIZES = {
    "representation": (3, 6, 4),
    "dynamics": (6, 6, 4),
    "value": (4, 6, 1),
    "reward": (4, 6, 1),
    "policy": (4, 6, 2),
}
EXAMPLES, ACTIONS = 3, 2

SLOTS = (
    ("off", "nowhere"),
    ("root_heads", "before the root’s heads"),
    ("before_loop", "before the loop"),
    ("every_input", "first in the loop"),
    ("before_heads", "before the heads"),
    ("after_heads", "after the heads"),
    ("after_loop", "after the loop"),
)
OFF, ROOT_HEADS, BEFORE_LOOP, EVERY_INPUT, BEFORE_HEADS, AFTER_HEADS, AFTER_LOOP = range(7)


def _network(source: np.random.Generator, sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {"w": np.round(source.normal(size=(into, out)) / np.sqrt(into), 3), "b": np.zeros(out)}
        for into, out in pairwise(sizes)
    ]


def parameters(
    seed: int = 140, sizes: Mapping[str, tuple[int, ...]] = MappingProxyType(SIZES)
) -> Params:
    """Networks as ``muzero.init`` draws them, in NumPy, to three decimals.

    Args:
      seed: of NumPy's generator.
      sizes: by the names of the networks, the widths of their layers, the input's first.
    """
    source = np.random.default_rng(seed)
    return {name: _network(source, each) for name, each in sizes.items()}


def examples(seed: int = 2) -> muzero.Batch:
    """Random observations, actions and targets, to two decimals; ``MOST`` steps after each root."""
    source = np.random.default_rng(seed)
    shape = (EXAMPLES, MOST + 1)
    reward = np.round(source.normal(size=shape), 2)
    reward[:, 0] = 0.0
    chance = np.round(source.uniform(0.1, 0.9, size=shape), 2)
    batch: Any = (
        np.round(source.normal(size=(EXAMPLES, 3)), 2),
        source.integers(0, ACTIONS, size=(EXAMPLES, MOST)),
        np.round(source.normal(size=shape), 2),
        reward,
        np.stack([chance, 1 - chance], axis=-1),
    )
    return muzero.Batch(*batch)


THETA, BATCH = parameters(), examples()


def step_losses(theta: Params, gates: Array) -> Array:
    """The losses of the ``MOST + 1`` states, float ``[MOST + 1]``, each state's gradient gated.

    Args:
      theta: parameters of the networks.
      gates: float ``[7]``; the scale in each of the slots, 1 where the line is not.
    """

    def gated(h: Array, slot: int) -> Array:
        through: Array = scale_gradient(h, gates[slot])
        return through

    def example_losses(example: muzero.Batch) -> Array:
        root = gated(muzero.representation(theta, example.observation), ROOT_HEADS)
        first = muzero.prediction(theta, root)._replace(reward=jnp.zeros(()))

        def application(h: Array, action: Array) -> tuple[Array, muzero.Prediction]:
            h = muzero.dynamics(theta, gated(h, EVERY_INPUT), action)
            h = gated(h, BEFORE_HEADS)
            return gated(h, AFTER_HEADS), muzero.prediction(theta, h)

        _, rest = jax.lax.scan(application, gated(root, BEFORE_LOOP), example.actions)
        every = jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), first, rest)
        return muzero.state_losses(every, example.value, example.reward, example.policy).each

    losses: Array = jnp.mean(
        jax.vmap(example_losses)(muzero.Batch(*map(jnp.asarray, BATCH))), axis=0
    )
    return losses


@jax.jit
@jax.grad
def _gradient(theta: Params, gates: Array, weights: Array) -> Array:
    total: Array = jnp.sum(jax.vmap(scale_gradient)(step_losses(theta, gates), weights))
    return total


def gradient(
    place: str,
    *,
    weights: Sequence[float] = (1.0, *MOST * (1 / MOST,)),
    theta: Params = THETA,
    scale: float = 0.5,
) -> Params:
    """The gradient of MuZero's loss on ``BATCH`` with the scale line in one place.

    Args:
      place: one of the names in ``SLOTS``.
      weights: float ``[MOST + 1]``; of the losses' gradients, the pseudocode's by default.
      theta: parameters of the networks.
      scale: the line's.

    Raises:
      ValueError: for another place.
    """
    names = [name for name, _ in SLOTS]
    if place not in names:
        raise ValueError(f"place must be one of {', '.join(names)}, but {place!r} was given.")
    there = jnp.array([name == place != "off" for name in names])
    found: Params = _gradient(theta, jnp.where(there, scale, 1.0), jnp.asarray(weights))
    return found


def coefficients(gates: Array, weights: Array) -> Array:
    """Factors from loss k, rows from 0, to application j; column 0 is the representation.

    Args:
      gates: float ``[7]``, as for ``step_losses``.
      weights: float ``[n]``; of the losses 0 to n - 1.

    Returns:
      float ``[n, n]``, 0 above the diagonal.
    """
    k = jnp.arange(weights.shape[0])
    between = k[:, None] - k[None, :]  # applications that a gradient passes from k to j
    i = jnp.maximum(between, 0)
    top, before, after = gates[EVERY_INPUT], gates[BEFORE_HEADS], gates[AFTER_HEADS]
    inside = top**i * before ** (i + 1) * after**i
    later = jnp.maximum(k - 1, 0)
    to_root = top**k * before**k * after**later * jnp.where(k > 0, gates[BEFORE_LOOP], 1.0)
    every = jnp.where(k[None, :] > 0, inside, (to_root * gates[ROOT_HEADS])[:, None])
    return jnp.where(between >= 0, weights[:, None] * every, 0.0)


def update_weights(slot: Array, s: Array, steps: Array, share: Array) -> dict[str, Array]:
    """The gradient of MuZero's loss with the scale line in one slot, and without it.

    Args:
      slot: int ``[]``; where the line is, one of ``SLOTS``.
      s: float ``[]``; its scale.
      steps: int ``[]``; K, from 1 to ``MOST``.
      share: bool ``[]``; whether step 0's loss has the weight 1/K too.

    Returns:
      ``before``, ``after`` ``[3]``, the gradients' norms of representation, dynamics and heads
      without the line and with it; ``ratio``, ``turn`` ``[3]``, of their lengths, and the angle
      between them in degrees; ``representation``, ``dynamics``, ``heads`` ``[3]``, the same by
      network; ``coefficients`` ``[MOST + 1, MOST + 1]``; ``total``, the loss; and what words say.
    """
    k = jnp.arange(MOST + 1)
    whole = steps * 1.0
    weights = jnp.where(k == 0, jnp.where(share == 1, 1 / whole, 1.0), 1 / whole)
    there = k <= steps
    gates = jnp.where((jnp.arange(len(SLOTS)) == slot) & (slot != OFF), s, 1.0)

    def loss(theta: Params, gates: Array) -> Array:
        losses = jnp.where(there, step_losses(theta, gates), 0.0)
        return jnp.sum(jax.vmap(scale_gradient)(losses, weights))

    theta = jax.tree.map(jnp.asarray, THETA)
    totals, gradients = jax.lax.map(
        lambda gates: jax.value_and_grad(loss)(theta, gates),
        jnp.stack([jnp.ones_like(gates), gates]),
    )
    both = _by_network(gradients)
    norms = jnp.stack([jnp.sqrt(jnp.sum(g**2, axis=1)) for g in both], axis=1)
    ratio = norms[1] / norms[0]
    turn = jnp.stack([_angle(*g, *norms[:, i]) for i, g in enumerate(both)])
    turn = jnp.where(turn < 1e-9, 0.0, turn)  # what rounding turns
    table = coefficients(gates, jnp.where(there, weights, 0.0))
    return {
        "before": norms[0],
        "after": norms[1],
        "ratio": ratio,
        "turn": turn,
        **{
            name: jnp.stack([norms[0, i], norms[1, i], turn[i]])
            for i, name in enumerate(("representation", "dynamics", "heads"))
        },
        "coefficients": table,
        "total": totals[1],
        "rows": steps + 1,
        "far": table[steps, 1],
        "root": table[steps, 0],
        "first": table[1, 0],
        "own": table[steps, steps],
        "odd": jnp.full_like(slot, BEFORE_HEADS - 1),
        "place": slot,
        "case": jnp.where(
            (s == 1) & (slot != OFF),
            len(SLOTS),
            jnp.where((steps == 1) & (slot == AFTER_HEADS), len(SLOTS) + 1, slot),
        ),
    }


def _angle(a: Array, b: Array, of_a: Array, of_b: Array) -> Array:
    """Between two vectors of these lengths, in degrees; 0 where one is zero.

    Kahan's: twice the arctangent of |u - v| over |u + v|, u and v of length 1. An arccosine would lose
    half of the digits near 0.
    """
    there = (of_a > 0) & (of_b > 0)
    u, v = a / jnp.where(there, of_a, 1.0), b / jnp.where(there, of_b, 1.0)
    apart, along = jnp.sqrt(jnp.sum((u - v) ** 2)), jnp.sqrt(jnp.sum((u + v) ** 2))
    return jnp.where(there, jnp.degrees(2 * jnp.arctan2(apart, along)), 0.0)


def _by_network(gradient: Params) -> tuple[Array, Array, Array]:
    """Two gradients as rows ``[2, n]``: of representation, dynamics, and the three heads together."""

    def vector(*names: str) -> Array:
        leaves = jax.tree.leaves([gradient[name] for name in names])
        return jnp.concatenate([leaf.reshape(2, -1) for leaf in leaves], axis=1)

    return vector("representation"), vector("dynamics"), vector("value", "reward", "policy")
