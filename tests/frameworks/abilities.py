"""What else may be done with a snippet: forward mode, ``vmap``, compiling, a Keras model, 16 bits.

Every trial is on two numbers, with the gradient (3, 4), or (300, 400) in 16 bits: the scale 1/2
halves them, and the limit 1 leaves (0.6, 0.8). In forward mode the tangent is (3, 4). A trial's
outcome is "yes", "ignored" where the numbers pass unchanged, "wrong" where they are something
else, "float32" where a 16-bit state is returned in 32 bits, or "refused" where the library raises
an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ARGUMENT = {"scale_gradient": 0.5, "clip_norm_at_state": 1.0}
SIZE = {"forward mode": 1, "vmap": 1, "compiled": 1}
"""What (3, 4) is multiplied by, where it is not 100."""


class WiderError(Exception):
    """A value has another format than the state."""


def same(value: Any, state: Any) -> None:
    """Tell a value that has another format than the state."""
    if value.dtype != state.dtype:
        raise WiderError


Trials = dict[str, Callable[[], Any]]


def abilities(operation: str, operator: Any, backend: str) -> dict[str, str]:
    """Return what came of every trial of an operation."""
    argument = ARGUMENT[operation]
    trials = TRIALS[backend](lambda x, given=argument: operator(x, given), argument)
    return {name: tried(trial, operation, SIZE.get(name, 100)) for name, trial in trials.items()}


def tried(trial: Callable[[], Any], operation: str, size: int = 1) -> str:
    """Return what came of a trial: whatever a library raises is a refusal."""
    given = size * np.array((3.0, 4.0))
    expected = given / 2 if operation == "scale_gradient" else np.array((0.6, 0.8))
    try:
        found = np.asarray(trial(), np.float64)
    except WiderError:
        return "float32"
    except Exception:  # each library has errors of its own for this
        return "refused"
    if np.allclose(found, expected, rtol=1e-2):
        return "yes"
    return "ignored" if np.allclose(found, given, rtol=1e-2) else "wrong"


def of_jax(f: Any, argument: float) -> Trials:
    import jax
    import jax.numpy as jnp

    def back(f: Any, dtype: Any = jnp.float32, size: int = 1) -> Any:
        x = jnp.ones(2, dtype)
        value, pull_back = jax.vjp(f, x)
        same(value, x)
        gradient = pull_back(jnp.array([3 * size, 4 * size], value.dtype))[0]
        assert gradient.dtype == dtype
        return gradient

    ones = jnp.ones(2, jnp.float32)
    weights = jnp.array([3, 4], jnp.float32)
    loss = lambda x: (f(x) * weights).sum()
    return {
        "forward mode": lambda: jax.jvp(f, (ones,), (weights,))[1],
        "vmap": lambda: jax.vmap(jax.grad(loss))(jnp.ones((3, 2), jnp.float32)),
        "compiled": lambda: back(jax.jit(f)),
        "float16": lambda: back(f, jnp.float16, 100),
        "bfloat16": lambda: back(f, jnp.bfloat16, 100),
        "float16, compiled": lambda: back(jax.jit(f), jnp.float16, 100),
        "bfloat16, compiled": lambda: back(jax.jit(f), jnp.bfloat16, 100),
        "float32 argument": lambda: back(lambda x: f(x, jnp.float32(argument)), jnp.bfloat16, 100),
    }


def of_torch(f: Any, argument: float) -> Trials:
    import torch

    def back(f: Any, dtype: Any = torch.float32, size: int = 1) -> Any:
        x = torch.ones(2, dtype=dtype, requires_grad=True)
        value = f(x)
        same(value, x)
        value.backward(size * torch.tensor([3, 4], dtype=dtype))
        return x.grad.double()

    ones = torch.ones(2)
    weights = torch.tensor([3.0, 4.0])
    loss = lambda x: (f(x) * weights).sum()
    return {
        "forward mode": lambda: torch.func.jvp(f, (ones,), (weights,))[1],
        "vmap": lambda: torch.func.vmap(torch.func.grad(loss))(torch.ones(3, 2)),
        "compiled": lambda: back(torch.compile(f, backend="aot_eager")),
        "float16": lambda: back(f, torch.float16, 100),
        "bfloat16": lambda: back(f, torch.bfloat16, 100),
        "float16, compiled": lambda: back(
            torch.compile(f, backend="aot_eager"), torch.float16, 100
        ),
        "bfloat16, compiled": lambda: back(
            torch.compile(f, backend="aot_eager"), torch.bfloat16, 100
        ),
        "float32 argument": lambda: back(
            lambda x: f(x, torch.tensor(argument)), torch.bfloat16, 100
        ),
    }


def of_tensorflow(f: Any, argument: float) -> Trials:
    import tensorflow as tf

    def back(f: Any, dtype: Any = tf.float32, size: int = 1, x: Any = None) -> Any:
        x = tf.ones(2, dtype) if x is None else x
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = f(x)
        same(value, x)
        gradient = tape.gradient(value, x, tf.constant([3 * size, 4 * size], dtype))
        assert gradient.dtype == dtype
        return tf.cast(gradient, tf.float64)

    def forward() -> Any:
        ones = tf.ones(2)
        with tf.autodiff.ForwardAccumulator(ones, tf.constant([3.0, 4.0])) as moved:
            value = f(ones)
        return moved.jvp(value)

    return {
        "forward mode": forward,
        "vmap": lambda: tf.vectorized_map(lambda x: back(f, x=x), tf.ones((3, 2))),
        "compiled": lambda: tf.function(lambda: back(f))(),
        "float16": lambda: back(f, tf.float16, 100),
        "bfloat16": lambda: back(f, tf.bfloat16, 100),
        "float16, compiled": lambda: tf.function(lambda: back(f, tf.float16, 100))(),
        "bfloat16, compiled": lambda: tf.function(lambda: back(f, tf.bfloat16, 100))(),
        "float32 argument": lambda: back(lambda x: f(x, tf.constant(argument)), tf.bfloat16, 100),
    }


TRIALS = {"jax": of_jax, "torch": of_torch, "tensorflow": of_tensorflow}


def in_a_model(operator: Any, operation: str, inside: bool) -> str:
    """Return what came of a functional Keras model: the operator on a symbolic tensor, or in a layer."""
    import keras

    argument = ARGUMENT[operation]

    class AtState(keras.layers.Layer):
        def call(self, h: Any) -> Any:
            return operator(h, argument)

    def trained() -> Any:
        inputs = keras.Input((2,))
        layer = keras.layers.Dense(2, use_bias=False, kernel_initializer="zeros")
        h = layer(inputs)
        h = AtState()(h) if inside else operator(h, argument)
        model = keras.Model(inputs, h)
        # a loss of 3 h_1 + 4 h_2, and the input (1, 0): the first row of the kernel gets the gradient
        model.compile(keras.optimizers.SGD(1.0), lambda weights, h: keras.ops.sum(weights * h))
        model.fit(np.array([[1.0, 0.0]]), np.array([[3.0, 4.0]]), verbose=0)
        return -np.asarray(layer.get_weights()[0][0])

    return tried(trained, operation)
