"""Special functions that JAX takes for primitives, as JAX functions.

Those of the incomplete gamma and beta functions are JAX's own, by which it computes them on a CPU.
It keeps them private: one that is not where it was has no translation, and is refused by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Pair = tuple[jax.Array, jax.Array]
POINTS, TERMS = 28, 16  # of the integral and of the series of a Bessel function, to rounding
FAR = 25  # where the series begins


def frexp(x: jax.Array) -> Pair:
    """Return m, of size 1/2 to 1, and the integer e of x = m 2^e, exactly.

    Zeros, infinities and NaN come back with e = 0; subnormal numbers are zeros, as JAX has them.
    """
    limits = np.finfo(x.dtype)
    x = jnp.where(jnp.abs(x) < limits.tiny, 0 * x, x)
    ordinary = jnp.isfinite(x) & (x != 0)
    shifts = 2 ** np.arange(limits.nexp - 2, -1, -1, dtype=np.int32)

    def step(state: Pair, shift: Pair) -> tuple[Pair, None]:
        m, e = state
        power, by = shift
        large, small = m >= power, m < 1 / power
        m = jnp.where(large, m / power, jnp.where(small, m * power, m))
        return (m, e + jnp.where(large, by, jnp.where(small, -by, 0))), None

    start = jnp.where(ordinary, jnp.abs(x), 0.5), jnp.zeros(x.shape, np.int32)
    powers = jnp.asarray(2.0**shifts, x.dtype)
    (m, e), _ = lax.scan(step, start, (powers, jnp.asarray(shifts)))
    m, e = jnp.where(m < 1, m, m / 2), jnp.where(m < 1, e, e + 1)
    return jnp.where(ordinary, jnp.where(x < 0, -m, m), x), e


def is_frexp(equation: Any) -> bool:
    """Tell whether an equation is what ``jnp.frexp`` calls, up to JAX 0.10."""
    if equation.primitive.name != "custom_jvp_call":
        return False
    function = str(equation.params["call_jaxpr"].jaxpr.debug_info.func_src_info)
    return function.startswith(f"_frexp at {jax.__path__[0]}")


def bessel_i0e(x: jax.Array) -> jax.Array:
    """Return exp(-|x|) I0(x)."""
    return _scaled_bessel(0, jnp.abs(x))


def bessel_i1e(x: jax.Array) -> jax.Array:
    """Return exp(-|x|) I1(x)."""
    return jnp.sign(x) * _scaled_bessel(1, jnp.abs(x))


def _scaled_bessel(order: int, x: jax.Array) -> jax.Array:
    """Integrate by the trapezoidal rule (DLMF 10.32.2); far out, add up the series 10.40.1."""
    angles = np.linspace(0, np.pi, POINTS + 1)
    weights = np.sin(angles) ** 2 if order else np.r_[0.5, np.ones(POINTS - 1), 0.5]
    exponents = jnp.asarray(np.cos(angles) - 1, x.dtype)
    near = jnp.exp(x[..., None] * exponents) @ jnp.asarray(weights / POINTS, x.dtype)
    k = np.arange(1, TERMS)
    terms = np.cumprod(np.r_[1, ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k)])
    series = jnp.polyval(jnp.asarray(terms[::-1], x.dtype), 1 / x) / jnp.sqrt(2 * np.pi * x)
    return jnp.where(x > FAR, series, near * x if order else near)


def by_jax(name: str) -> Callable[..., jax.Array] | None:
    """Return JAX's own function for a primitive of ``jax._src.lax.special``, if there is one."""
    try:
        found = getattr(importlib.import_module("jax._src.lax.special"), f"{name}_impl")
    except (ImportError, AttributeError):
        return None

    def function(*operands: jax.Array) -> jax.Array:
        result: jax.Array = found(*jnp.broadcast_arrays(*operands), dtype=operands[0].dtype)
        return result

    return function
