"""Curves of numbers over a slider, exact at their jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

PLACES = 121
"""Of a curve, besides those at jumps."""
JUMPS = 48
"""The most that are found."""
HALVINGS = 20
"""Of the interval in which a jump is: what is left is far narrower than a pixel."""
SMALLEST = 0.005
"""A step that could be a jump, as a share of the curve's range."""

Function = Callable[..., dict[str, Any]]
Along = Callable[[Any], jax.Array]


def curves(
    function: Function, at: int, places: Sequence[float], drawn: Sequence[str], exact: bool
) -> Callable[..., tuple[jax.Array, jax.Array]]:
    """Return a function from settings to places ``[n]`` along one of them, and curves ``[n, k]``.

    Args:
      function: from settings to named numbers.
      at: which of its arguments goes over the places.
      places: in order.
      drawn: the names of k results.
      exact: whether there are places at both sides of each jump, besides.
    """

    def called(*values: Any) -> tuple[jax.Array, jax.Array]:
        x = jnp.asarray(np.asarray(places, dtype=values[at].dtype))

        def along(place: Any) -> jax.Array:
            found = function(*values[:at], place, *values[at + 1 :])
            return jnp.stack([found[name].astype(x.dtype) for name in drawn])

        y = jax.vmap(along)(x)
        return _with_jumps(along, x, y) if exact else (x, y)

    return called


def may_be_in(y: np.ndarray) -> bool:
    """Tell whether a jump may lie between two places of any of these curves ``[..., n, k]``."""
    with np.errstate(all="ignore"):
        return bool(np.any(_suspects(y, np)))


def _with_jumps(along: Along, x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Add both sides of each jump: a suspect step stays as large however often its interval is halved."""
    suspects = _suspects(y).ravel()
    order = jnp.argsort(-suspects)[:JUMPS]

    def narrow(k: jax.Array, found: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        place, curve = jnp.divmod(order[k], y.shape[1])

        def halve(_: Any, ends: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            (a, b), (low, high) = ends
            middle = (a + b) / 2
            value = along(middle)
            steps = jnp.abs(jnp.stack([value - low, high - value]))[:, curve]
            left = ~(steps[0] < steps[1])
            return (
                jnp.where(left, jnp.stack([a, middle]), jnp.stack([middle, b])),
                jnp.where(left, jnp.stack([low, value]), jnp.stack([value, high])),
            )

        sides = place + jnp.arange(2)
        ends, values = jax.lax.fori_loop(0, HALVINGS, halve, (x[sides], y[sides]))
        return found[0].at[k].set(ends), found[1].at[k].set(values)

    unused = jnp.full((JUMPS, 2), -1)
    count = jnp.minimum(jnp.sum(suspects > 0), JUMPS)
    more_x, more_y = jax.lax.fori_loop(0, count, narrow, (x[unused], y[unused]))
    all_x = jnp.concatenate([x, more_x.ravel()])
    all_y = jnp.concatenate([y, more_y.reshape(-1, y.shape[1])])
    in_order = jnp.argsort(all_x)
    return all_x[in_order], all_y[in_order]


def _suspects(y: Any, xp: Any = jnp) -> Any:
    """Return the steps ``[..., n - 1, k]`` of curves that are out of line with their neighbours, else 0.

    They are twice the second largest of the four about them: two jumps may be side by side. A
    step is a share of its curve's range; where one end is not finite there is none.
    """
    finite = xp.isfinite(y)
    top = xp.max(xp.where(finite, y, -xp.inf), axis=-2, keepdims=True)
    bottom = xp.min(xp.where(finite, y, xp.inf), axis=-2, keepdims=True)
    steps = xp.abs(y[..., 1:, :] - y[..., :-1, :]) / (top - bottom)
    steps = xp.where(xp.isfinite(steps), steps, 0)
    none = xp.zeros_like(steps[..., :2, :])
    wide = xp.concatenate([none, steps, none], axis=-2)
    a, b, c, d = (wide[..., i : i + steps.shape[-2], :] for i in (0, 1, 3, 4))
    low, high = xp.minimum, xp.maximum
    second = high(low(high(a, b), high(c, d)), high(low(a, b), low(c, d)))
    return xp.where((steps > 2 * second) & (steps > SMALLEST), steps, 0)
