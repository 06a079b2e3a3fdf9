"""QR, singular values and eigenvalues of real matrices, by loops that stay small in a page.

QR is Householder's, with the signs that LAPACK has. Singular values and eigenvalues are Jacobi's,
with the rotations of half the columns against the other half made at once, to rounding. Their
vectors have signs that mathematics leaves open, and where values are repeated or zero any basis of
the same space does: so they are those of JAX up to that, and what does not depend on it (``pinv``,
``lstsq``, projections, derivatives where they exist) is the same.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

State = tuple[jax.Array, jax.Array, jax.Array]
MOST_SWEEPS = 30  # 8 are enough for 64 columns; this is for what does not converge


def geqrf(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Factor a matrix into reflectors I - tau v v' and R, as LAPACK's function of that name.

    Returns:
      R with, below its diagonal, the reflectors' v without their leading 1; and the taus.
    """
    rows, columns = (jnp.arange(length) for length in a.shape)

    def step(j: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        a, taus = state
        column = a[:, j]
        first, tail = column[j], jnp.where(rows > j, column, 0)
        length = jnp.sqrt(first**2 + jnp.sum(tail**2))
        done = jnp.all(tail == 0)
        last = jnp.where(jnp.signbit(first), length, -length)
        last = jnp.where(done, first, last)
        tau = jnp.where(done, 0, (last - first) / jnp.where(done, 1, last))
        tail = tail / jnp.where(done, 1, first - last)
        v = jnp.where(rows == j, 1, tail)
        a = jnp.where(columns > j, a - tau * jnp.outer(v, v @ a), a)
        column = jnp.where(rows == j, last, jnp.where(rows > j, tail, column))
        return jnp.where(columns == j, column[:, None], a), taus.at[j].set(tau)

    taus = jnp.zeros(min(a.shape), a.dtype)
    if not a.size:
        return a, taus
    a, unit = _scaled(a)
    packed, taus = lax.fori_loop(0, taus.size, step, (a, taus))
    return jnp.where(rows[:, None] > columns, packed, packed * unit), taus


def householder_product(a: jax.Array, taus: jax.Array) -> jax.Array:
    """Return the first columns of the product of the reflectors below the diagonal of a matrix."""
    m, n = a.shape
    rows = jnp.arange(m)

    def step(i: jax.Array, q: Any) -> Any:
        j = taus.size - 1 - i
        v = jnp.where(rows > j, a[:, j], rows == j)
        return q - taus[j] * jnp.outer(v, v @ q)

    product = jnp.eye(m, n, dtype=a.dtype)
    return lax.fori_loop(0, taus.size, step, product) if taus.size else product


def qr(a: jax.Array, full_matrices: bool) -> tuple[jax.Array, jax.Array]:
    """Factor a matrix into one with orthonormal columns and a triangular one."""
    m, n = a.shape
    packed, taus = geqrf(a)
    beside = ((0, 0), (0, max(m - n, 0) if full_matrices else 0))
    q = householder_product(jnp.pad(packed[:, :m], beside), taus)
    return q, jnp.triu(packed[: q.shape[1]])


def svd(a: jax.Array, full_matrices: bool) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Factor a matrix into U, the singular values from the largest on, and V'."""
    m, n = a.shape
    if m < n:
        u, s, v = svd(a.T, full_matrices)
        return v.T, s, u.T
    a, unit = _scaled(_finite(a))
    q, r = qr(a, full_matrices)
    w, u = _orthogonalised(r[:n].T)
    s = jnp.sqrt(jnp.sum(w**2, axis=0))
    order = jnp.argsort(-s)
    v, signs = qr(w[:, order], full_matrices=False)  # orthonormal where w is zero, too
    v = jnp.where(jnp.diag(signs) < 0, -v, v)
    return jnp.hstack([q[:, :n] @ u[:, order], q[:, n:]]), s[order] * unit, v.T


def eigh(a: jax.Array, lower: bool) -> tuple[jax.Array, jax.Array]:
    """Return the vectors and the eigenvalues, ascending, of a symmetric matrix, given one half."""
    half = jnp.tril(a) if lower else jnp.triu(a).T
    a, unit = _scaled(_finite(half + jnp.tril(half, -1).T))
    above = 2 * jnp.sqrt(jnp.sum(a**2))  # all eigenvalues of a + above are positive
    _, v = _orthogonalised(a + above * jnp.eye(len(a), dtype=a.dtype))
    w = jnp.sum(v * (a @ v), axis=0)
    v = jnp.where(jnp.isnan(above), above, v)
    order = jnp.argsort(w)
    return v[:, order], w[order] * unit


def _finite(a: jax.Array) -> jax.Array:
    """Return NaN in place of a matrix that is not all finite."""
    return jnp.where(jnp.all(jnp.isfinite(a)), a, jnp.nan)


def _scaled(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Divide a matrix by a unit, so that no square overflows or vanishes; 1 where none would."""
    size = jnp.max(jnp.abs(a), initial=0)
    least = np.finfo(a.dtype).tiny ** 0.25
    extreme = (size < least) | (size > 1 / least)
    unit = jnp.where(extreme & (size > 0) & jnp.isfinite(size), size, 1).astype(a.dtype)
    return a / unit, unit


def _orthogonalised(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Rotate columns, two by two, until they are orthogonal; return them, and the rotation.

    One round rotates each column of the left half against its neighbour in the right half, and
    hands all but the first column on, as in a tournament; a sweep brings all home.
    """
    m, n = a.shape
    if n < 2:
        return a, jnp.eye(n, dtype=a.dtype)
    half = (n + 1) // 2
    limits = np.finfo(a.dtype)
    x = jnp.concatenate([a, jnp.eye(n, dtype=a.dtype)])
    x = jnp.pad(x, ((0, 0), (0, 2 * half - n)))
    seats = np.arange(2 * half)
    if half > 1:
        seats = np.r_[0, half, 1 : half - 1, half + 1 : 2 * half, half - 1]

    def turn(_: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        x, more = state
        left, right = x[:, :half], x[:, half:]
        p, q = jnp.sum(left[:m] ** 2, axis=0), jnp.sum(right[:m] ** 2, axis=0)
        product = jnp.sum(left[:m] * right[:m], axis=0)
        apart = jnp.abs(product) <= n * limits.eps * jnp.sqrt(p) * jnp.sqrt(q)
        turns = ~apart & (jnp.minimum(p, q) > limits.tiny)
        ratio = (q - p) / jnp.where(turns, 2 * product, 1)
        tangent = jnp.where(ratio < 0, -1, 1) / (jnp.abs(ratio) + jnp.sqrt(1 + ratio**2))
        tangent = jnp.where(turns, tangent, 0)
        cosine = 1 / jnp.sqrt(1 + tangent**2)
        sine = tangent * cosine
        x = jnp.hstack([cosine * left - sine * right, sine * left + cosine * right])
        return x[:, seats], more | jnp.any(turns)

    def sweep(state: State) -> State:
        x, _, count = state
        x, more = lax.fori_loop(0, 2 * half - 1, turn, (x, jnp.array(False)))
        return x, more, count + 1

    def goes_on(state: State) -> jax.Array:
        return state[1] & (state[2] < MOST_SWEEPS)

    x, *_ = lax.while_loop(goes_on, sweep, (x, jnp.array(True), jnp.array(0)))
    return x[:m, :n], x[m:, :n]
