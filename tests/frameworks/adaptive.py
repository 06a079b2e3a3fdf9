"""A clip at a percentile of the norms so far, in every library: how long a gradient comes out.

The gradients are (0.6, 0.8) times ``NORMS``, one a step, the weights two, the rate 1, and the percentile the
50th. Between two norms it is the lower one, so that a spike doesn't raise its own limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.frameworks.files import imported

NORMS = (0.0, 2.0, 5.0, 1.0, 0.0, 8.0, 4.0, float("inf"), 3.0, 9.0)
PERCENT = 50
DIRECTION = np.array([0.6, 0.8], np.float32)


def in_jax() -> list[Any]:
    import jax
    import jax.numpy as jnp

    clip = imported("percentile_clip", "jax").percentile_clip(PERCENT)
    state, found = clip.init(jnp.zeros(2)), []
    for n in NORMS:
        grads, state = jax.jit(clip.update)(jnp.float32(n) * DIRECTION, state)
        found.append(grads)
    return found


def in_torch() -> list[Any]:
    import torch

    percentile_clip = imported("percentile_clip", "pytorch").percentile_clip
    w, norms, found = torch.nn.Parameter(torch.zeros(2)), list[Any](), []
    idle = torch.nn.Parameter(torch.zeros(2))  # without a gradient
    for n in NORMS:
        w.grad = torch.tensor(np.float32(n) * DIRECTION)
        percentile_clip([w, idle], norms, PERCENT)
        found.append(w.grad.numpy().copy())
    return found


def in_tensorflow() -> list[Any]:
    import tensorflow as tf

    percentile_clip = imported("percentile_clip", "tensorflow").percentile_clip
    norms, found = list[Any](), []
    for n in NORMS:
        (grad,), _ = percentile_clip([tf.constant(np.float32(n) * DIRECTION)], norms, PERCENT)
        found.append(grad)
    return found


def in_keras() -> list[Any]:
    import keras

    optimizer = imported("percentile_clip", "keras").PercentileClip(1.0)
    optimizer.percent = PERCENT
    w, found = keras.Variable(np.zeros(2, np.float32)), []
    for n in NORMS:
        before = keras.ops.convert_to_numpy(w).copy()
        optimizer.apply([keras.ops.convert_to_tensor(np.float32(n) * DIRECTION)], [w])
        found.append(before - keras.ops.convert_to_numpy(w))
        w.assign(np.zeros(2, np.float32))
    return found


LENGTHS: dict[str, Callable[[], list[Any]]] = {
    "jax": in_jax,
    "pytorch": in_torch,
    "tensorflow": in_tensorflow,
    "keras": in_keras,
}


def lengths(stem: str) -> list[float]:
    """Return how long each gradient comes out, NaN where it isn't finite."""
    found = (np.linalg.norm(np.asarray(grad, np.float64)) for grad in LENGTHS[stem]())
    return [float(length) for length in found]
