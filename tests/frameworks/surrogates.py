"""PPO's surrogate and CISPO's in every library: the gradient that each of a few samples receives.

The ratios are on both sides of both limits, with advantages of either sign.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.frameworks.files import imported

RATIOS = np.array([0.5, 0.9, 1.1, 1.5] * 2)
ADVANTAGES = np.repeat([1.0, -2.0], 4)
LOG_OLD = np.log(np.linspace(0.1, 0.4, 8))
LOG_NEW = LOG_OLD + np.log(RATIOS)


def of_jax(loss: Callable[..., Any]) -> Any:
    import jax

    return jax.jit(jax.grad(loss))(LOG_NEW, LOG_OLD, ADVANTAGES)


def of_torch(loss: Callable[..., Any]) -> Any:
    import torch

    log_new = torch.tensor(LOG_NEW, requires_grad=True)
    loss(log_new, torch.tensor(LOG_OLD), torch.tensor(ADVANTAGES)).backward()
    return log_new.grad


def of_tensorflow(loss: Callable[..., Any]) -> Any:
    import tensorflow as tf

    log_new = tf.Variable(LOG_NEW)
    with tf.GradientTape() as tape:
        lost = loss(log_new, tf.constant(LOG_OLD), tf.constant(ADVANTAGES))
    return tape.gradient(lost, log_new)


def of_keras(loss: Callable[..., Any]) -> Any:
    import keras

    backends = {"jax": of_jax, "torch": of_torch, "tensorflow": of_tensorflow}
    return backends[keras.backend.backend()](loss)


LIBRARIES = SimpleNamespace(jax=of_jax, pytorch=of_torch, tensorflow=of_tensorflow, keras=of_keras)
"""By the name of the snippet's file."""


def surrogates(snippet: str) -> dict[str, list[float]]:
    """Return what each sample's log-probability receives, times the number of samples, upwards."""
    losses = imported("policy_clips", snippet)
    gradient = getattr(LIBRARIES, snippet)
    return {
        name: (-len(RATIOS) * np.asarray(gradient(getattr(losses, name)), np.float64)).tolist()
        for name in ("ppo", "cispo")
    }
