"""Seven remedies for the network of ``recall``, three optimizers, and one step of its training.

Each remedy is one operation at one place; ``limit`` is its only number. Chapter 12 compares them, a
figure trains with them in the page, and ``experiments/remedies`` records them over many seeds.
"""

import itertools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.flatten_util import ravel_pytree
from jax.typing import ArrayLike

from scaleclip.ops import scale_gradient
from sccbook.models import recall
from sccbook.models.recurrent import Params

REMEDIES = ("nothing", "half", "clip_state", "clip", "columns", "spectral", "normalise")
"""Names: no remedy; ``limit`` times the gradient between two steps, or that gradient clipped, each
example's by itself; the gradient of all parameters clipped; the columns of the recurrent matrix, or
its singular values, capped after the update; the gradient brought to one length, long or short."""
LIMITS = (1.0, 0.5, 0.1, 1.0, 1.4, 1.4, 0.3)
"""A limit for each that is a fair place to start from; ``nothing`` has no use for its own."""
OPTIMIZERS = ("sgd", "momentum", "adam")
MOMENTUM = 0.9
RECENT = 25
"""Steps of which ``right`` is the mean."""
_NONE, _HALF, _CLIP_STATE, _CLIP, _COLUMNS, _SPECTRAL, _NORMALISE = range(len(REMEDIES))


def unflatten(flat: Array) -> Params:
    """The parameters of ``recall.init`` from one vector of them all, as a ``Training`` has it."""
    shapes = jax.tree.leaves(jax.eval_shape(recall.init, jax.random.key(0)))
    parts = jnp.split(flat, list(itertools.accumulate(one.size for one in shapes))[:-1])
    names = sorted(("w_in", "w", "b", "w_out", "b_out"))
    return {n: part.reshape(one.shape) for n, part, one in zip(names, parts, shapes, strict=True)}


class Training(NamedTuple):
    """What one step hands to the next: ``recent [RECENT]`` has the latest shares named right."""

    params: Array
    momentum: Any
    adam: Any
    key: Array
    taken: Array
    recent: Array
    shortened: Array


def start(seed: ArrayLike) -> Training:
    """Begin a training run: parameters and data are drawn from ``seed``, an integer."""
    first, key = jax.random.split(jax.random.key(seed))
    params = ravel_pytree(recall.init(first))[0]
    return Training(
        params,
        optax.trace(MOMENTUM).init(params),
        optax.scale_by_adam().init(params),
        key,
        jnp.zeros((), "int32"),
        jnp.zeros(RECENT),
        jnp.zeros(()),
    )


def step(
    carry: Training, remedy: ArrayLike, optimizer: ArrayLike, rate: ArrayLike, limit: ArrayLike
) -> tuple[Training, dict[str, Array]]:
    """Take one step of training, with one remedy.

    Args:
      carry: of ``start``, or of the step before.
      remedy, optimizer: the place in ``REMEDIES`` and in ``OPTIMIZERS``, which may be traced.
      rate: the learning rate.
      limit: the remedy's number: the scale of ``half``, a norm of gradients, of columns or of the
        matrix; for ``normalise`` the length that every gradient is given.

    Returns:
      The next carry, and a record: the ``loss`` of this minibatch; ``right``, the share named right in
      the last ``RECENT`` minibatches, before their updates; ``norm``, the length of the gradient of
      all parameters, before it is clipped or normalised; ``stride``, how far the parameters went; and
      ``shortened``, the share of steps so far whose gradient was longer than ``limit``, for ``clip``.
    """
    key, drawn = jax.random.split(carry.key)
    scale = jnp.where(remedy == _HALF, limit, 1.0)
    at_most = jnp.where(remedy == _CLIP_STATE, limit, jnp.inf)

    def at_state(h: Array) -> Array:
        return _clip_cotangent(scale_gradient(h, scale), at_most)

    def loss(flat: Array) -> tuple[Array, Array]:
        return recall.loss(unflatten(flat), *recall.draw(drawn), at_state)

    (loss, right), gradient = jax.value_and_grad(loss, has_aux=True)(carry.params)
    norm = optax.tree.norm(gradient)
    wanted = jnp.where(remedy == _CLIP, jnp.minimum(norm, limit), norm)
    wanted = jnp.where(remedy == _NORMALISE, limit, wanted)
    gradient = optax.tree.scale(wanted / jnp.maximum(norm, 1e-30), gradient)

    momentum_update, momentum = optax.trace(MOMENTUM).update(gradient, carry.momentum)
    adam_update, adam = optax.scale_by_adam().update(gradient, carry.adam)
    update: Any = jnp.select(
        [optimizer == 0, optimizer == 1], [gradient, momentum_update], adam_update
    )
    params = optax.apply_updates(carry.params, -jnp.asarray(rate) * update)
    tree = unflatten(params)
    params = ravel_pytree(tree | {"w": constrained(tree["w"], remedy, limit)})[0]

    taken = carry.taken + 1
    recent = jnp.append(carry.recent[1:], right)
    longer = (remedy == _CLIP) & (norm > limit)
    shortened = carry.shortened + (longer - carry.shortened) / taken
    record = {
        "loss": loss,
        "right": jnp.sum(recent) / jnp.minimum(taken, RECENT),
        "norm": norm,
        "stride": optax.tree.norm(optax.tree.sub(params, carry.params)),
        "shortened": shortened,
    }
    return Training(params, momentum, adam, key, taken, recent, shortened), record


def constrained(w: Array, remedy: ArrayLike, limit: ArrayLike) -> Array:
    """Cap the columns or the singular values of a matrix, or neither, at ``limit``."""
    kind = jnp.select([remedy == _COLUMNS, remedy == _SPECTRAL], [1, 2], 0)
    capped: Array = jax.lax.switch(
        kind, [lambda w, _: w, cap_columns, cap_singular_values], w, jnp.asarray(limit, w.dtype)
    )
    return capped


def cap_columns(w: Array, limit: ArrayLike) -> Array:
    """Shorten each column of a matrix to ``limit`` where it is longer."""
    return w * jnp.minimum(1.0, limit / jnp.sqrt(jnp.sum(w**2, axis=0)))


def cap_singular_values(w: Array, limit: ArrayLike) -> Array:
    """Bring each singular value of a square matrix down to ``limit`` where it is larger.

    Of ``w = q h``, q orthogonal and h symmetric, the eigenvalues of h are capped: what of
    ``h - limit`` is positive is taken away. No singular value is more than some 1e-4 off.
    """
    q = orthogonal_factor(w)
    h = q.T @ w
    above = (h + h.T) / 2 - limit * jnp.eye(len(w), dtype=w.dtype)
    return w - q @ (above + orthogonal_factor(above) @ above) / 2


def orthogonal_factor(m: Array) -> Array:
    """Compute q of ``m = q h``, with q orthogonal and h symmetric, not negative: its polar factor.

    Source: Newton's and Schulz's iteration, Higham 2008, Functions of Matrices, section 8.3.
    """

    def closer(_: Any, x: Array) -> Array:
        return 1.5 * x - 0.5 * x @ x.T @ x

    found: Array = jax.lax.fori_loop(0, 30, closer, m / jnp.sqrt(jnp.sum(m**2)))
    return found


@jax.custom_vjp
def _clip_cotangent(h: Array, limit: Array) -> Array:
    return h


def _forward(h: Array, limit: Array) -> tuple[Array, Array]:
    return h, limit


def _backward(limit: Array, h_bar: Array) -> tuple[Array, Array]:
    norm = jnp.sqrt(jnp.sum(h_bar**2))
    return h_bar * jnp.minimum(1.0, limit / jnp.maximum(norm, 1e-30)), jnp.zeros_like(limit)


_clip_cotangent.defvjp(_forward, _backward)
