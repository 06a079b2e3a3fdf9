"""A training run as one compiled loop, and the order in which it meets the examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ledger.placements import Step
from sccbook.models.recurrent import readout, run

Update = Callable[[Any, Array, Array], tuple[Any, Any]]


def minibatches(count: int, epochs: int, batch: int, seed: int) -> np.ndarray:
    """Draw the examples of each minibatch: another order in each epoch.

    Args:
      count: of the examples.
      epochs: how often each is met; those that do not fill a batch are left out of an epoch.
      batch: examples a minibatch, 1 to ``count``.
      seed: of NumPy's generator. (JAX's would be compiled with the run, and take most of its time.)

    Returns:
      int32 ``[epochs * (count // batch), batch]``.

    Raises:
      ValueError: for a batch of none, or of more than there are.
    """
    if not 1 <= batch <= count:
        raise ValueError(f"batch is {batch}; expected 1 to {count}, the number of examples.")
    draws = np.random.default_rng(seed)
    whole = count // batch * batch
    orders = [draws.permutation(count)[:whole] for _ in range(epochs)]
    return np.reshape(orders, (-1, batch)).astype(np.int32)


def train(
    update: Update, carry: Any, inputs: ArrayLike, labels: ArrayLike, order: ArrayLike
) -> tuple[Any, Any]:
    """Run ``carry, seen = update(carry, inputs, labels)`` on one minibatch after another.

    Args:
      update: a step of training; ``carry`` is the parameters, or a pytree with them in it.
      carry: before the first step.
      inputs, labels: ``[N, ...]`` each.
      order: int ``[steps, batch]``, as of ``minibatches``.

    Returns:
      ``carry`` after the last step, and what was seen at each, with a leading axis ``[steps]``.
    """
    inputs, labels = jnp.asarray(inputs), jnp.asarray(labels)
    found: tuple[Any, Any] = jax.lax.scan(
        lambda carry, n: update(carry, inputs[n], labels[n]), carry, jnp.asarray(order)
    )
    return found


def accuracy(step: Step, params: Any, state: Any, inputs: ArrayLike, labels: ArrayLike) -> Array:
    """Compute the share of sequences whose label has the largest logit after the last input.

    Args:
      step, params: as for ``sccbook.models.recurrent.run``.
      state: before the first input.
      inputs: float ``[N, K, inputs]``.
      labels: int ``[N]``.

    Returns:
      float ``[]``, 0 to 1.
    """

    def logits(sequence: Array) -> Array:
        states = run(step, params, state, sequence)
        return readout(params, jax.tree.map(lambda leaf: leaf[-1], states))

    guesses = jnp.argmax(jax.vmap(logits)(jnp.asarray(inputs)), axis=-1)
    return jnp.mean(guesses == jnp.asarray(labels))
