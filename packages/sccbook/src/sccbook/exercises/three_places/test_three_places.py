"""A bank of answers to chapter 02's exercise."""

import jax
import jax.numpy as jnp
import optax

from sccbook.exercises.three_places.exercise import MISCONCEPTIONS
from scaleclip.ops import clip_by_global_norm, clip_by_norm, max_norm, scale_gradient

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


def moved(new, *, loss=state_loss, used=lambda w, cap: w):
    """An answer that goes wrong: ``new(w, its gradient, limit, cap)``, at the w that is used."""

    def step(w, x, y, scale, limit, cap):
        w = used(w, cap)
        value, g = jax.value_and_grad(loss)(w, x, y, scale)
        return value, new(w, g, limit, cap)

    return step


def moved_right(w, g, limit, cap):
    return max_norm(w - RATE * shortened(g, limit), cap)


def without_a_cap(w, g, limit, cap):
    return w - RATE * shortened(g, limit)


def without_a_clip(w, g, limit, cap):
    return max_norm(w - RATE * g, cap)


def scaled_state(w, x, y, scale):
    return 0.5 * jnp.sum((scale * (x @ w) @ w - y) ** 2)


def learning_rate(w, x, y, scale, limit, cap):
    value, g = jax.value_and_grad(state_loss)(w, x, y, 1.0)
    return value, max_norm(w - scale * RATE * shortened(g, limit), cap)


def capped_state(w, x, y, scale, limit, cap):
    def loss(w, x, y, scale):
        h = scale_gradient(max_norm(x @ w, cap), scale)
        return 0.5 * jnp.sum((h @ w - y) ** 2)

    return moved(without_a_cap, loss=loss)(w, x, y, scale, limit, cap)


WRONG = {
    "only_scale": [moved(lambda w, g, *_: w - RATE * g)],
    "only_clip": [lambda w, x, y, _, *rest: moved(without_a_cap)(w, x, y, 1.0, *rest)],
    "only_cap": [lambda w, x, y, _, *rest: moved(without_a_clip)(w, x, y, 1.0, *rest)],
    "nothing_acts": [lambda w, x, y, *_: moved(lambda w, g, *_: w - RATE * g)(w, x, y, 1.0, 1, 1)],
    "value_scaled": [moved(moved_right, loss=scaled_state)],
    "learning_rate": [
        learning_rate,
        lambda w, x, y, s, *_: moved(lambda w, g, *_: w - s * RATE * g)(w, x, y, 1.0, 1, 1),
    ],
    "inputs_clipped": [
        lambda w, x, y, scale, limit, cap: moved(without_a_clip)(
            w, jnp.clip(x, -limit, limit), y, scale, limit, cap
        )
    ],
    "clipped_by_value": [
        moved(lambda w, g, limit, cap: max_norm(w - RATE * jnp.clip(g, -limit, limit), cap))
    ],
    "clip_after_step": [
        moved(lambda w, g, limit, cap: max_norm(shortened(w - RATE * g, limit), cap))
    ],
    "cap_on_gradient": [
        moved(lambda w, g, limit, cap: w - RATE * max_norm(shortened(g, limit), cap))
    ],
    "cap_before_step": [moved(without_a_cap, used=max_norm)],
    "cap_before_update": [
        moved(lambda w, g, limit, cap: max_norm(w, cap) - RATE * shortened(g, limit))
    ],
    "cap_rows": [
        moved(lambda w, g, limit, cap: max_norm(w - RATE * shortened(g, limit), cap, axis=1))
    ],
    "cap_on_state": [capped_state],
    "cap_whole": [moved(lambda w, g, limit, cap: shortened(w - RATE * shortened(g, limit), cap))],
    "update_clipped": [
        moved(lambda w, g, limit, cap: max_norm(w + shortened(-RATE * g, limit), cap))
    ],
    "no_scale": [lambda w, x, y, scale, *rest: right(w, x, y, 1.0, *rest)],
    "no_clip": [moved(without_a_clip)],
    "no_cap": [moved(without_a_cap)],
    "not_callable": [3.0],
    "structure_changed": [lambda w, *rest: w],
    "wrong": [lambda w, x, y, scale, limit, cap: right(w, x, y, scale, limit, cap / 2)],
}
for misconception in MISCONCEPTIONS:  # they are answers in JAX themselves
    WRONG.setdefault(misconception.name, []).extend(misconception.answers)
