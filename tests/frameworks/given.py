"""What the cells of ``snippets/rosetta.toml`` act on: the same arrays in every library.

Every number is a few bits long, so that float32 has it, and the gradients, exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Arrays = dict[str, Any]


def inputs() -> dict[str, Arrays]:
    """Return what is given, as NumPy arrays: long, within the limit, with zeros, zero, and long again, twice."""
    random = np.random.default_rng(3)  # one with columns and arrays that are all long

    def bits(*shape: int, unit: float) -> np.ndarray:
        return unit * random.choice([-12, -7, -0.5, 0.25, 6, 9], shape).astype(np.float32)

    def case(
        g: Any, w: Any, b: Any, error: Any, limit: float = 1.0, shape: tuple[int, ...] = (3, 4)
    ) -> Arrays:
        x = bits(4, 3, unit=1 / 8)
        params, grads = [w, b], [x.T @ error, error.sum(0)]
        y = x @ w + b - error
        h = bits(*shape, unit=1 / 4)
        given = {"g": g, "params": params, "grads": grads, "w": w, "x": x, "y": y, "h": h}
        return given | {"limit": limit}

    def long() -> list[Any]:
        sizes = ((3, 4), 2), ((3, 2), 1 / 2), ((2,), 1 / 2), ((4, 2), 1 / 2)
        return [bits(*shape, unit=unit) for shape, unit in sizes]

    short = [bits(*s, unit=1 / 64) for s in ((3, 4), (3, 2), (2,))] + [bits(4, 2, unit=1 / 256)]
    g, w, b, error = long()
    g[1], w[:, 0], b[:], error[:, 0] = 0, 0, 0, 0
    error[:, 1] = (3, -2, -3, 2)  # the gradient of b is 0
    zeros = [np.zeros_like(array) for array in (g, w, b, error)]
    one, three = (4,), (2, 3, 4)
    return {
        "long": case(*long()),
        "within the limit": case(*short),
        "a row, a column and an array of zeros": case(g, w, b, error),
        "all zero": case(*zeros),
        "a limit of 0.3": case(*long(), 0.3),
        "one axis": case(bits(*one, unit=2), *long()[1:], shape=one),
        "three axes": case(bits(*three, unit=2), *long()[1:], shape=three),
    }


def with_three_axes(given: Arrays) -> Arrays:
    """Return the same with weights of three axes as well, and a gradient for them."""
    more = given["h"] / np.float32(4)
    return given | {"params": [*given["params"], more], "grads": [*given["grads"], 8 * more]}


def in_library(column: str, given: Arrays) -> Arrays:
    """Return what is given as the library's own arrays and variables, and the loss."""
    array, variable, total = FORMS[column]()
    made = {name: array(given[name]) for name in ("g", "w", "x", "y", "h")}
    params = [variable(p) for p in given["params"]]
    if column in LAYERS:
        made["model"] = LAYERS[column].made(*given["params"][:2])
    grads = [array(g) for g in given["grads"]]
    if column == "pytorch":
        for p, g in zip(params, grads, strict=True):
            p.grad = g

    def loss(params: Any, x: Any, y: Any) -> Any:
        return total((x @ params[0] + params[1] - y) ** 2) / 2

    return made | {"params": params, "grads": grads, "loss": loss, "limit": given["limit"]}


Form = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
"""What makes an array, what makes a variable, and the sum of an array."""


def of_keras() -> Form:
    import jax.numpy as jnp
    import keras

    return jnp.asarray, keras.Variable, jnp.sum


def of_jax() -> Form:
    import jax.numpy as jnp

    return jnp.asarray, jnp.asarray, jnp.sum


def of_tensorflow() -> Form:
    import tensorflow as tf

    return tf.constant, tf.Variable, tf.reduce_sum


def of_torch() -> Form:
    import torch

    return torch.tensor, lambda a: torch.nn.Parameter(torch.tensor(a)), torch.sum


FORMS: dict[str, Callable[[], Form]] = {
    "numpy": lambda: (np.float64, np.float64, np.sum),  # the reference is computed in 64 bits
    "scaleclip": of_jax,
    "optax": of_jax,
    "flax": of_jax,
    "equinox": of_jax,
    "keras": of_keras,
    "keras_model": of_keras,
    "tensorflow": of_tensorflow,
    "pytorch": of_torch,
    "pytorch_amp": of_torch,
    "sonnet": of_tensorflow,
}


class Layer(NamedTuple):
    """How a library makes a linear layer with these weights and biases, and returns them."""

    made: Callable[..., Any]
    params_of: Callable[[Any], list[Any]]


def flax_layer(w: np.ndarray, b: np.ndarray) -> Any:
    from flax import nnx

    layer = nnx.Linear(*w.shape, rngs=nnx.Rngs(0))
    layer.kernel[...], layer.bias[...] = w, b
    return layer


def equinox_layer(w: np.ndarray, b: np.ndarray) -> Any:
    import equinox as eqx
    import jax

    layer = eqx.nn.Linear(*w.shape, key=jax.random.key(0))
    arrays = jax.numpy.asarray(w.T), jax.numpy.asarray(b)
    return eqx.tree_at(lambda m: (m.weight, m.bias), layer, arrays)


def keras_layer(w: np.ndarray, b: np.ndarray) -> Any:
    import keras

    model = keras.Sequential([keras.Input((len(w),)), keras.layers.Dense(len(b))])
    model.set_weights([w, b])
    return model


LAYERS = {
    "flax": Layer(flax_layer, lambda m: [m.kernel[...], m.bias[...]]),
    "equinox": Layer(equinox_layer, lambda m: [m.weight.T, m.bias]),
    "keras_model": Layer(keras_layer, lambda m: m.get_weights()),
}

NAN = inputs()["long"]
NAN["grads"] = [NAN["grads"][0], np.float32([np.nan, 1])]
"""What is given where a gradient has a NaN."""
