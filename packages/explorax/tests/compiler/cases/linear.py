"""Linear systems as JAX solves them, to rounding."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(3)
A = RANDOM.normal(size=(4, 4))
B = RANDOM.normal(size=(4, 2))
V = RANDOM.normal(size=4)
RTOL = 1e-11
MANY = RANDOM.normal(size=(3, 4, 4))
POSITIVE = A @ A.T + np.eye(4)


def triangular(a, b):
    """All kinds of triangular systems, from the left and from the right."""
    return [
        lax.linalg.triangular_solve(
            a, b if left else b.T, left_side=left, lower=low, transpose_a=flip, unit_diagonal=unit
        )
        for left in (True, False)
        for low in (True, False)
        for flip in (True, False)
        for unit in (True, False)
    ]


CASES = {
    "triangular systems": (triangular, A + 4 * np.eye(4), B),
    "solve": (lambda a, b, v: (jnp.linalg.solve(a, b), jnp.linalg.solve(a, v)), A, B, V),
    "solve many": (lambda a, b: jnp.linalg.solve(a, b), MANY, RANDOM.normal(size=(3, 4, 2))),
    "inverse": (lambda a: jnp.linalg.inv(a), A),
    "determinants": (lambda a, m: (jnp.linalg.det(a), jnp.linalg.det(m), jnp.linalg.slogdet(a)), A, MANY),
    "lu": (lambda a: lax.linalg.lu(a), A),
    "lu of a tall matrix": (lambda a: lax.linalg.lu(a), RANDOM.normal(size=(5, 3))),
    "lu of a wide matrix": (lambda a: lax.linalg.lu(a), RANDOM.normal(size=(3, 5))),
    "lu with zeros": (lambda a: lax.linalg.lu(a), np.array([[0.0, 1.0], [0.0, 2.0], [3.0, 4.0]])),
    "lu of a singular matrix": (lambda a: lax.linalg.lu(a), np.array([[0.0, 0.0], [0.0, 2.0]])),
    "cholesky": (lambda a: jnp.linalg.cholesky(a), POSITIVE),
    "cholesky of what has none": (lambda a: jnp.linalg.cholesky(a), -POSITIVE),
    "cholesky of many": (lambda m: jnp.linalg.cholesky(m @ m.mT + jnp.eye(4)), MANY),
    "cho_solve": (lambda a, b: jsp.cho_solve(jsp.cho_factor(a), b), POSITIVE, B),
    "grad of solve": (jax.grad(lambda a, b: jnp.sum(jnp.linalg.solve(a, b) ** 2), (0, 1)), A, B),
    "grad of the determinant": (jax.grad(lambda a: jnp.linalg.det(a) ** 2), A),
    "grad of cholesky": (jax.grad(lambda a: jnp.sum(jnp.linalg.cholesky(a) ** 3)), POSITIVE),
    "vmap of solve": (jax.vmap(jnp.linalg.solve, (0, None)), MANY, V),
    "jvp of the inverse": (lambda a: jax.jvp(jnp.linalg.inv, (a,), (a * a,)), A),
    "lu without columns": (lambda a: lax.linalg.lu(a[:, :0]), A),
    "no equations": (lambda a, b: jnp.linalg.solve(a[:0, :0], b[:0]), A, B),
    "float32": (jnp.linalg.solve, A + 4 * np.eye(4), B),
    "one equation": (lambda a, b: jnp.linalg.solve(a[:1, :1], b[:1]), A, B),
}  # fmt: skip
