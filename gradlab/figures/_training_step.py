"""One small training step as a loop of six places, with an operation at one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from gradlab.ops import clip_by_norm, max_norm, scale_gradient

INPUTS = ((0.9, -0.8), (0.3, 0.7))
TARGETS = ((1.5, 0.7), (-0.3, 1.6))
WEIGHTS = ((-0.6, 0.3), (0.9, 0.5))
SMALL = 1e-6
"""By which a vector is multiplied to see whether a token leaves small ones alone."""

TOKENS = (
    ("scale", "multiply by s"),
    ("clip", "clip to c"),
    ("cap", "cap at c (MaxNorm)"),
    ("stop", "stop the gradient"),
    ("batch_norm", "batch normalisation"),
)
STATIONS = (
    ("x", "the inputs, x"),
    ("h", "the state, h"),
    ("cotangent", "the cotangent at h"),
    ("gradient", "the gradient of w"),
    ("update", "the update"),
    ("w", "the weights, w"),
)
PLACES = tuple(name for name, _ in STATIONS)
FORWARD, OF_EXAMPLES, LAST = 2, 3, 5  # values up to here, examples up to here, the weights


def batch_norm(v: Array, epsilon: float = 1e-5) -> Array:
    """The batch, feature by feature, less its mean and over its standard deviation: ``[B, D]``."""
    return (v - jnp.mean(v, axis=0)) / jnp.sqrt(jnp.var(v, axis=0) + epsilon)


def apply(token: Array, station: Any, scale: Array, limit: Array, v: Array) -> Array:
    """Apply a token to the two vectors at a station.

    Args:
      token, station: int ``[]``; the place in ``TOKENS`` and in ``STATIONS``.
      scale, limit: float ``[]``.
      v: float ``[2, 2]``: examples by features or, from the gradient on, ``[in, out]``.
    """
    batch, back = station < OF_EXAMPLES, (station >= FORWARD) & (station < LAST)

    def either(so: Any, one: Callable[[], Array], other: Callable[[], Array]) -> Array:
        if isinstance(so, bool):  # a place that is known: half of the program
            return one() if so else other()
        return jnp.where(so, one(), other())

    made = (
        lambda v: scale * v,
        lambda v: either(
            batch, lambda: clip_by_norm(v, limit, axis=-1), lambda: clip_by_norm(v, limit)
        ),
        lambda v: max_norm(v, limit, axis=0),
        lambda v: either(back, lambda: jnp.zeros_like(v), lambda: jax.lax.stop_gradient(v)),
        lambda v: either(batch, lambda: batch_norm(v), lambda: v),
    )
    changed: Array = jax.lax.switch(token, made, v)
    return changed


def loss(w: Array, h: Array) -> Array:
    """Half the squared distance of the next state, ``h w``, to what it should be."""
    return 0.5 * jnp.sum((h @ w - jnp.asarray(TARGETS)) ** 2)


def first_update(gradient: Array, adam: Array) -> Array:
    """The optimizer's first update: of SGD with the rate 0.5, or of Adam with 0.3."""

    def of(optimizer: optax.GradientTransformation) -> Any:
        return optimizer.update(gradient, optimizer.init(gradient))[0]

    return jnp.where(adam, of(optax.adam(0.3)), of(optax.sgd(0.5)))


def training_step(
    token: Array, station: Array, scale: Array, limit: Array, adam: Array
) -> tuple[Array, Array]:
    """One training step with a token at a station; at none where ``station`` is -1.

    w is used twice, ``h = x w`` and ``loss(w, h)``, so it reaches the loss through h and directly.

    Returns:
      What is at the six places, float ``[6, 2, 2]``, and the loss.
    """

    def at(name: str, v: Array) -> Array:
        here = PLACES.index(name)
        put = jax.lax.cond(
            station == here, lambda v: apply(token, here, scale, limit, v), lambda v: v, v
        )
        return jnp.asarray(put)

    w = jnp.asarray(WEIGHTS)
    x = at("x", jnp.asarray(INPUTS))
    made, back_to_w = jax.vjp(lambda w: x @ w, w)
    h, back_past_token = jax.vjp(lambda h: at("h", h), made)
    value, (direct, from_loss) = jax.value_and_grad(loss, (0, 1))(w, h)
    cotangent = at("cotangent", *back_past_token(from_loss))
    gradient = at("gradient", back_to_w(cotangent)[0] + direct)
    update = at("update", first_update(gradient, adam))
    weights = at("w", w + update)
    return jnp.stack([x, h, cotangent, gradient, update, weights]), value


def manner(put: Callable[[Array], Array], v: Array, through: Array) -> tuple[Array, Array]:
    """Find whether ``put`` acts on a small v, and how much of a large one it must see.

    Args:
      put: of ``[2, 2]``.
      v: float ``[2, 2]``.
      through: bool ``[]``; whether what comes back through ``put`` counts as well.

    Returns:
      A bool, and 0 if it sees nothing, 1 a number, 2 its row, 3 its column, 4 all of v: found
      by changing one entry and looking at the first result.
    """

    def probe(v: Array) -> tuple[Array, Array]:
        value, back = jax.vjp(put, v)
        return value, back(jnp.ones_like(v))[0]

    nudges = jnp.eye(5, 4, -1).reshape(5, 2, 2)  # none, and one at each entry
    values, pulled = jax.lax.map(probe, jnp.concatenate([SMALL * v[None], 10.0 * v + nudges]))
    acts = length(values[0] - SMALL * v) > 1e-9 * SMALL
    acts = acts | (through & (length(pulled[0] - 1.0) > 1e-9))
    own, row, column, corner = values[2:, 0, 0] != values[1, 0, 0]
    most = jnp.where(corner, 4, jnp.where(column, 3, jnp.where(row, 2, jnp.where(own, 1, 0))))
    return acts, jnp.where(jnp.all(values[1] == 10.0 * v), 0, most)


def length(v: Array) -> Array:
    """The Euclidean norm of all entries together."""
    return jnp.sqrt(jnp.sum(v**2))


def muzero() -> Array:
    """The first of x, h and the cotangent at h that MuZero's line changes."""
    x, w = jnp.asarray(INPUTS), jnp.asarray(WEIGHTS)
    h, line = jax.vjp(lambda h: scale_gradient(h, 0.5), x @ w)
    cotangent = jax.grad(loss, 1)(w, h)
    changed = [jnp.any(x != jnp.asarray(INPUTS)), jnp.any(h != x @ w)]
    return jnp.argmax(jnp.stack([*changed, jnp.any(line(cotangent)[0] != cotangent)]))


def turn(a: Array, b: Array) -> Array:
    """The angle between two gradients in degrees; 0 where one is 0."""
    one, other = (v / jnp.where(jnp.any(v != 0), length(v), 1.0) for v in (a, b))
    angle = 2.0 * jnp.arctan2(length(one - other), length(one + other))
    return jnp.where(jnp.any(a != 0) & jnp.any(b != 0), jnp.degrees(angle), 0.0)


def moved(before: Array, after: Array) -> Array:
    """0 as it was, 1 another length alone, 2 turned, 3 nothing left."""
    # Adam's epsilon makes a difference of some 1e-8, which is none that a reader should see.
    same = length(after - before) < 1e-6
    turned = turn(before, after) > 1e-3
    gone = jnp.logical_not(jnp.any(after != 0))
    return jnp.where(same, 0, jnp.where(gone, 3, jnp.where(turned, 2, 1)))
