"""Clipping at a tensor: the value passes unchanged, its gradient is bounded."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from gradlab.ops._arguments import describe, map_float_leaves, real_scalar


def clip_gradient(x: Any, minimum: ArrayLike, maximum: ArrayLike) -> Any:
    """Returns ``x``; a gradient that flows back through it is clipped element by element.

    Forward ``y = x``, cotangent ``x_bar = min(max(y_bar, minimum), maximum)``.

    Not a scaling: what lies within the limits is left alone, and what lies beyond loses
    its size, and with it the direction of the whole. An infinite cotangent becomes the
    limit; NaN stays NaN. The derivative with respect to a limit is 0.

    Clipping is not linear in the cotangent, so there is no forward mode: ``jax.jvp`` raises
    JAX's error, ``jax.grad`` and ``jax.hessian`` work. A second derivative is that of the
    clipped gradient as a function of ``x``: the clip is differentiated, as ``jnp.clip``
    is (1 within the limits, 0 beyond, one half at a limit), and not applied again.

    Args:
      x: a float array or Python number of any shape, or a pytree of them. Leaves that
        have no gradient (integers, booleans, ``None``) pass through.
      minimum: a real number or a real array of shape ``[]``; -inf for no limit. It may
        be traced.
      maximum: the same, not less than ``minimum``; inf for no limit.

    Returns:
      A pytree like ``x``: the same values, shapes and dtypes, bit for bit.

    Raises:
      TypeError: if a limit is not a real number, or a leaf of ``x`` complex or not
        numeric.
      ValueError: if a limit is not a scalar, or if the limits are known (not traced) and
        one is NaN or ``minimum`` is greater than ``maximum``.

    Source: ``clip_gradient`` in RLax 0.1 and Sonnet 1; its use with [-1, 1] is the error
      clipping of Mnih et al. 2015.
    """
    lower, upper = real_scalar(minimum, "minimum"), real_scalar(maximum, "maximum")
    _check_interval(minimum, maximum)
    return map_float_leaves(lambda leaf: _clip_leaf(leaf, lower, upper), x)


def _check_interval(minimum: ArrayLike, maximum: ArrayLike) -> None:
    known = {
        name: float(np.asarray(limit))  # NumPy's, because under jit jax.numpy would trace it.
        for name, limit in (("minimum", minimum), ("maximum", maximum))
        if not isinstance(limit, jax.core.Tracer)
    }
    for name, limit in known.items():
        if math.isnan(limit):
            raise ValueError(f"{name} must be a number, but nan was given.")
    if len(known) == 2 and known["minimum"] > known["maximum"]:
        raise ValueError(
            "minimum must not be greater than maximum, but minimum = "
            f"{known['minimum']} and maximum = {known['maximum']} were given."
        )


def _clip_leaf(leaf: Array, lower: Array, upper: Array) -> Array:
    if jnp.issubdtype(leaf.dtype, jnp.complexfloating):
        raise TypeError(f"clip_gradient orders numbers, but a leaf of x is {describe(leaf)}.")
    return _clip(leaf, lower.astype(leaf.dtype), upper.astype(leaf.dtype))


@jax.custom_vjp
def _clip(x: Array, lower: Array, upper: Array) -> Array:
    return x


def _clip_forward(x: Array, lower: Array, upper: Array) -> tuple[Array, tuple[Array, Array]]:
    # Bare x, unlike in scaling: a clip applied again would clip the second derivative, and
    # would close the way to jax.hessian, which needs forward mode here.
    return x, (lower, upper)


def _clip_backward(limits: tuple[Array, Array], y_bar: Array) -> tuple[Array, Array, Array]:
    lower, upper = limits
    zero = jnp.zeros_like(lower)
    return jnp.clip(y_bar, lower, upper), zero, zero


_clip.defvjp(_clip_forward, _clip_backward)
