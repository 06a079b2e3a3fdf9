"""Small unrolls of every kind, as ``ledger`` takes them: step, head, params, state, inputs."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from sccbook.models import muzero, recurrent

K = 3
NAMES = ("linear", "tanh", "lstm", "muzero", "muzero, not normalised")


class Model(NamedTuple):
    """Arguments of ``ledger``: ``ledger(*model)``."""

    step: Any
    head: Any
    params: Any
    state: Any
    inputs: Any


@cache
def model(name: str) -> Model:
    """A model by its name; the same functions each time, so that they are compiled once."""
    return MAKE[name]()


def normal(*shape: int, seed: int = 0) -> jax.Array:
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape))


def linear() -> Model:
    params = {"a": normal(3, 3) / 2, "b": normal(3, seed=1), "c": normal(3, seed=2)}
    return Model(
        lambda p, h, x: p["a"] @ h + x * p["b"],
        lambda p, h, x: (p["c"] @ h - x) ** 2,
        params,
        normal(3, seed=3),
        normal(K, seed=4),
    )


def classify(params: Any, state: Any, x: Any) -> Any:
    return recurrent.cross_entropy(recurrent.readout(params, state), x[1])


def sequence() -> tuple[Any, Any]:
    return normal(K, 2, seed=5), jnp.array([0, 2, 1])


def tanh() -> Model:
    params = recurrent.init_tanh(jax.random.key(0), 2, 3, 3, radius=1.2)
    return Model(
        lambda p, h, x: recurrent.tanh_step(p, h, x[0]),
        classify, params, recurrent.tanh_state(params) + 0.1, sequence(),
    )  # fmt: skip


def lstm() -> Model:
    params = recurrent.init_lstm(jax.random.key(1), 2, 2, 3)
    return Model(
        lambda p, state, x: recurrent.lstm_step(p, state, x[0]),
        classify, params, recurrent.lstm_state(params), sequence(),
    )  # fmt: skip


@cache
def batch() -> muzero.Batch:
    return jax.jit(lambda key: muzero.random_batch(key, 3, K, observation=3, actions=2))(
        jax.random.key(2)
    )


@cache
def networks() -> Any:
    return jax.jit(lambda key: muzero.init(key, observation=3, actions=2, state=5, hidden=6))(
        jax.random.key(3)
    )


def of_muzero(normalise: bool) -> Model:
    params = networks()
    parts = muzero.parts(params, batch(), normalise=normalise)
    return Model(parts.step, parts.head, params, parts.state, parts.inputs)


MAKE = {
    "linear": linear,
    "tanh": tanh,
    "lstm": lstm,
    "muzero": lambda: of_muzero(True),
    "muzero, not normalised": lambda: of_muzero(False),
}
