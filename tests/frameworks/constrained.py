"""Caps of ``snippets/max_norm``: two steps of SGD with the cap after each, and weights at rest.

Kernels are ``[in, out]`` here, whatever the library's layout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.frameworks.files import imported

LIMIT, RATE = 2.0, 0.5
START = np.array([[1.2, 0.06, 0.0], [1.6, 0.08, 0.0]], np.float32)
"""Columns of norm 2, the limit, of norm 0.1, and of zeros."""
GRADIENTS = np.array([[[-2, 1, 0], [-1, 0, 0]], [[1, -2, 0], [-3, -5, 0]]], np.float32)
REST = 1000
"""Applications without a step between them."""
FILTERS = np.ones((3, 3, 8, 2), np.float32)


def with_jax() -> dict[str, Any]:
    import jax.numpy as jnp

    max_norm = imported("max_norm", "jax").max_norm
    w, rest, steps = jnp.asarray(START), jnp.asarray(START), []
    for g in GRADIENTS:
        w = max_norm(w - RATE * g, LIMIT)
        steps.append(w)
    for _ in range(REST):
        rest = max_norm(rest, LIMIT)
    filters = max_norm(jnp.asarray(FILTERS), LIMIT, axis=(0, 1, 2))
    return {"steps": steps, "rest": rest, "filters": filters}


def with_torch() -> dict[str, Any]:
    import torch

    max_norm = imported("max_norm", "pytorch").max_norm
    layer = torch.nn.Linear(2, 3, bias=False)
    layer.weight.data = torch.tensor(START.T)
    optimizer, steps = torch.optim.SGD(layer.parameters(), lr=RATE), []
    for g in GRADIENTS:
        layer.weight.grad = torch.tensor(g.T)
        optimizer.step()
        max_norm(layer.weight, LIMIT)
        steps.append(layer.weight.detach().numpy().T.copy())
    rest, filters = torch.tensor(START.T), torch.tensor(FILTERS).permute(3, 2, 0, 1)
    for _ in range(REST):
        max_norm(rest, LIMIT)
    max_norm(filters, LIMIT)
    return {"steps": steps, "rest": rest.T, "filters": filters.permute(2, 3, 1, 0)}


def with_tensorflow() -> dict[str, Any]:
    import tensorflow as tf

    max_norm = imported("max_norm", "tensorflow").max_norm
    w, rest, filters = (tf.Variable(a) for a in (START, START, FILTERS))
    steps = []
    for g in GRADIENTS:
        w.assign_sub(RATE * g)
        max_norm(w, LIMIT)
        steps.append(w.numpy())
    for _ in range(REST):
        max_norm(rest, LIMIT)
    max_norm(filters, LIMIT, axis=(0, 1, 2))
    return {"steps": steps, "rest": rest, "filters": filters}


def with_keras() -> dict[str, Any]:
    """The snippet as a kernel's constraint; and Keras's own at rest, as ``built in``."""
    import keras

    cap = imported("max_norm", "keras").ExactMaxNorm
    restored = keras.constraints.deserialize(keras.constraints.serialize(cap(LIMIT)))
    assert type(restored) is cap
    layer = keras.layers.Dense(3, use_bias=False, kernel_constraint=restored)
    layer.build((None, 2))
    layer.kernel.assign(START)
    optimizer, steps = keras.optimizers.SGD(RATE), []
    to_numpy = keras.ops.convert_to_numpy
    for g in GRADIENTS:
        optimizer.apply([keras.ops.convert_to_tensor(g)], [layer.kernel])
        steps.append(to_numpy(layer.kernel))

    def rested(constraint: Any) -> Any:
        w = keras.ops.convert_to_tensor(START)
        for _ in range(REST):
            w = constraint(w)
        return to_numpy(w)

    filters = cap(LIMIT, axis=(0, 1, 2))(keras.ops.convert_to_tensor(FILTERS))
    return {
        "steps": steps,
        "rest": rested(cap(LIMIT)),
        "built in": rested(keras.constraints.MaxNorm(LIMIT)),
        "filters": to_numpy(filters),
    }


WITH = {"jax": with_jax, "pytorch": with_torch, "tensorflow": with_tensorflow, "keras": with_keras}


def constrained(stem: str) -> dict[str, Any]:
    """Return what a library's snippet makes of these weights, as lists."""
    return {what: np.asarray(found).tolist() for what, found in WITH[stem]().items()}
