"""Two recurrent networks in plain JAX, a tanh RNN and an LSTM, and the loss of what they read out.

Parameters are dictionaries. A step is ``(params, state, x) -> state`` and a readout
``(params, state) -> outputs``, both for one example: batches are left to ``vmap``.
"""

from __future__ import annotations

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


def init_lstm(
    key: Array, inputs: int, units: int, outputs: int, *, forget_bias: float = 1.0
) -> Params:
    """Parameters of an LSTM.

    Args:
      key: a PRNG key.
      inputs, units, outputs: the sizes of x, h and y.
      forget_bias: the forget gate's first bias: at 1 the cell keeps most of what it holds.

    Returns:
      ``w_in [inputs, 4 units]``, ``w [units, 4 units]``, ``b [4 units]``, ``w_out
      [units, outputs]`` and ``b_out [outputs]``. The gates stand in the order input, forget,
      cell, output.

    Source: Hochreiter and Schmidhuber 1997, with the forget gate of Gers, Schmidhuber and
      Cummins 2000 and the bias of Jozefowicz, Zaremba and Sutskever 2015.
    """
    first, second, third = jax.random.split(key, 3)
    bias = jnp.zeros(4 * units).at[units : 2 * units].set(forget_bias)
    return {
        "w_in": _kernel(first, inputs, 4 * units),
        "w": _kernel(second, units, 4 * units),
        "b": bias,
        "w_out": _kernel(third, units, outputs),
        "b_out": jnp.zeros(outputs),
    }


def lstm_step(params: Params, state: tuple[Array, Array], x: Array) -> tuple[Array, Array]:
    """One step of an LSTM.

    With i, f, g, o the four quarters of ``x W_in + h W + b``:
    ``c' = sigmoid(f) c + sigmoid(i) tanh(g)`` and ``h' = sigmoid(o) tanh(c')``.

    Args:
      params: of ``init_lstm``.
      state: h and c, float ``[units]`` each.
      x: float ``[inputs]``.

    Returns:
      h' and c'.
    """
    h, c = state
    i, f, g, o = jnp.split(x @ params["w_in"] + h @ params["w"] + params["b"], 4)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def tanh_state(params: Params) -> Array:
    """The state of a tanh RNN before the first input: zeros ``[units]``."""
    return jnp.zeros_like(params["b"])


def lstm_state(params: Params) -> tuple[Array, Array]:
    """The state of an LSTM before the first input: h and c, zeros ``[units]`` each."""
    zeros = jnp.zeros(params["w"].shape[0], params["w"].dtype)
    return zeros, zeros


def readout(params: Params, state: Any) -> Array:
    """``y = h W_out + b_out``, float ``[outputs]``; of an LSTM's state h is read, not c."""
    h = state[0] if isinstance(state, tuple) else state
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
