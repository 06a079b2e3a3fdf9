"""MuZero's loss with the scale line in any of seven places, and what that makes of its gradients."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip.ops import scale_gradient
from sccbook.models import muzero
from sccbook.models.muzero_networks import Params

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


def unrolled(gates: Array, root: Array, inputs: Array, step: Any, heads: Any) -> Any:
    """Unroll a loop with the scale in its slots; what the heads read of each state, ``[MOST + 1, ...]``.

    Args:
      gates: float ``[7]``; the scale in each of the slots, 1 where the line is not.
      root: the representation's output.
      inputs: ``[MOST, ...]``; of the steps.
      step, heads: of a state and an input; of a state.
    """

    def gated(h: Array, slot: int) -> Array:
        through: Array = scale_gradient(h, gates[slot])
        return through

    root = gated(root, ROOT_HEADS)

    def one_step(h: Array, x: Array) -> tuple[Array, Any]:
        h = gated(step(gated(h, EVERY_INPUT), x), BEFORE_HEADS)
        return gated(h, AFTER_HEADS), heads(h)

    _, rest = jax.lax.scan(one_step, gated(root, BEFORE_LOOP), inputs)
    return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), heads(root), rest)


def step_losses(theta: Params, gates: Array) -> Array:
    """The losses of the ``MOST + 1`` states, float ``[MOST + 1]``, each state's gradient gated.

    Args:
      theta: parameters of the networks.
      gates: float ``[7]``; the scale in each of the slots, 1 where the line is not.
    """

    def example_losses(example: muzero.Batch) -> Array:
        every = unrolled(
            gates,
            muzero.representation(theta, example.observation),
            example.actions,
            partial(muzero.dynamics, theta),
            partial(muzero.prediction, theta),
        )
        every = every._replace(reward=every.reward.at[0].set(0.0))
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


def chain(added: Array, gates: Array) -> Array:
    """The losses of the listing's loop with the smallest networks: ``h = h + added[j]`` and ``l = h``.

    Args:
      added: float ``[MOST + 1]``; the representation's output, then what each step adds.
      gates: float ``[7]``, as for ``step_losses``.

    Returns:
      float ``[MOST + 1]``, the states that the heads read.
    """
    losses: Array = unrolled(gates, added[0], added[1:], jnp.add, lambda h: h)
    return losses


def update_weights(slot: Array, s: Array, steps: Array) -> dict[str, Array]:
    """The factor with which each loss reaches each step, the scale line in one slot or in any.

    The factors are gradients of ``chain``. On the way, those of other networks are multiplied by
    Jacobians too, but by the line no more and no less than here.

    Args:
      slot: int ``[]``; where the line is, one of ``SLOTS``.
      s: float ``[]``; its scale.
      steps: int ``[]``; K, from 1 to ``MOST``.

    Returns:
      ``coefficients`` ``[MOST + 1, MOST + 1]``, from loss k, rows from 0, to step j, where
      column 0 is the representation; ``columns`` ``[MOST + 1]``, its sums; ``dynamics``,
      ``representation`` ``[7]``, what these get in all, by slot; ``kept`` ``[7]``, the first in
      per cent of what they get without the line; ``total``, the loss; and what words say.
    """
    k = jnp.arange(MOST + 1)
    weights = jnp.where(k == 0, 1.0, jnp.where(k <= steps, 1 / (steps * 1.0), 0.0))
    places = jnp.arange(len(SLOTS))
    gates = jnp.where((places[:, None] == places) & (places != OFF), s, 1.0)
    ones = jnp.ones(MOST + 1)

    def weighted(added: Array, gates: Array) -> Array:
        losses: Array = jax.vmap(scale_gradient)(chain(added, gates), weights)
        return losses

    every = jax.vmap(lambda each: jax.jacrev(weighted)(ones, each))(gates)
    table = every[slot]
    sums = jnp.sum(every, axis=1)
    dynamics = jnp.sum(sums[:, 1:], axis=1)
    return {
        "coefficients": table,
        "columns": sums[slot],
        "dynamics": dynamics,
        "kept": 100 * dynamics / dynamics[OFF],
        "share": 100 * dynamics[slot] / dynamics[OFF],
        "representation": sums[:, 0],
        "here": dynamics[slot],
        "whole": dynamics[OFF],
        "total": jnp.sum(jnp.where(k <= steps, weighted(ones, gates[slot]), 0.0)),
        "rows": steps + 1,
        "far": table[steps, 1],
        "root": table[steps, 0],
        "place": slot,
        "case": jnp.select(
            [
                (s == 1) & (slot != OFF),
                (steps == 1) & (slot == AFTER_HEADS),
                (s == 0.5) & (slot == BEFORE_HEADS),
                (s == 0) & (slot == BEFORE_HEADS),
            ],
            list(range(len(SLOTS), len(SLOTS) + 4)),
            slot,
        ),
    }
