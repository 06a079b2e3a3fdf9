"""One small training step as a loop of six places, with an operation at one of them."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from scaleclip.ops import clip_by_norm

INPUTS = ((0.9, -0.8), (0.3, 0.7))
TARGETS = ((1.3, -1.7), (-1.3, 0.5))
WEIGHTS = ((-0.8, 0.5), (0.8, 0.7))

TOKENS = (
    ("scale", "× s"),
    ("clip", "clip"),
    ("cap", "cap (MaxNorm)"),
    ("stop", "stop"),
    ("batch_norm", "batch norm"),
)
PLACES = ("x", "h", "cotangent", "gradient", "update", "w")
CAP = 2
FORWARD, OF_EXAMPLES, LAST = 2, 3, 5  # values up to here, examples up to here, the weights


def batch_norm(v: Array, epsilon: float = 1e-5) -> Array:
    """The batch, feature by feature, less its mean and over its standard deviation: ``[B, D]``."""
    centred = v - jnp.mean(v, axis=0)
    return centred / jnp.sqrt(jnp.mean(centred**2, axis=0) + epsilon)


def apply(
    token: Any, station: Any, scale: Any, limit: Any, v: Array, cotangent: Array
) -> tuple[Array, Array]:
    """Apply a token to the two vectors at a station, and to what comes back through it.

    Args:
      token, station: int ``[]``; the place in ``TOKENS`` and in ``PLACES``. A token beyond
        the last leaves all as it is.
      scale, limit: float ``[]``.
      v, cotangent: float ``[2, 2]``: examples by features or, from the gradient on, ``[in, out]``.

    Returns:
      What the token makes of ``v``, and what its derivative there makes of ``cotangent``.
    """
    batch, back = station < OF_EXAMPLES, (station >= FORWARD) & (station < LAST)
    columns = jnp.equal(token, CAP)

    def shorten(v: Array) -> Array:
        """Clip each row or, as ``max_norm`` does, each column; without a batch both rows as one."""
        rows = jnp.where(columns, v.T, v)
        others = jnp.where(batch | columns, 0.0, v[::-1])
        clipped = clip_by_norm(jnp.concatenate([rows, others], axis=1), limit, axis=1)[:, :2]
        return jnp.where(columns, clipped.T, clipped)

    def both(f: Callable[[Array], Array]) -> Callable[[Array, Array], tuple[Array, Array]]:
        def there_and_back(v: Array, cotangent: Array) -> tuple[Array, Array]:
            value, pull = jax.vjp(f, v)
            return value, pull(cotangent)[0]

        return there_and_back

    acts = (
        lambda v: jnp.where(jnp.less(token, len(TOKENS)), scale, 1.0) * v,
        shorten,
        lambda v: jnp.where(back, 0.0, jax.lax.stop_gradient(v)),
        lambda v: jnp.where(batch, batch_norm(v), v),
    )
    act = jnp.array([0, 1, 1, 2, 3, 0])[token]  # clip and cap are one, and no token is a scale of 1
    done: tuple[Array, Array] = jax.lax.switch(act, [both(f) for f in acts], v, cotangent)
    return done


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
    The second visit to h finds what comes back through the token there, once its value is known.

    Returns:
      What is at the six places, float ``[6, 2, 2]``, and the loss.
    """
    w = jnp.asarray(WEIGHTS)

    def visit(known: tuple[Array, Array], place: Array) -> tuple[tuple[Array, Array], None]:
        (x, h, cotangent, gradient, update, _), back = known
        direct, from_loss = jax.grad(loss, (0, 1))(w, h)
        whole = x.T @ cotangent + direct
        arrives = INPUTS, x @ w, back, whole, first_update(gradient, adam), w + update
        v = jnp.stack([jnp.asarray(each) for each in arrives])[place]
        here = jnp.where(place == station, token, len(TOKENS))
        value, back = apply(here, place, scale, limit, v, from_loss)
        at_place = (jnp.arange(len(PLACES)) == place)[:, None, None]
        return (jnp.where(at_place, value, known[0]), back), None

    nothing = jnp.zeros((6, 2, 2)), jnp.zeros((2, 2))
    (at, _), _ = jax.lax.scan(visit, nothing, jnp.array([0, 1, 1, 2, 3, 4, 5]))
    return at, loss(w, at[1])


def compared(before: Array, after: Array) -> tuple[Array, Array, Array]:
    """What has become of a gradient, an update or a change of w.

    Returns:
      0 as it was, 1 another length alone, 2 turned, 3 nothing left; by how many degrees it is
      turned, 0 where one is 0; and the ratio of the lengths.
    """
    sizes = jnp.linalg.norm(before), jnp.linalg.norm(after)
    one, other = (
        v / jnp.where(size > 0, size, 1.0) for v, size in zip((before, after), sizes, strict=True)
    )
    angle = jnp.degrees(
        2.0 * jnp.arctan2(jnp.linalg.norm(one - other), jnp.linalg.norm(one + other))
    )
    turned = jnp.where((sizes[0] > 0) & (sizes[1] > 0), angle, 0.0)
    # Adam's epsilon makes a difference of some 1e-8, which is none that a reader should see.
    same = jnp.linalg.norm(after - before) < 1e-6
    moved = jnp.where(same, 0, jnp.where(sizes[1] == 0, 3, jnp.where(turned > 1e-3, 2, 1)))
    return moved, turned, sizes[1] / sizes[0]
