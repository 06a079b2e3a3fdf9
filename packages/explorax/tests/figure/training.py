"""A small recurrent network that is trained by any of Optax's optimizers: what tests of runs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax

BATCH, STEPS, UNITS = 4, 5, 4


def loss(params: dict[str, Any], inputs: Any) -> Any:
    """The squared error of the first input, remembered to the end: ``inputs [BATCH, STEPS]``."""

    def application(h: Any, x: Any) -> tuple[Any, None]:
        return jnp.tanh(h @ params["w"] + x[:, None] @ params["w_in"]), None

    h, _ = jax.lax.scan(application, jnp.zeros((inputs.shape[0], UNITS)), inputs.T)
    return jnp.mean((h @ params["w_out"] - inputs[:, :1]) ** 2)


def training(optimizer: Callable[[Any], Any]) -> tuple[Any, Any]:
    """A step and its first carry; ``optimizer`` makes one of a learning rate."""

    def start(seed: Any) -> Any:
        first, second, third, key = jax.random.split(jax.random.key(seed), 4)
        params = {
            "w": jax.random.orthogonal(first, UNITS),
            "w_in": jax.random.normal(second, (1, UNITS)),
            "w_out": jax.random.normal(third, (UNITS, 1)) / 2,
        }
        return params, optimizer(0.01).init(params), key

    def step(carry: Any, rate: Any) -> Any:
        params, state, key = carry
        key, drawn = jax.random.split(key)
        inputs = jax.random.normal(drawn, (BATCH, STEPS))
        value, gradients = jax.value_and_grad(loss)(params, inputs)
        updates, state = optimizer(rate).update(gradients, state, params)
        norm = optax.tree.norm(gradients)
        return (optax.apply_updates(params, updates), state, key), {"loss": value, "norm": norm}

    return step, start


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "clip_adamw": lambda rate: optax.chain(
        optax.clip_by_global_norm(0.5), optax.adamw(rate, weight_decay=1e-2)
    ),
    "agc": lambda rate: optax.chain(optax.adaptive_grad_clip(0.1), optax.sgd(rate)),
    "schedule": lambda rate: optax.adam(optax.warmup_cosine_decay_schedule(0.0, 0.01, 5, 30)),
    "injected": lambda rate: optax.inject_hyperparams(optax.adam)(
        learning_rate=optax.linear_schedule(0.1, 0.01, 20)
    ),
    "accumulated": lambda rate: optax.MultiSteps(
        optax.adam(rate), 3, accumulator_dtype=jnp.float64
    ).gradient_transformation(),
    "noisy": lambda rate: optax.chain(optax.add_noise(0.1, 0.5, 3), optax.rmsprop(rate)),
    "finite": lambda rate: optax.apply_if_finite(optax.radam(rate), 3),
    "ema": lambda rate: optax.chain(optax.adabelief(rate), optax.ema(0.9)),
}
"""Compositions: the compiler's ``test_library_sweep.py`` tries each of Optax's optimizers alone."""
