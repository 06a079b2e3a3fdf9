"""A bank of answers to chapter 09's exercise."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import stop_gradient

from scaleclip.ops import clip_gradient, clip_gradient_norm, max_norm, scale_gradient

SOLUTION = r"custom_|keepdims"


def norm(g, axis=-1):
    return jnp.sqrt(jnp.sum(g**2, axis=axis, keepdims=True))


def short(g, c, n):
    return g * jnp.minimum(1.0, c / n)


def backward(rule, forward=lambda x, c: x, ruled=None):
    """Make an answer: its value, and the cotangent given by ``rule(g, c, x)``."""

    @partial(jax.custom_vjp, nondiff_argnums=(1,))
    def answer(x, c):
        return forward(x, c)

    answer.defvjp(
        lambda x, c: ((ruled or forward)(x, c), x),
        lambda c, x, g: (rule(g, c, x) * jnp.ones_like(g),),
    )
    return answer


def no_return(x, c):
    clip_gradient_norm(x, c, axis=-1)


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
    "value_clipped_too": [backward(lambda g, c, x: short(g, c, norm(g)), capped)],
    "two_values": [backward(lambda g, c, x: short(g, c, norm(g)), ruled=capped)],
    "whole_batch": [
        clip_gradient_norm,
        backward(lambda g, c, x: short(g, c, jnp.linalg.norm(g))),
    ],
    "axis_0": [lambda x, c: clip_gradient_norm(x, c, axis=0)],
    "by_value": [
        lambda x, c: clip_gradient(x, -c, c),
        backward(lambda g, c, x: short(g, c, jnp.abs(g) + 1e-30)),
    ],
    "normalised": [
        backward(lambda g, c, x: c * g / norm(g)),
        backward(lambda g, c, x: c * g / (norm(g) + 1e-9)),
    ],
    "normalised_to_one": [backward(lambda g, c, x: g / jnp.maximum(norm(g), 1e-12))],
    "lengthened": [
        backward(lambda g, c, x: g * jnp.maximum(1.0, c / norm(g))),
        backward(lambda g, c, x: jnp.where(norm(g) > c, g, c * g / (norm(g) + 1e-9))),
    ],
    "nan_at_zero": [backward(lambda g, c, x: g / norm(g) * jnp.minimum(norm(g), c))],
    "scaled": [scale_gradient, backward(lambda g, c, x: g / c)],
    "norm_of_x": [backward(lambda g, c, x: short(g, c, norm(x)))],
    "stopped": [
        lambda x, c: stop_gradient(x),
        lambda x, c: clip_gradient_norm(x, 0.0, axis=-1),
    ],
    "dropped_when_long": [backward(lambda g, c, x: jnp.where(norm(g) > c, 0.0, g))],
    "fixed_limit": [lambda x, c: clip_gradient_norm(x, 1.0, axis=-1)],
    "squared_norm": [
        backward(lambda g, c, x: short(g, c, jnp.sum(g**2, -1, keepdims=True))),
        backward(lambda g, c, x: jnp.where(norm(g) > c, c * g / norm(g) ** 2, g)),
    ],
    "other_norm": [
        backward(lambda g, c, x: short(g, c, jnp.linalg.norm(g, 1, -1, keepdims=True))),
        backward(lambda g, c, x: short(g, c, jnp.max(jnp.abs(g), -1, keepdims=True))),
        backward(lambda g, c, x: short(g, c, jnp.sqrt(jnp.mean(g**2, -1, keepdims=True)))),
    ],
    "reversed": [backward(lambda g, c, x: -short(g, c, norm(g)))],
    "cotangent_dropped": [
        backward(lambda g, c, x: c),
        backward(lambda g, c, x: x),
        backward(lambda g, c, x: short(x, c, norm(x))),
        backward(lambda g, c, x: jnp.minimum(1.0, c / norm(g))),
    ],
    # what is told without a misconception
    "shape_changed": [lambda x, c: jnp.sum(x), lambda x, c: x.reshape(-1, 1)],
    "structure_changed": [lambda x, c: (x, c)],
    "returns_other": [lambda x, c: "x"],
    "dtype_changed": [lambda x, c: clip_gradient_norm(x, c, axis=-1) * jnp.asarray(np.float64(1))],
    "returns_none": [no_return],
    "not_callable": [None, 1.0],
    "raises": [lambda x: x, lambda x, c: jax.clip_gradient_norm(x, c)],
    "wrong": [backward(lambda g, c, x: 0.9 * short(g, c, norm(g)))],
}


@jax.custom_vjp
def with_custom_vjp(x, c):
    return x


with_custom_vjp.defvjp(lambda x, c: (x, c), lambda c, g: (short(g, c, norm(g)), None))


def with_custom_gradient(x, c):
    return jax.custom_gradient(lambda x: (x, lambda g: short(g, c, norm(g))))(x)


@jax.custom_vjp
def one_example(x, c):
    return x


one_example.defvjp(
    lambda x, c: (x, c), lambda c, g: (g * jnp.where((g @ g) > c**2, c / jnp.sqrt(g @ g), 1), None)
)


def with_vmap(x, c):
    rows = jax.vmap(one_example, (0, None))(x.reshape(-1, x.shape[-1]), c)
    return rows.reshape(x.shape)


RIGHT = {
    "custom_vjp": with_custom_vjp,
    "custom_gradient": with_custom_gradient,
    "an example at a time": with_vmap,
    "with PyTorch's epsilon": backward(lambda g, c, x: short(g, c, norm(g) + 1e-6)),
    "by comparison": backward(
        lambda g, c, x: jnp.where(norm(g) > c, c * g / jnp.maximum(norm(g), c), g)
    ),
    "compiled": jax.jit(partial(clip_gradient_norm, axis=-1)),
    "the operator itself": lambda x, c: clip_gradient_norm(x, c, -1),
    "the operator, with a tuple of axes": lambda x, c: clip_gradient_norm(x, c, axis=(-1,)),
}
