"""The network that fails to train: it is shown a symbol, waits, and is asked which it was.

A tanh RNN reads one of four symbols, then noise, and after the last step names the symbol. At the
learning rate ``RATE`` plain SGD does not learn it: gradients through 20 steps grow too long. Chapters
08 to 11 train it. Its data are drawn from a key, so that a page can draw them too.

Source: a short form of the recall tasks of Hochreiter and Schmidhuber 1997, section 5.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array

from sccbook.models.recurrent import (
    Params,
    cross_entropy,
    init_tanh,
    readout,
    run,
    tanh_state,
    tanh_step,
)

SYMBOLS, STEPS, UNITS, BATCH = 4, 20, 16, 16
NOISE = 0.2
"""Standard deviation of what is added to every input."""
RADIUS = 1.4
"""Of the recurrent matrix at the start: 1.4 times an orthogonal one, so that a state outlasts tanh."""
RATE = 0.1
"""The learning rate at which plain SGD fails; at 0.03 it learns."""


def init(key: Array) -> Params:
    """Parameters of the network, as ``sccbook.models.recurrent.init_tanh`` draws them."""
    return init_tanh(key, SYMBOLS, UNITS, SYMBOLS, radius=RADIUS)


def draw(key: Array, batch: int = BATCH) -> tuple[Array, Array]:
    """Draw a minibatch of sequences: a symbol at the first step, noise at each.

    Args:
      key: a PRNG key.
      batch: B, how many.

    Returns:
      Inputs, float ``[B, STEPS, SYMBOLS]``, and labels, int ``[B]``, each 0 to SYMBOLS - 1.
    """
    which, around = jax.random.split(key)
    labels = jax.random.randint(which, (batch,), 0, SYMBOLS)
    noise = NOISE * jax.random.normal(around, (batch, STEPS, SYMBOLS))
    return noise.at[:, 0].add(jax.nn.one_hot(labels, SYMBOLS)), labels


def loss(
    params: Params,
    inputs: Array,
    labels: Array,
    at_state: Callable[[Array], Array] = lambda h: h,
) -> tuple[Array, Array]:
    """Compute the mean cross-entropy of the symbol after the last step, and the share named right.

    Args:
      params: of ``init``.
      inputs, labels: of ``draw``.
      at_state: what stands between one step and the next: takes a state, float ``[UNITS]``, and
        returns one, such as ``lambda h: scale_gradient(h, 0.5)``.

    Returns:
      The loss, float ``[]``, and the share, 0 to 1; pass ``has_aux=True`` to ``jax.value_and_grad``.
    """

    def step(params: Params, h: Array, x: Array) -> Array:
        return tanh_step(params, at_state(h), x)

    def logits(sequence: Array) -> Array:
        return readout(params, run(step, params, tanh_state(params), sequence)[-1])

    found = jax.vmap(logits)(inputs)
    right = jnp.mean(jnp.argmax(found, axis=-1) == labels)
    return jnp.mean(cross_entropy(found, labels)), right
