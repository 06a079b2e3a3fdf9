"""A bank of answers to chapter 09's exercise."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import stop_gradient
from tests.exercises.banks import with_rule

from scaleclip.ops import clip_gradient, clip_gradient_norm, max_norm, scale_gradient

SOLUTION = r"custom_|keepdims"


def norm(g, axis=-1):
    return jnp.sqrt(jnp.sum(g**2, axis=axis, keepdims=True))


def short(g, c, n):
    return g * jnp.minimum(1.0, c / n)


def capped(x, c):
    return short(x, c, norm(x))


WRONG = {
    "identity": [lambda x, c: x],
    "max_norm_on_the_tensor": [
        capped,
        lambda x, c: x * jnp.clip(norm(x), 0, c) / (1e-7 + norm(x)),
        lambda x, c: max_norm(x, c, axis=None),
        lambda x, c: max_norm(x, c, axis=0),
    ],
    "clips_the_tensor": [lambda x, c: jnp.clip(x, -c, c)],
    "value_clipped_too": [with_rule(lambda g, x, c: short(g, c, norm(g)), capped)],
    "two_values": [with_rule(lambda g, x, c: short(g, c, norm(g)), traced=capped)],
    "whole_batch": [
        clip_gradient_norm,
        with_rule(lambda g, x, c: short(g, c, jnp.linalg.norm(g))),
    ],
    "axis_0": [lambda x, c: clip_gradient_norm(x, c, axis=0)],
    "by_value": [
        lambda x, c: clip_gradient(x, -c, c),
        with_rule(lambda g, x, c: short(g, c, jnp.abs(g) + 1e-30)),
    ],
    "normalised": [
        with_rule(lambda g, x, c: c * g / norm(g)),
        with_rule(lambda g, x, c: c * g / (norm(g) + 1e-9)),
    ],
    "normalised_to_one": [with_rule(lambda g, x, c: g / jnp.maximum(norm(g), 1e-12))],
    "lengthened": [
        with_rule(lambda g, x, c: g * jnp.maximum(1.0, c / norm(g))),
        with_rule(lambda g, x, c: jnp.where(norm(g) > c, g, c * g / (norm(g) + 1e-9))),
    ],
    "nan_at_zero": [with_rule(lambda g, x, c: g / norm(g) * jnp.minimum(norm(g), c))],
    "scaled": [scale_gradient, with_rule(lambda g, x, c: g / c)],
    "norm_of_x": [with_rule(lambda g, x, c: short(g, c, norm(x)))],
    "stopped": [
        lambda x, c: stop_gradient(x),
        lambda x, c: clip_gradient_norm(x, 0.0, axis=-1),
    ],
    "dropped_when_long": [with_rule(lambda g, x, c: jnp.where(norm(g) > c, 0.0, g))],
    "fixed_limit": [lambda x, c: clip_gradient_norm(x, 1.0, axis=-1)],
    "squared_norm": [
        with_rule(lambda g, x, c: short(g, c, jnp.sum(g**2, -1, keepdims=True))),
        with_rule(lambda g, x, c: jnp.where(norm(g) > c, c * g / norm(g) ** 2, g)),
    ],
    "other_norm": [
        with_rule(lambda g, x, c: short(g, c, jnp.linalg.norm(g, 1, -1, keepdims=True))),
        with_rule(lambda g, x, c: short(g, c, jnp.max(jnp.abs(g), -1, keepdims=True))),
        with_rule(lambda g, x, c: short(g, c, jnp.sqrt(jnp.mean(g**2, -1, keepdims=True)))),
    ],
    "reversed": [with_rule(lambda g, x, c: -short(g, c, norm(g)))],
    "cotangent_dropped": [
        with_rule(lambda g, x, c: c),
        with_rule(lambda g, x, c: x),
        with_rule(lambda g, x, c: short(x, c, norm(x))),
        with_rule(lambda g, x, c: jnp.minimum(1.0, c / norm(g))),
    ],
    # what is told without a misconception
    "shape_changed": [lambda x, c: jnp.sum(x), lambda x, c: x.reshape(-1, 1)],
    "structure_changed": [lambda x, c: (x, c)],
    "returns_other": [lambda x, c: "x"],
    "dtype_changed": [lambda x, c: clip_gradient_norm(x, c, axis=-1) * jnp.asarray(np.float64(1))],
    "not_callable": [None, 1.0],
    "raises": [lambda x: x, lambda x, c: jax.clip_gradient_norm(x, c)],
    "wrong": [with_rule(lambda g, x, c: 0.9 * short(g, c, norm(g)))],
}


RIGHT = {
    "with PyTorch's epsilon": with_rule(lambda g, x, c: short(g, c, norm(g) + 1e-6)),
    "by comparison": with_rule(
        lambda g, x, c: jnp.where(norm(g) > c, c * g / jnp.maximum(norm(g), c), g)
    ),
    "compiled": jax.jit(partial(clip_gradient_norm, axis=-1)),
    "the operator itself": lambda x, c: clip_gradient_norm(x, c, -1),
    "the operator, with a tuple of axes": lambda x, c: clip_gradient_norm(x, c, axis=(-1,)),
}
