"""Functions of factorisations, as LAPACK has them: what no choice of vectors changes."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(7)
SQUARE, TALL, RIGHT = RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(5, 3)), RANDOM.normal(size=5)
SYMMETRIC = SQUARE + SQUARE.T
DEFICIENT = TALL[:, :2] @ TALL[:2]
RTOL = 1e-11
NOW = (
    "vectors, which JAX takes as the page does",
    "lstsq of rank 2",
    "grad of an eigenvalue",
    "in loops and branches",
    "qr",
)

CASES = {
    "svd": (jnp.linalg.svdvals, TALL),
    "lstsq": (jnp.linalg.lstsq, TALL, RIGHT),
    "lstsq of rank 2": (jnp.linalg.lstsq, DEFICIENT, RIGHT),
    "pinv": (lambda a: (jnp.linalg.pinv(a), jnp.linalg.pinv(a.T)), TALL),
    "pinv of rank 2": (jnp.linalg.pinv, DEFICIENT),
    "pinv of many": (jnp.linalg.pinv, RANDOM.normal(size=(2, 2, 3, 2))),
    "norms": (lambda a: (jnp.linalg.norm(a, 2), jnp.linalg.norm(a, -2), jnp.linalg.norm(a, "nuc")), TALL),
    "condition and rank": (lambda a, d: (jnp.linalg.cond(a), jnp.linalg.matrix_rank(d)), SQUARE, DEFICIENT),
    "polyfit": (lambda x: jnp.polyfit(jnp.arange(5.0), x, 2), RIGHT),
    "polar": (jsp.polar, SQUARE),
    "eigvalsh of either half": (lambda a: [jnp.linalg.eigh(a, half, symmetrize_input=False)[0] for half in "LU"], SQUARE),
    "a projection": (lambda a: (lambda v: v @ v.T)(jnp.linalg.eigh(a)[1][:, :2]), SYMMETRIC),
    "qr": (lambda a: (jnp.linalg.qr(a), jnp.linalg.qr(a.T), jnp.linalg.qr(a, "raw")), TALL),
    "householder_product": (lambda a: lax.linalg.householder_product(a, a[0]), TALL),
    "orthogonal": (lambda a: a @ jax.random.orthogonal(jax.random.key(0), 3), TALL),
    "grad of a norm": (jax.grad(lambda a: jnp.linalg.norm(a, 2)), TALL),
    "grad of lstsq": (jax.grad(lambda a, b: jnp.sum(jnp.linalg.lstsq(a, b)[0] ** 2), (0, 1)), TALL, RIGHT),
    "grad of pinv": (jax.grad(lambda a: jnp.sum(jnp.sin(jnp.linalg.pinv(a)))), TALL),
    "grad of an eigenvalue": (jax.grad(lambda a: jnp.linalg.eigvalsh(a)[0]), SYMMETRIC),
    "grad of a projection": (
        jax.grad(lambda a: jnp.sum(jnp.sin((lambda v: v @ v.T)(jnp.linalg.eigh(a)[1][:, :2])))), SYMMETRIC
    ),
    "grad of qr": (jax.grad(lambda a: jnp.sum(jnp.sin(jnp.linalg.qr(a)[0]))), TALL),
    "hessian of the nuclear norm": (jax.hessian(lambda a: jnp.linalg.norm(a, "nuc")), TALL[:3, :2]),
    "in loops and branches": (
        lambda a: lax.while_loop(
            lambda a: jnp.linalg.norm(a, 2) > 1,
            lambda a: lax.scan(lambda a, _: (lax.cond(a[0, 0] > 9, jnp.sin, lambda a: a / jnp.linalg.norm(a, 2), a) / 2, 0), a, length=2)[0],
            a,
        ), TALL,
    ),
    "vectors, which JAX takes as the page does": (lambda a: (jnp.linalg.svd(a), jnp.linalg.eigh(a @ a.T)), SQUARE[:3]),
    "vmap": (jax.vmap(lambda a: jnp.linalg.norm(a, 2)), RANDOM.normal(size=(3, 4, 2))),
}  # fmt: skip
