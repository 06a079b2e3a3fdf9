"""Keras' layers and constraint, on its JAX backend against the operators."""

from __future__ import annotations

import math
import os

os.environ.setdefault("KERAS_BACKEND", "jax")

import jax
import jax.numpy as jnp
import keras
import numpy as np
import pytest

from scaleclip import ops
from scaleclip.keras import ClipGradient, ClipGradientNorm, MaxNorm, ScaleGradient

G = np.random.default_rng(0).normal(size=(3, 4)) * [[0.1], [1.0], [30.0]]
LAYERS = [
    (ScaleGradient(0.5), lambda x: ops.scale_gradient(x, 0.5)),
    (ScaleGradient(-2), lambda x: ops.scale_gradient(x, -2)),
    (ClipGradient(0.7), lambda x: ops.clip_gradient(x, -0.7, 0.7)),
    (ClipGradient(math.inf), lambda x: x),
    (ClipGradientNorm(1.0), lambda x: ops.clip_gradient_norm(x, 1.0, -1)),
    (ClipGradientNorm(1.0, axis=None), lambda x: ops.clip_gradient_norm(x, 1.0)),
    (ClipGradientNorm(0.0, axis=(0, 1)), lambda x: ops.clip_gradient_norm(x, 0.0)),
    (ClipGradientNorm(math.inf), lambda x: x),
]
SHARED = [(g, dtype) for g in (G, 0 * G, 300 * G) for dtype in ("float32", "float16", "bfloat16")]
SHARED += [(1e30 * G, "float32"), (1e-30 * G, "float32")]
SHARED += [(np.where(G > 20, bad, G), "float32") for bad in (math.inf, math.nan)]


def pulled_back(f, x, g):
    value, pull = jax.vjp(f, x)
    return value, pull(g)[0]


@pytest.mark.parametrize(("layer", "operator"), LAYERS)
def test_layers_are_the_operators(layer, operator):
    restored = keras.layers.deserialize(keras.layers.serialize(layer))
    x = jnp.asarray([[-0.0, math.nan, math.inf, 1.0]] * 3)
    for g, dtype in SHARED:
        g, x = jnp.asarray(g, dtype), x.astype(dtype)
        expected = pulled_back(operator, x, g)
        for found in (pulled_back(layer, x, g), pulled_back(restored, x, g)):
            assert np.asarray(found[0]).tobytes() == np.asarray(x).tobytes()
            assert found[0].dtype == found[1].dtype == dtype
            tolerance = 4 * float(jnp.finfo(dtype).eps)
            mine, its = (np.asarray(gradient, float) for gradient in (found[1], expected[1]))
            np.testing.assert_allclose(mine, its, rtol=tolerance)


def test_integers_and_masks_pass():
    assert ScaleGradient(2.0)(jnp.arange(3)).dtype == jnp.int32
    assert ScaleGradient(2.0).supports_masking


KERNELS = [
    ((4, 3), None, lambda w: ops.max_norm(w, 1.0)),
    ((3, 3, 2, 5), None, lambda w: ops.max_norm(w, 1.0)),
    ((5,), None, lambda w: ops.max_norm(w, 1.0)),
    ((6, 2), -1, lambda w: ops.max_norm(w, 1.0, axis=1)),
    ((3, 3, 2, 2), (0, 1), lambda w: ops.max_norm(w, 1.0, layout="depthwise")),
]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("shape", "axis", "operator"), KERNELS)
def test_the_constraint_is_max_norm(shape, axis, operator, dtype):
    constraint = MaxNorm(1.0, axis)
    restored = keras.constraints.deserialize(keras.constraints.serialize(constraint))
    for size in (0.1, 1.0, 300.0, 0.0):
        w = jnp.asarray(size * np.random.default_rng(1).normal(size=shape), dtype)
        for found in (constraint(w), restored(w)):
            assert found.dtype == dtype
            tolerance = 4 * float(jnp.finfo(dtype).eps)
            np.testing.assert_allclose(found, operator(w), rtol=tolerance)
    w = jnp.asarray(0.1 * np.ones(shape) / math.sqrt(w.size), dtype)
    np.testing.assert_array_equal(constraint(w), w)  # unlike Keras' own


def test_a_model_made_from_its_json_has_the_layers_again():
    dense = keras.layers.Dense(2, kernel_constraint=MaxNorm(0.5, axis=(0,)))
    model = keras.Sequential([keras.Input((3,)), dense, ScaleGradient(0.5), ClipGradientNorm(1.0)])
    again = keras.models.model_from_json(model.to_json())
    assert [layer.get_config() for layer in again.layers] == [
        layer.get_config() for layer in model.layers
    ]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ScaleGradient("half"), TypeError, "scale must be one real number, but 'half'"),
        (lambda: ClipGradient(-1.0), ValueError, "limit must be 0 or more, but -1.0"),
        (lambda: ClipGradientNorm(math.nan), ValueError, "max_norm must be 0 or more, but nan"),
        (lambda: MaxNorm(True), TypeError, "limit must be one real number, but True"),
    ],
)
def test_wrong_numbers_are_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()
