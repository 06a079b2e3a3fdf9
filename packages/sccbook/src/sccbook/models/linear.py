"""Linear recurrences: closed forms, products of Jacobians, and how much they stretch."""

from __future__ import annotations

from typing import Any

import jax
import jax.flatten_util
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ledger._arguments import floats_of
from scaleclip.ledger.placements import Step, of_jax


def recurrence(matrix: ArrayLike, drives: ArrayLike, initial: ArrayLike) -> Array:
    """The states of ``h_j = A h_{j-1} + d_j``.

    Args:
      matrix: A, float ``[D, D]``, or ``[]`` for the scalar recurrence.
      drives: d, float ``[K, D]`` or ``[K]``.
      initial: h_0, float ``[D]`` or ``[]``.

    Returns:
      float ``[K + 1, D]`` or ``[K + 1]``; h_0 to h_K.

    Raises:
      ValueError: if the shapes do not fit each other.
    """
    gain, drive, first = (jnp.asarray(given) for given in (matrix, drives, initial))
    if gain.shape not in ((), first.shape * 2) or drive.shape[1:] != first.shape or not drive.ndim:
        raise ValueError(
            "recurrence takes a matrix [D, D], drives [K, D] and an initial [D], or [], [K] and [], "
            f"but shapes {gain.shape}, {drive.shape} and {first.shape} were given."
        )
    first = first.astype(jnp.result_type(gain, drive, first))

    def application(h: Array, d: Array) -> tuple[Array, Array]:
        h = (gain @ h if gain.ndim else gain * h) + d
        return h, h

    _, states = jax.lax.scan(application, first, drive.astype(first.dtype))
    return jnp.concatenate([first[None], states])


def geometric_sum(ratio: ArrayLike, terms: ArrayLike) -> Array:
    """``1 + q + ... + q^(n-1) = (1 - q^n) / (1 - q)``, and n where q is 1.

    Exact to rounding near q = 1 too, where the quotient as it is written would lose digits. The
    derivative with respect to q is right at q = 0 and 1, and loses digits close to 1.

    Args:
      ratio: q, any real number, any shape.
      terms: n >= 0, an integer or integers, of a shape that broadcasts.
    """
    q, n = jnp.broadcast_arrays(jnp.asarray(ratio, float), jnp.asarray(terms, float))
    is_zero, is_one = q == 0, q == 1
    size = jnp.log(jnp.abs(jnp.where(is_zero | is_one, 2.0, q)))
    less = jnp.expm1(n * size)  # |q|^n - 1
    opposite = (q < 0) & (n % 2 == 1)  # where q^n = -|q|^n
    closed = jnp.where(opposite, -2.0 - less, less) / (jnp.where(is_zero | is_one, 2.0, q) - 1.0)
    at_zero = jnp.where(n > 1, 1.0 + q, n)
    at_one = n + n * (n - 1) / 2 * (q - 1.0)
    return jnp.where(is_zero, at_zero, jnp.where(is_one, at_one, closed))


def total_coefficient(steps: int, product: ArrayLike) -> Array:
    """``T(K)``: what the parameters of the dynamics receive, in units of one loss's gradient.

    ``T(K) = (1/K) sum_{j=1..K} (1 - r^(K-j+1)) / (1 - r)`` with r = s rho: the sum over losses
    k and applications j <= k of r^(k-j), each loss weighted 1/K, for the scale after the heads or
    at every input. (Before the heads it is s times that.) It is 1 at r = 0 or K = 1, in
    [1, 1/(1 - r)) while 0 < r < 1, (K + 1)/2 at r = 1, and grows geometrically beyond. It assumes
    that the head gradients are aligned and of one size, and that the gain rho and the derivative of
    a step with respect to the parameters are the same everywhere: where these multiply the state
    (h_j = rho h_{j-1}, of rho), there is no such bound.

    Args:
      steps: K >= 1.
      product: r = s rho, any real number, any shape.

    Raises:
      ValueError: if ``steps`` is less than 1.
    """
    if steps < 1:
        raise ValueError(f"steps must be 1 or more, but {steps} was given.")
    q = jnp.asarray(product, float)[..., None]
    return jnp.mean(geometric_sum(q, jnp.arange(1, steps + 1)), axis=-1)


def jacobians(step: Step, params: Any, state: Any, inputs: Any) -> Array:
    """The Jacobian of each application, ``d h_j / d h_{j-1}`` along the unroll.

    Args:
      step: ``(params, state, input) -> state``.
      params: any pytree.
      state: h_0, a pytree; of its float leaves, flattened, D entries in all.
      inputs: a pytree whose leaves have a leading axis K.

    Returns:
      float ``[K, D, D]``; ``[j - 1, a, b]`` is the derivative of entry a of h_j by entry b of
      h_{j-1}.
    """

    def application(h: Any, x: Any) -> tuple[Any, Array]:
        parts = floats_of(h)
        flat, back = jax.flatten_util.ravel_pytree(parts.floats)

        def flat_step(vector: Array) -> Array:
            following = floats_of(step(params, parts.merge(back(vector)), x)).floats
            return jax.flatten_util.ravel_pytree(following)[0]

        return step(params, h, x), jax.jacrev(flat_step)(flat)

    params, state = of_jax(params), jax.tree.map(jnp.asarray, state)
    return jnp.asarray(jax.lax.scan(application, state, inputs)[1])


def products(factors: ArrayLike, scale: ArrayLike = 1.0) -> Array:
    """The products ``P_k = (s J_k) (s J_{k-1}) ... (s J_1)``: d h_k / d h_0, and s^k on it.

    Args:
      factors: J, float ``[K, D, D]``, such as ``jacobians`` gives.
      scale: s, a real number: what a scale at every input does to each factor.

    Returns:
      float ``[K, D, D]``.
    """
    each = jnp.asarray(factors) * jnp.asarray(scale)

    def multiply(product: Array, factor: Array) -> tuple[Array, Array]:
        following = factor @ product
        return following, following

    _, found = jax.lax.scan(multiply, jnp.eye(each.shape[-1], dtype=each.dtype), each)
    return found


def singular_values(matrix: ArrayLike) -> Array:
    """The singular values of ``[..., D, D]``, largest first: by how much it stretches, at most and least."""
    return jnp.asarray(jnp.linalg.svd(jnp.asarray(matrix), compute_uv=False))


def spectral_radius(matrix: ArrayLike) -> Array:
    """The largest absolute eigenvalue of ``[..., D, D]``: the rate at which powers grow in the end."""
    return jnp.max(jnp.abs(jnp.linalg.eigvals(jnp.asarray(matrix))), axis=-1)


def with_spectral_radius(matrix: ArrayLike, radius: ArrayLike) -> Array:
    """The matrix ``[D, D]`` multiplied so that its spectral radius is ``radius``.

    Raises:
      ValueError: if its spectral radius is 0, so that no factor can make it another. (Where it
        is traced, the result is then not finite. Eigenvalues are rounded: of a matrix whose
        powers end in 0 they may come out as small numbers, and the result is then meaningless.)
    """
    found = spectral_radius(matrix)
    if not isinstance(found, jax.core.Tracer) and float(found) == 0:
        raise ValueError(
            "with_spectral_radius was given a matrix whose eigenvalues are all 0; expected one that "
            "has another eigenvalue. No factor changes a spectral radius of 0."
        )
    return jnp.asarray(matrix) * (jnp.asarray(radius) / found)
