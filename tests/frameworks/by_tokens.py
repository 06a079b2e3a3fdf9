"""One accumulated step, weighted by tokens, in every library: what becomes of two weights that start at 0.

A token is two numbers, which are its gradient. The first micro-batch has one that counts, the second three.
The optimizer is SGD with the rate 1.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

TOKENS = np.array(
    [[[6.0, 0.0], [9.0, 9.0], [9.0, 9.0]], [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]]], np.float32
)
"""``[micro-batch, token, weight]``."""
MASK = np.array([[1, 0, 0], [1, 1, 1]], np.float32)
"""Which of them count: the others are padding."""
LIMITS = (1.0, 100.0)


def of_jax(step: Callable[..., Any], limit: float) -> list[float]:
    import jax
    import jax.numpy as jnp

    def loss_sum(w: Any, batch: Any) -> Any:
        x, mask = batch
        return jnp.sum(mask * (x @ w))

    found, norm = jax.jit(step, static_argnums=0)(
        loss_sum, jnp.zeros(2), list(zip(TOKENS, MASK, strict=True)), MASK.sum(1), limit
    )
    return [*(-found).tolist(), float(norm)]


def of_torch(step: Callable[..., Any], limit: float) -> list[float]:
    import torch

    model = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.zeros_(model.weight)

    def loss_sum(model: Any, batch: Any) -> Any:
        x, mask = map(torch.tensor, batch)
        return (mask * model(x)[..., 0]).sum()

    batches, tokens = list(zip(TOKENS, MASK, strict=True)), MASK.sum(1).tolist()
    norm = step(
        loss_sum, model, batches, tokens, torch.optim.SGD(model.parameters(), lr=1.0), limit
    )
    return [*model.weight[0].tolist(), norm.item()]


def keras_model() -> Any:
    import keras

    layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
    return keras.Sequential([keras.Input((3, 2)), layer])


def of_tensorflow(step: Callable[..., Any], limit: float) -> list[float]:
    import keras
    import tensorflow as tf

    model = keras_model()

    def loss_sum(model: Any, batch: Any) -> Any:
        x, mask = batch
        return tf.reduce_sum(mask * model(x[None])[0, :, 0])

    batches, tokens = list(zip(TOKENS, MASK, strict=True)), MASK.sum(1).tolist()
    norm = step(loss_sum, model, batches, tokens, keras.optimizers.SGD(1.0), limit)
    return [*model.get_weights()[0].ravel().tolist(), float(norm)]


def of_keras(step: Callable[..., Any], limit: float) -> list[float]:
    """With the squared error of 0 and -1/2, whose derivative is 1. Keras does not show the norm."""
    import keras

    model = keras_model()
    target = np.full((*TOKENS.shape[:2], 1), -0.5, np.float32)
    step(model, keras.losses.MeanSquaredError, TOKENS, target, MASK, 1, 1.0, limit)
    return model.get_weights()[0].ravel().tolist()


STEPS = SimpleNamespace(jax=of_jax, pytorch=of_torch, tensorflow=of_tensorflow, keras=of_keras)
"""By the name of the snippet's file."""


def by_tokens(snippet: str, step: Callable[..., Any]) -> dict[str, list[float]]:
    """Return the two weights after a step with each limit, and its norm where it returns one."""
    run = getattr(STEPS, snippet)
    return {str(limit): run(step, limit) for limit in LIMITS}
