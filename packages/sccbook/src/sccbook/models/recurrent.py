"""A recurrent network in plain JAX, a tanh RNN, and the loss of what it reads out.

Parameters are a dictionary. A step is ``(params, state, x) -> state`` and a readout
``(params, state) -> outputs``, both for one example: batches are left to ``vmap``.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ledger.placements import Step

Params = dict[str, Array]


def init_tanh(
    key: Array, inputs: int, units: int, outputs: int, *, radius: ArrayLike = 1.0
) -> Params:
    """Draw the parameters of a tanh RNN.

    Args:
      key: a PRNG key.
      inputs, units, outputs: the sizes of x, h and y.
      radius: of the recurrent matrix, which is that times an orthogonal one: all its singular values
        and absolute eigenvalues.

    Returns:
      ``w_in [inputs, units]``, ``w [units, units]``, ``b [units]``, ``w_out [units, outputs]``
      and ``b_out [outputs]``; the other kernels normal with variance 1 / fan-in, biases 0.

    Source: Saxe, McClelland and Ganguli 2014 (arXiv 1312.6120) for the orthogonal matrix.
    """
    first, second, third = jax.random.split(key, 3)
    return {
        "w_in": _kernel(first, inputs, units),
        "w": jnp.asarray(radius) * jax.random.orthogonal(second, units),
        "b": jnp.zeros(units),
        "w_out": _kernel(third, units, outputs),
        "b_out": jnp.zeros(outputs),
    }


def tanh_step(params: Params, h: Array, x: Array) -> Array:
    """``h' = tanh(x W_in + h W + b)``.

    Args:
      params: of ``init_tanh``.
      h: float ``[units]``.
      x: float ``[inputs]``.

    Returns:
      float ``[units]``.
    """
    return jnp.tanh(x @ params["w_in"] + h @ params["w"] + params["b"])


def tanh_state(params: Params) -> Array:
    """The state of a tanh RNN before the first input: zeros ``[units]``."""
    return jnp.zeros_like(params["b"])


def readout(params: Params, h: Array) -> Array:
    """``y = h W_out + b_out``, float ``[outputs]``."""
    out: Array = h @ params["w_out"] + params["b_out"]
    return out


def run(step: Step, params: Params, state: Any, inputs: Array) -> Any:
    """The states after each of the inputs ``[K, inputs]``: a pytree with a leading axis K."""

    def application(state: Any, x: Array) -> tuple[Any, Any]:
        state = step(params, state, x)
        return state, state

    return jax.lax.scan(application, state, inputs)[1]


def cross_entropy(logits: Array, label: ArrayLike) -> Array:
    """``-log softmax(logits)[label]``, for logits ``[..., C]`` and integer labels ``[...]``.

    NaN where a label is C or more.
    """
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), jnp.asarray(label)[..., None], axis=-1)
    return -chosen[..., 0]


def _kernel(key: Array, rows: int, columns: int) -> Array:
    return jax.random.normal(key, (rows, columns)) / jnp.sqrt(rows)
