"""One step in mixed precision, in every library: what becomes of two weights that start at 0.

The loss is w . x, so a batch's x is its gradient; the optimizer is SGD with the rate 1, the limit 1. The
batches are ``LONG``, which is clipped, ``SHORT``, which is not, and ``INFINITE``, which is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

BATCHES = {
    "long": ((6.0, 0.0), (0.0, 8.0)),
    "short": ((0.3, 0.0), (0.0, 0.4)),
    "infinite": ((6.0, 0.0), (float("inf"), 0.0)),
}
"""Two micro-batches of one example each; the first two have the means (3, 4) and (0.15, 0.2)."""

SCALE = 1024.0
Found = dict[str, list[float]]
"""The two weights after the step, and the loss scale, or ``SCALE`` where it is given."""


def of_jax(step: Callable[..., Any], batch: Any) -> list[float]:
    import jax
    import jax.numpy as jnp

    def sgd(grads: Any, state: Any, params: Any) -> Any:
        return jax.tree.map(jnp.negative, grads), state + 1

    @jax.jit
    def moved(batches: Any) -> Any:
        return step(lambda w, x: w @ x, jnp.zeros(2), jnp.zeros(()), batches, sgd, SCALE, 1.0)

    weights, _ = moved([jnp.array(x) for x in batch])
    return [*weights.tolist(), SCALE]


def of_torch(step: Callable[..., Any], batch: Any) -> list[float]:
    import torch

    model = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=SCALE)
    batches = [torch.tensor(x) for x in batch]
    step(lambda model, x: model(x).sum(), model, batches, optimizer, scaler, 1.0)
    return [*model.weight[0].tolist(), scaler.get_scale()]


def keras_model() -> Any:
    import keras

    layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
    return keras.Sequential([keras.Input((2,)), layer])


def of_tensorflow(step: Callable[..., Any], batch: Any) -> list[float]:
    import keras
    import tensorflow as tf

    model = keras_model()

    def loss(model: Any, x: Any) -> Any:
        return tf.reduce_sum(model(x))

    batches = [tf.constant([x]) for x in batch]
    step(loss, model, batches, keras.optimizers.SGD(1.0), SCALE, 1.0)
    return [*model.get_weights()[0].ravel().tolist(), SCALE]


def of_keras(step: Callable[..., Any], batch: Any) -> list[float]:
    import keras

    model = keras_model()
    optimizer = step(keras.optimizers.SGD(1.0, gradient_accumulation_steps=len(batch)), 1.0)
    optimizer.initial_scale = SCALE
    model.compile(optimizer, loss=lambda _, y: keras.ops.mean(y))
    x = np.array(batch, np.float32)
    model.fit(x, np.zeros((len(x), 1)), batch_size=1, shuffle=False, verbose=0)
    scale = float(keras.ops.convert_to_numpy(optimizer.dynamic_scale))
    return [*model.get_weights()[0].ravel().tolist(), scale]


STEPS = SimpleNamespace(jax=of_jax, pytorch=of_torch, tensorflow=of_tensorflow, keras=of_keras)
"""By the name of the snippet's file."""


def steps(snippet: str, step: Callable[..., Any]) -> Found:
    """Return what a step does with each of the batches."""
    run = getattr(STEPS, snippet)
    return {name: run(step, batch) for name, batch in BATCHES.items()}
