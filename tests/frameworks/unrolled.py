"""One call of update_weights on a small network, in every library: where its weights end up.

The state is a product of image and matrix, a step is tanh(h d + a u), and the heads are linear. With ``LARGE`` targets both
clips act, with ``SMALL`` ones neither. The optimizer is SGD with the rate ``RATE``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.frameworks.files import function_of, imported

RATE, DECAY, K = 0.1, 0.01, 3
LARGE, SMALL = 30.0, 0.1
_draws = np.random.default_rng(0)
SHAPES = {"r": (3, 4), "d": (4, 4), "a": (1, 4), "v": (4, 1), "u": (4, 1), "p": (4, 2)}
WEIGHTS = {name: 0.3 * _draws.normal(size=s).astype(np.float32) for name, s in SHAPES.items()}
IMAGES, ACTIONS = _draws.normal(size=(2, 3)), _draws.integers(0, 2, size=(2, K))
TARGETS, POLICY = _draws.normal(size=(2, 2, K + 1)), _draws.dirichlet(np.ones(2), (2, K + 1))


def batch(size: float) -> list[np.ndarray]:
    """Return images, actions, and the targets of value, reward and policy: two examples."""
    found = [IMAGES, ACTIONS, *(size * TARGETS), POLICY]
    return [array.astype(np.float32) for array in found]


def network(w: Any, tanh: Callable[[Any], Any]) -> SimpleNamespace:
    """Return the two inferences of the pseudocode, with the weights ``w``."""

    def heads(h: Any) -> tuple[Any, ...]:
        return (h @ w["v"])[:, 0], (h @ w["u"])[:, 0], h @ w["p"], h

    return SimpleNamespace(
        initial_inference=lambda images: heads(images @ w["r"]),
        recurrent_inference=lambda h, action: heads(tanh(h @ w["d"] + action[:, None] * w["a"])),
    )


def of_jax(update_weights: Any, arrays: list[np.ndarray]) -> Any:
    import jax.numpy as jnp
    import optax

    both = SimpleNamespace(
        initial_inference=lambda w, x: network(w, jnp.tanh).initial_inference(x),
        recurrent_inference=lambda w, h, a: network(w, jnp.tanh).recurrent_inference(h, a),
    )
    sgd, w = optax.sgd(RATE), {name: jnp.array(value) for name, value in WEIGHTS.items()}
    given = [jnp.array(array) for array in arrays]
    return update_weights(sgd, sgd.init(w), both, w, given, DECAY)[1]


def of_torch(update_weights: Any, arrays: list[np.ndarray]) -> Any:
    import torch

    w = {name: torch.tensor(value, requires_grad=True) for name, value in WEIGHTS.items()}
    net = network(w, torch.tanh)
    net.parameters = w.values
    sgd = torch.optim.SGD(w.values(), lr=RATE)
    update_weights(sgd, net, [torch.tensor(array) for array in arrays], DECAY)
    return {name: value.detach() for name, value in w.items()}


def of_tensorflow(update_weights: Any, arrays: list[np.ndarray]) -> Any:
    import keras
    import tensorflow as tf

    w = {name: tf.Variable(value) for name, value in WEIGHTS.items()}
    net = network(w, tf.tanh)
    net.trainable_variables = list(w.values())
    sgd = keras.optimizers.SGD(RATE)
    update_weights(sgd, net, [tf.constant(array) for array in arrays], DECAY)
    return w


def of_keras(model_of: Any, arrays: list[np.ndarray]) -> Any:
    import keras

    class Network(keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w = {
                name: self.add_weight(shape=value.shape, initializer=lambda *_, v=value, **__: v)
                for name, value in WEIGHTS.items()
            }
            found = network(self.w, keras.ops.tanh)
            self.initial_inference = found.initial_inference
            self.recurrent_inference = found.recurrent_inference

    net = Network()
    model = model_of(net, DECAY)
    model.compile(keras.optimizers.SGD(RATE))
    model.train_on_batch(arrays)
    return {name: keras.ops.convert_to_numpy(value) for name, value in net.w.items()}


UPDATES = {"jax": of_jax, "pytorch": of_torch, "tensorflow": of_tensorflow, "keras": of_keras}


def updated(stem: str) -> dict[str, list[float]]:
    """Return all weights after the update, by the size of the targets."""
    names = ("scale_gradient", "clip_norm_at_state")
    sys.modules["pasted"] = SimpleNamespace(**{n: function_of(n, stem) for n in names})  # type: ignore[assignment]
    module = imported("update_weights", stem)
    call = module.UpdateWeights if stem == "keras" else module.update_weights
    found = {}
    for name, size in (("large", LARGE), ("small", SMALL)):
        w = UPDATES[stem](call, batch(size))
        found[name] = np.concatenate([np.ravel(w[key]) for key in SHAPES]).tolist()
    return found
