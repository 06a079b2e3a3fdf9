"""Steps that accumulate two micro-batches, in every library: what becomes of two weights that start at 0.

In mixed precision the loss is w . x, so a batch's x is its gradient; the limit is 1. The batches are one that
is clipped, one that isn't, and one that is infinite and skipped. Weighted by tokens, a token is two numbers,
which are its gradient; of the first micro-batch one token counts, of the second three. The optimizer is SGD
with the rate 1.
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


def keras_model(*shape: int) -> Any:
    """A model of two weights that start at 0."""
    import keras

    layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
    return keras.Sequential([keras.Input(shape), layer])


def of_tensorflow(step: Callable[..., Any], batch: Any) -> list[float]:
    import keras
    import tensorflow as tf

    model = keras_model(2)

    def loss(model: Any, x: Any) -> Any:
        return tf.reduce_sum(model(x))

    batches = [tf.constant([x]) for x in batch]
    step(loss, model, batches, keras.optimizers.SGD(1.0), SCALE, 1.0)
    return [*model.get_weights()[0].ravel().tolist(), SCALE]


def of_keras(step: Callable[..., Any], batch: Any) -> list[float]:
    import keras

    model = keras_model(2)
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


# Weighted by tokens

TOKENS = np.array(
    [[[6.0, 0.0], [9.0, 9.0], [9.0, 9.0]], [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]]], np.float32
)
"""``[micro-batch, token, weight]``."""
MASK = np.array([[1, 0, 0], [1, 1, 1]], np.float32)
"""Which of them count: the others are padding."""
OF_TOKENS, COUNTS = list(zip(TOKENS, MASK, strict=True)), MASK.sum(1).tolist()
LIMITS = (1.0, 100.0)


def tokens_in_jax(step: Callable[..., Any], limit: float) -> list[float]:
    import jax
    import jax.numpy as jnp

    def loss_sum(w: Any, batch: Any) -> Any:
        x, mask = batch
        return jnp.sum(mask * (x @ w))

    found, norm = jax.jit(step, static_argnums=0)(
        loss_sum, jnp.zeros(2), OF_TOKENS, MASK.sum(1), limit
    )
    return [*(-found).tolist(), float(norm)]


def tokens_in_torch(step: Callable[..., Any], limit: float) -> list[float]:
    import torch

    model = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.zeros_(model.weight)

    def loss_sum(model: Any, batch: Any) -> Any:
        x, mask = map(torch.tensor, batch)
        return (mask * model(x)[..., 0]).sum()

    sgd = torch.optim.SGD(model.parameters(), lr=1.0)
    norm = step(loss_sum, model, OF_TOKENS, COUNTS, sgd, limit)
    return [*model.weight[0].tolist(), norm.item()]


def tokens_in_tensorflow(step: Callable[..., Any], limit: float) -> list[float]:
    import keras
    import tensorflow as tf

    model = keras_model(3, 2)

    def loss_sum(model: Any, batch: Any) -> Any:
        x, mask = batch
        return tf.reduce_sum(mask * model(x[None])[0, :, 0])

    norm = step(loss_sum, model, OF_TOKENS, COUNTS, keras.optimizers.SGD(1.0), limit)
    return [*model.get_weights()[0].ravel().tolist(), float(norm)]


def tokens_in_keras(step: Callable[..., Any], limit: float) -> list[float]:
    """With the squared error of 0 and -1/2, whose derivative is 1. Keras does not show the norm."""
    import keras

    model = keras_model(3, 2)
    target = np.full((*TOKENS.shape[:2], 1), -0.5, np.float32)
    step(model, keras.losses.MeanSquaredError, TOKENS, target, MASK, 1, 1.0, limit)
    return model.get_weights()[0].ravel().tolist()


BY_TOKENS = SimpleNamespace(
    jax=tokens_in_jax,
    pytorch=tokens_in_torch,
    tensorflow=tokens_in_tensorflow,
    keras=tokens_in_keras,
)
"""By the name of the snippet's file."""


def by_tokens(snippet: str, step: Callable[..., Any]) -> dict[str, list[float]]:
    """Return the two weights after a step with each limit, and its norm where it returns one."""
    run = getattr(BY_TOKENS, snippet)
    return {str(limit): run(step, limit) for limit in LIMITS}
