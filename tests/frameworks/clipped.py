"""One clipped training step of every library: two arrays with the gradients (3, 4) and (0.3, 0.4).

They start at 0, the learning rate is 1, and the loss is linear. Each function returns the
arrays after a step with a limit, and the norm that a log would show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.frameworks.files import imported

GRADIENTS = ([3.0, 4.0], [0.3, 0.4])
LIMITS = (1.0, 100.0)


def in_jax(limit: float) -> tuple[Any, Any]:
    import jax
    import jax.numpy as jnp

    def loss(params: Any, batch: Any) -> Any:
        return sum(jnp.sum(p * g) for p, g in zip(params.values(), batch, strict=True))

    params = {"b": jnp.zeros(2), "w": jnp.zeros(2)}
    batch = [jnp.array(g) for g in GRADIENTS]
    step = jax.jit(imported("clipped_step", "jax").clipped_step, static_argnums=0)
    params, norm = step(loss, params, batch, 1.0, limit)
    return list(params.values()), norm


def in_torch(limit: float) -> tuple[Any, Any]:
    import torch

    model = torch.nn.ParameterList([torch.zeros(2), torch.zeros(2)])
    sgd = torch.optim.SGD(model.parameters(), 1.0)
    norm = imported("clipped_step", "pytorch").clipped_step(
        lambda model, batch: sum((p * torch.tensor(g)).sum() for p, g in zip(model, batch, strict=True)),
        model, GRADIENTS, sgd, limit,
    )  # fmt: skip
    return [p.detach() for p in model], norm


def in_tensorflow(limit: float) -> tuple[Any, Any]:
    import keras
    import tensorflow as tf

    variables = [tf.Variable(tf.zeros(2)), tf.Variable(tf.zeros(2))]
    norm = imported("clipped_step", "tensorflow").clipped_step(
        lambda batch: sum(tf.reduce_sum(v * g) for v, g in zip(variables, batch, strict=True)),
        variables, GRADIENTS, keras.optimizers.SGD(1.0), limit,
    )  # fmt: skip
    return variables, norm


def in_keras(limit: float) -> tuple[Any, Any]:
    """By ``train_on_batch``, so that the step is compiled where the backend compiles it."""
    import keras

    snippet = imported("clipped_step", "keras")

    class Linear(keras.layers.Layer):
        def build(self, shape: Any) -> None:
            self.arrays = [self.add_weight(shape=(2,), initializer="zeros") for _ in GRADIENTS]

        def call(self, x: Any) -> Any:
            pairs = zip(self.arrays, GRADIENTS, strict=True)
            return x * sum(keras.ops.sum(a * np.float32(g)) for a, g in pairs)

    model = keras.Sequential([keras.Input((1,)), Linear()])
    sgd = snippet.ClippedSGD(1.0, global_clipnorm=limit)
    model.compile(sgd, lambda _, value: keras.ops.sum(value))
    norm = snippet.clipped_step(model, np.ones((1, 1)), np.ones((1, 1)))
    return [keras.ops.convert_to_numpy(a) for a in model.layers[-1].arrays], norm


STEPS: dict[str, Callable[[float], tuple[Any, Any]]] = {
    "jax": in_jax,
    "pytorch": in_torch,
    "tensorflow": in_tensorflow,
    "keras": in_keras,
}


def clipped_steps(stem: str) -> dict[str, Any]:
    """Return, by limit, both arrays after a step and the norm that was logged."""
    found = {}
    for limit in LIMITS:
        arrays, norm = STEPS[stem](limit)
        after = [np.asarray(array, np.float64).tolist() for array in arrays]
        norm = norm.numpy() if hasattr(norm, "numpy") else norm
        found[str(limit)] = {"after": after, "norm": float(norm)}
    return found
