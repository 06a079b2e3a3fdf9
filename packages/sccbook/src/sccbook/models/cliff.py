"""The two-parameter recurrence whose loss has a wall: x_t = w sigmoid(x_{t-1}) + b.

Where x_0 is a fixed point of the recurrence that repels, x_50 falls to one side or the other. In
the plane of w and b those places are a line, and along it the loss has a wall.

Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), who drew such a surface; constants as
below.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

START, STEPS, TARGET = 0.5, 50, 0.7
W, B = (4.5, 7.5), (-4.0, -1.5)
"""The part of the plane that is looked at."""

FIXED = 1 / (1 + math.exp(-START))
"""``sigmoid(0.5)``: the wall is the line ``b = 0.5 - w FIXED``."""

BLOCK = 4096
"""Places at a time, so that one compiled function serves grids of every size."""


def cliff_loss(place: Array) -> Array:
    """``(sigmoid(x_50) - 0.7)^2`` after 50 steps of ``x_t = w sigmoid(x_{t-1}) + b`` from 0.5.

    Args:
      place: float ``[2]``; w and b.

    Returns:
      float ``[]``.
    """
    w, b = place[0], place[1]

    def step(x: Array, _: None) -> tuple[Array, None]:
        return w * jax.nn.sigmoid(x) + b, None

    x, _ = jax.lax.scan(step, jnp.full_like(w, START), None, length=STEPS)
    loss: Array = (jax.nn.sigmoid(x) - TARGET) ** 2
    return loss


def cliff_surface(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The loss and the length of its gradient on a grid, w along its second axis, float64 ``[n, n]`` each."""
    places = np.meshgrid(np.linspace(*W, n), np.linspace(*B, n))
    losses, slopes = cliff_at(np.stack(places, axis=-1))
    return losses, np.asarray(np.linalg.norm(slopes, axis=-1))


def cliff_at(places: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """The loss and its gradient at many places, by JAX in float64.

    Args:
      places: float ``[..., 2]``; w and b.

    Returns:
      float64 ``[...]`` and ``[..., 2]``.
    """
    given = np.asarray(places, np.float64)
    flat = given.reshape(-1, 2)
    blocks = np.pad(flat, ((0, -len(flat) % BLOCK), (0, 0)), mode="edge").reshape(-1, BLOCK, 2)
    # also while a figure is traced: the surface is data, not part of its program
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        found = [_block(jnp.asarray(block)) for block in blocks]
    losses, slopes = (np.concatenate(part)[: len(flat)] for part in zip(*found, strict=True))
    return losses.reshape(given.shape[:-1]), slopes.reshape(given.shape)


@jax.jit
def _block(places: Array) -> tuple[Array, Array]:
    losses, slopes = jax.vmap(jax.value_and_grad(cliff_loss))(places)
    return losses, slopes


def wall(w: ArrayLike) -> np.ndarray:
    """The b at which x_0 stays where it is: ``b = 0.5 - w sigmoid(0.5)``, float64."""
    return START - np.asarray(w, np.float64) * FIXED


def isoline(loss: float, side: int) -> tuple[float, float]:
    """The line ``b = intercept + slope w`` on which the states that have settled have this loss.

    There ``x = w y + b`` with ``y = sigmoid(x) = 0.7 + side sqrt(loss)``, so that ``b = x - y w``.
    It holds where fifty steps suffice to settle, so not close to the wall's soft end.

    Args:
      loss: below 0.09 above the wall, below 0.49 beneath it.
      side: 1 above the wall, -1 beneath it.

    Returns:
      The intercept and the slope.
    """
    y = TARGET + side * math.sqrt(loss)
    return math.log(y / (1 - y)), -y


def wall_norm(w: ArrayLike) -> np.ndarray:
    """The length of the gradient at the wall, in closed form, float64.

    There every step has the gain ``rho = w sigmoid'(0.5)``, and
    ``d x_50 / db = 1 + rho + ... + rho^49``, times ``sigmoid(0.5)`` for w.
    """
    y = FIXED
    slope = y * (1 - y)
    rho = np.asarray(w, np.float64) * slope
    total = (rho**STEPS - 1) / (rho - 1)
    return np.asarray(2 * abs(y - TARGET) * slope * total * np.hypot(1, y))
