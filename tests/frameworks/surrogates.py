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


SAMPLES = LOG_NEW, LOG_OLD, ADVANTAGES
FAR = tuple(np.float32([[100, 100, 100], [0, 0, 0], [1, -1, 0]]))
"""In float32 the ratio of each would be infinite."""


def of_jax(loss: Callable[..., Any], log_new: Any, *others: Any) -> Any:
    import jax

    return jax.jit(jax.value_and_grad(loss))(log_new, *others)


def of_torch(loss: Callable[..., Any], log_new: Any, *others: Any) -> Any:
    import torch

    log_new = torch.tensor(log_new, requires_grad=True)
    lost = loss(log_new, *map(torch.tensor, others))
    lost.backward()
    return lost.detach(), log_new.grad


def of_tensorflow(loss: Callable[..., Any], log_new: Any, *others: Any) -> Any:
    import tensorflow as tf

    log_new = tf.Variable(log_new)
    with tf.GradientTape() as tape:
        lost = loss(log_new, *map(tf.constant, others))
    return lost, tape.gradient(lost, log_new)


def of_keras(loss: Callable[..., Any], *samples: Any) -> Any:
    import keras

    backends = {"jax": of_jax, "torch": of_torch, "tensorflow": of_tensorflow}
    return backends[keras.backend.backend()](loss, *samples)


LIBRARIES = SimpleNamespace(jax=of_jax, pytorch=of_torch, tensorflow=of_tensorflow, keras=of_keras)
"""By the name of the snippet's file."""


def surrogates(snippet: str) -> dict[str, list[float]]:
    """Return what each sample's log-probability receives, times the number of samples, upwards.

    And, as ``far``, PPO's loss for samples whose ratio would be infinite, and what each receives.
    """
    losses = imported("policy_clips", snippet)
    of = getattr(LIBRARIES, snippet)
    found = {
        name: (-len(RATIOS) * np.asarray(of(getattr(losses, name), *SAMPLES)[1])).tolist()
        for name in ("ppo", "cispo")
    }
    lost, received = of(losses.ppo, *FAR)
    return found | {"far": [float(lost), *np.asarray(received, np.float64).tolist()]}
