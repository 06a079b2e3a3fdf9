"""A bank of answers to chapter 02's exercise."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax

from gradlab.exercises.three_places import MISCONCEPTIONS
from gradlab.ops import clip_by_global_norm, clip_by_norm, max_norm, scale_gradient

RATE = 0.5


def state_loss(w, x, y, scale):
    h = scale_gradient(x @ w, scale)
    return 0.5 * jnp.sum((h @ w - y) ** 2)


def shortened(g, limit):
    return g * jnp.minimum(1.0, limit / jnp.linalg.norm(g))


def right(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w - RATE * clip_by_norm(g, limit), cap)


def by_hand(w, x, y, scale, limit, cap):
    h = x @ w
    error = h @ w - y
    g = shortened(x.T @ (scale * error @ w.T) + h.T @ error, limit)
    new = w - RATE * g
    lengths = jnp.linalg.norm(new, axis=0)
    return 0.5 * jnp.sum(error**2), new * jnp.minimum(1.0, cap / lengths)


def by_one_liner(w, x, y, scale, limit, cap):
    def loss(w):
        h = x @ w
        h = h * scale + jax.lax.stop_gradient(h) * (1 - scale)
        return 0.5 * jnp.sum((h @ w - y) ** 2)

    value, g = jax.value_and_grad(loss)(w)
    g, _ = clip_by_global_norm(g, limit)
    return value, max_norm(w - RATE * g, cap)


def by_optax(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(RATE))
    update, _ = optimizer.update(g, optimizer.init(w))
    return value, max_norm(optax.apply_updates(w, update), cap)


def keras_cap(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    new = w - RATE * clip_by_norm(g, limit)
    norms = jnp.sqrt(jnp.sum(new**2, axis=0, keepdims=True))
    return value, new * (jnp.clip(norms, 0, cap) / (1e-7 + norms))


RIGHT = {
    "line by line": right,
    "by hand": by_hand,
    "the one-liner": by_one_liner,
    "Optax's": by_optax,
    "Keras's cap": keras_cap,
    "compiled": jax.jit(right),
}


def plain(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, 1.0)
    return value, w - RATE * g


def scaled_state(w, x, y, scale, limit, cap):
    def loss(w):
        return 0.5 * jnp.sum((scale * (x @ w) @ w - y) ** 2)

    value, g = jax.value_and_grad(loss)(w)
    return value, max_norm(w - RATE * shortened(g, limit), cap)


def learning_rate(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, 1.0)
    return value, max_norm(w - scale * RATE * shortened(g, limit), cap)


def clipped_inputs(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, jnp.clip(x, -limit, limit), y, scale)
    return value, max_norm(w - RATE * g, cap)


def clipped_by_value(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w - RATE * jnp.clip(g, -limit, limit), cap)


def clipped_after(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(shortened(w - RATE * g, limit), cap)


def capped_gradient(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, w - RATE * max_norm(shortened(g, limit), cap)


def capped_first(w, x, y, scale, limit, cap):
    w = max_norm(w, cap)
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, w - RATE * shortened(g, limit)


def capped_before_update(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w, cap) - RATE * shortened(g, limit)


def capped_rows(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w - RATE * shortened(g, limit), cap, axis=1)


def capped_state(w, x, y, scale, limit, cap):
    def loss(w):
        h = scale_gradient(max_norm(x @ w, cap), scale)
        return 0.5 * jnp.sum((h @ w - y) ** 2)

    value, g = jax.value_and_grad(loss)(w)
    return value, w - RATE * shortened(g, limit)


def forgets_the_clip(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w - RATE * g, cap)


def forgets_the_cap(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, w - RATE * shortened(g, limit)


def forgets_the_scale(w, x, y, scale, limit, cap):
    return right(w, x, y, 1.0, limit, cap)


def clipped_update(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, max_norm(w + shortened(-RATE * g, limit), cap)


def capped_whole(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, scale)
    return value, shortened(w - RATE * shortened(g, limit), cap)


def half_cap(w, x, y, scale, limit, cap):
    return right(w, x, y, scale, limit, cap / 2)


WRONG = {
    "nothing_acts": [plain],
    "value_scaled": [scaled_state],
    "learning_rate": [learning_rate],
    "inputs_clipped": [clipped_inputs],
    "clipped_by_value": [clipped_by_value],
    "clip_after_step": [clipped_after],
    "cap_on_gradient": [capped_gradient],
    "cap_before_step": [capped_first],
    "cap_before_update": [capped_before_update],
    "cap_rows": [capped_rows],
    "cap_on_state": [capped_state],
    "cap_whole": [capped_whole],
    "update_clipped": [clipped_update],
    "no_scale": [forgets_the_scale],
    "no_clip": [forgets_the_clip],
    "no_cap": [forgets_the_cap],
    "not_callable": [3.0],
    "returns_none": [lambda *arguments: None],
    "structure_changed": [lambda w, *rest: w],
    "wrong": [half_cap],
}
for misconception in MISCONCEPTIONS:  # they are answers in JAX themselves
    WRONG.setdefault(misconception.name, []).extend(misconception.answers)
