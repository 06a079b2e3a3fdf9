"""A bank of answers to chapter 02's exercise."""

import jax
import jax.numpy as jnp
import optax

from scaleclip.ops import clip_by_norm, max_norm, scale_gradient

RATE = 0.5


def state_loss(w, x, y, scale):
    h = scale_gradient(x @ w, scale)
    return 0.5 * jnp.sum((h @ w - y) ** 2)


def right(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w - RATE * clip_by_norm(g, limit), cap)


def by_hand(w, x, y, scale, limit, cap):
    h = x @ w
    error = h @ w - y
    g = x.T @ (scale * error @ w.T) + h.T @ error
    new = w - RATE * g * jnp.minimum(1.0, limit / jnp.linalg.norm(g))
    lengths = jnp.linalg.norm(new, axis=0)
    return 0.5 * jnp.sum(error**2), new * jnp.minimum(1.0, cap / lengths)


def by_optax(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(RATE))
    update, _ = optimizer.update(g, optimizer.init(w))
    return value, max_norm(optax.apply_updates(w, update), cap)


RIGHT = {
    "line by line": right,
    "by hand": by_hand,
    "Optax's": by_optax,
    "compiled": jax.jit(right),
}


WRONG = {
    "no_scale": [lambda w, x, y, scale, *rest: right(w, x, y, 1.0, *rest)],
    "not_callable": [3.0],
    "structure_changed": [lambda w, *rest: w],
    "wrong": [lambda w, x, y, scale, limit, cap: right(w, x, y, scale, limit, cap / 2)],
}
