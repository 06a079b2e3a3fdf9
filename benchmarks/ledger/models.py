"""What is unrolled: a tanh RNN, an LSTM and MuZero's networks, as ``ledger`` takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
from jax import Array

from gradlab.unroll import muzero, recurrent

INPUTS, UNITS, CLASSES = 8, 32, 10
BATCH, ACTIONS = 16, 4


class Unroll(NamedTuple):
    """An unroll: the functions, and what they are given."""

    step: Callable[[Any, Any, Any], Any]
    head: Callable[[Any, Any, Any], Any]
    params: Any
    state: Any
    inputs: Any

    @property
    def parameters(self) -> int:
        """How many numbers the parameters are."""
        return sum(leaf.size for leaf in jax.tree.leaves(self.params))


def tanh(steps: int) -> Unroll:
    """A tanh RNN of 32 units that reads vectors of 8 and names one of 10 classes at each step."""
    params = recurrent.init_tanh(jax.random.key(0), INPUTS, UNITS, CLASSES)
    return _classifying(recurrent.tanh_step, params, recurrent.tanh_state(params), steps)


def lstm(steps: int) -> Unroll:
    """The same with an LSTM of 32 units."""
    params = recurrent.init_lstm(jax.random.key(0), INPUTS, UNITS, CLASSES)
    return _classifying(recurrent.lstm_step, params, recurrent.lstm_state(params), steps)


def of_muzero(steps: int) -> Unroll:
    """MuZero's dynamics and heads on a batch of 16, states of 16, hidden layers of 32."""
    key, other = jax.random.split(jax.random.key(0))
    params = muzero.init(key, observation=INPUTS, actions=ACTIONS)
    batch = muzero.random_batch(other, BATCH, steps, observation=INPUTS, actions=ACTIONS)
    parts = muzero.parts(params, batch)
    return Unroll(parts.step, parts.head, params, parts.state, parts.inputs)


MODELS: dict[str, Callable[[int], Unroll]] = {"tanh": tanh, "LSTM": lstm, "MuZero": of_muzero}


def _classifying(step: Any, params: Any, state: Any, steps: int) -> Unroll:
    key, other = jax.random.split(jax.random.key(1))
    labels = jax.random.randint(other, (steps,), 0, CLASSES)
    inputs = jax.random.normal(key, (steps, INPUTS)), labels

    def head(params: Any, state: Any, x: tuple[Array, Array]) -> Array:
        return recurrent.cross_entropy(recurrent.readout(params, state), x[1])

    return Unroll(lambda p, h, x: step(p, h, x[0]), head, params, state, inputs)
