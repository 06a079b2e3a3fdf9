"""Functions to draw: each a piece of the book's subject, small enough for a figure of one's own.

They are examples for ``explore``: plain JAX functions from controls to named arrays.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

THETA = 1.4
"""The parameter of ``three_steps``."""


def three_steps(
    x: Array,
    forward: Array | int,
    backward: Array | int,
    theta: Array | float = THETA,
    stopped: Array | int = 0,
) -> dict[str, Array]:
    """A recurrent chain of three steps with a loss at each: what its tape holds.

    The dynamics are h_k = tanh(theta h_{k-1}), the losses (h_k - 0.2)^2 / 2.

    Args:
      x: float ``[]``; the first state.
      forward: int ``[]`` from 1 to 4; how many states have been computed.
      backward: int ``[]`` from 0 to 4; how many cotangents have been, from the last state.
      theta: float ``[]``; 1.4 by default.
      stopped: int ``[]``; the application in which theta passes ``stop_gradient``, 0 for none.

    Returns:
      ``states``, ``cotangents`` ``[4]``; ``received``, ``losses`` ``[3]``; ``total``, the
      gradient of theta, which ``received`` adds up to; ``forward`` and ``backward``.
    """

    def unroll(thetas: Array, probes: Array) -> tuple[Array, Array]:
        def step(h: Array, inputs: tuple[Array, Array]) -> tuple[Array, Array]:
            theta, probe = inputs
            h = jnp.tanh(theta * h) + probe
            return h, h

        here = jnp.arange(1, 4) == stopped
        thetas = jnp.where(here, jax.lax.stop_gradient(thetas), thetas)
        _, states = jax.lax.scan(step, x + probes[0], (thetas, probes[1:]))
        return jnp.sum(0.5 * (states - 0.2) ** 2), states

    # theta three times over, and a zero added to each state: their gradients are the tape
    slopes = jax.value_and_grad(unroll, (0, 1), has_aux=True)
    (_, states), (received, cotangents) = slopes(jnp.full(3, theta), jnp.zeros(4))
    return {
        "states": jnp.concatenate([x[None], states]),
        "cotangents": cotangents,
        "received": received,
        "total": jnp.sum(received),
        "losses": 0.5 * (states - 0.2) ** 2,
        "forward": jnp.asarray(forward),
        "backward": jnp.asarray(backward),
    }


def products(a: Array, b: Array, steps: int = 8) -> dict[str, Array]:
    """Powers 1 to 8 of a matrix, and how far they stretch the unit circle.

    Args:
      a, b: float ``[2]``; the matrix's columns.
      steps: how many applications, 8 by default.

    Returns:
      ``matrix`` ``[2, 2]``; ``powers`` ``[steps, 2, 2]``, the matrix to the power 1 to ``steps``;
      ``largest`` ``[steps]``, the largest singular value of each: the longest arrow on its ellipse.
    """
    matrix = jnp.stack([a, b], axis=1)

    def step(power: Array, _: None) -> tuple[Array, Array]:
        following = matrix @ power
        return following, following

    _, powers = jax.lax.scan(step, jnp.eye(2), None, length=steps)
    return {"matrix": matrix, "powers": powers, "largest": stretches(powers)[0]}


def stretches(matrices: Array) -> tuple[Array, Array]:
    """The largest and the smallest singular value of each 2 x 2 matrix, in closed form.

    The compiler has no SVD. A 2 x 2 matrix is a turn times a plus a turned mirror image times b;
    where both agree they add up, and where they oppose each other they subtract.

    Args:
      matrices: float ``[..., 2, 2]``.

    Returns:
      Two arrays ``[...]``: ``a + b`` and ``|a - b|``.
    """
    (p, q), (r, s) = (
        (matrices[..., 0, 0], matrices[..., 0, 1]),
        (matrices[..., 1, 0], matrices[..., 1, 1]),
    )
    turn, mirror = jnp.hypot(p + s, r - q) / 2, jnp.hypot(p - s, r + q) / 2
    return turn + mirror, jnp.abs(turn - mirror)


def unrolled_loss(w: Array) -> Array:
    """The loss of a scalar recurrent unit after seven steps: flat, then a cliff.

    The unit is h = sigmoid(w_1 h + w_2), from h = 0.1.

    Args:
      w: float ``[2]``.
    """

    def step(h: Array, _: None) -> tuple[Array, None]:
        return jax.nn.sigmoid(w[0] * h + w[1]), None

    h, _ = jax.lax.scan(step, jnp.full_like(w[0], 0.1), None, length=7)
    return 10.0 * (h - 0.3) ** 2 + 0.02 * jnp.sum((w - jnp.array([4.0, -3.0])) ** 2)


def loss_surface(n: int = 49) -> np.ndarray:
    """``unrolled_loss`` on n by n even places, w_1 from 0 to 12 and w_2 from -6 to 0, ``[n, n]``."""
    with jax.enable_x64(True):
        across, up = jnp.linspace(0.0, 12.0, n), jnp.linspace(-6.0, 0.0, n)
        places = jnp.stack(jnp.meshgrid(across, up), axis=-1)
        return np.asarray(jax.vmap(jax.vmap(unrolled_loss))(places))


def descent(start: Array, c: Array) -> dict[str, Array]:
    """Twelve steps of gradient descent on ``unrolled_loss``, plain and clipped.

    Args:
      start: float ``[2]``; the first weights.
      c: float ``[]``, above 0; the norm to which the second descent clips its gradients.

    Returns:
      ``plain``, ``clipped`` ``[13, 2]``, the weights before each step and after the last;
      ``landing`` ``[2]``, those after one plain step; ``end`` ``[2]``, those after the last clipped
      one, and ``loss`` ``[]`` there; ``never`` ``[]``, whether the clip never acts, and ``acts``,
      whether it does.
    """
    slope = jax.grad(unrolled_loss)

    def walk(limit: Array | float) -> Array:
        def step(w: Array, _: None) -> tuple[Array, Array]:
            g = slope(w)
            g = g * jnp.minimum(1.0, limit / jnp.linalg.norm(g))
            return w - 0.5 * g, w

        path: Array = jax.lax.scan(step, start, None, length=13)[1]
        return path

    plain, clipped = walk(jnp.inf), walk(c)
    landing, end = plain[1], clipped[-1]
    never = jnp.all(plain == clipped)
    found = {"plain": plain, "clipped": clipped, "landing": landing, "end": end}
    return found | {"loss": unrolled_loss(end), "never": never, "acts": ~never}


def each_within(g: Array, c: Array) -> Array:
    """The middle one of ``-c``, the coordinate and ``c``, for each coordinate of ``g``: chapter 18's target."""
    return jnp.sort(jnp.stack([-c + 0 * g, g, c + 0 * g]), axis=0)[1]
