"""Special functions that JAX takes for primitives: as JAX computes them, to rounding."""

import jax
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np

X = np.array(
    [-1e5, -700, -25.1, -3, -1e-8, 0, 1e-300, 0.5, 1, 8, 24.9, 25.1, 1e200, np.inf, np.nan]
)
A = np.array([0.1, 0.5, 1, 1, 2, 3, 10, 50, 100, 0, 1, 2, 0.3, 1e-3, 20, -1])
B = np.array([0.2, 0.1, 1, 3, 1, 9, 12, 40, 120, 1, 0, 30, 0.1, 2, 300, np.inf])
SHARES = np.linspace(0, 1, 16)
NOW = ("Bessel", "Bessel in float32", "incomplete gamma", "a function of a name that JAX has, too")
FLOATS = np.array([1, 2.5, -3, 1e-300, 1.7e308, 2.0**-1022, 0, -0.0, np.inf, -np.inf, np.nan, 0.5, 1 - 2**-53])  # fmt: skip


@jax.custom_jvp
def _frexp(x):
    return 2 * x, jnp.int32(3)


_frexp.defjvp(lambda x, t: (_frexp(*x), (2 * t[0], np.zeros((), jax.dtypes.float0))))


def total(function, *places):
    return jax.grad(lambda *given: jnp.sum(function(*given)), places)


CASES = {
    "Bessel": (lambda x: (sp.i0e(x), sp.i1e(x)), X),
    "Bessel in float32": (sp.i0e, X[3:10]),
    "a function of a name that JAX has, too": (_frexp, 1.5),
    "Bessel, not scaled": (lambda x: (sp.i0(x), sp.i1(x)), X[3:10]),
    "grad of Bessel": (total(lambda x: sp.i0e(x) + sp.i1e(x), 0), X[3:10]),
    "Bessel of the first kind": (lambda x: sp.bessel_jn(x, v=3), np.array([0.5, 1.0, 5.0])),
    "incomplete gamma": (lambda a, b: (sp.gammainc(a, b), sp.gammaincc(a, b)), A, B),
    "incomplete gamma of one": (lambda a: sp.gammainc(a, 1.5), 2.0),
    "grad of incomplete gamma": (total(sp.gammainc, 0, 1), A[:9], B[:9]),
    "incomplete beta": (sp.betainc, A, B, SHARES),
    "grad of incomplete beta": (total(sp.betainc, 2), A[:8], B[:8], SHARES[1:9]),
    "distributions": (
        lambda x: (
            jax.scipy.stats.chi2.cdf(x, 3.0), jax.scipy.stats.beta.cdf(x, 2.0, 3.0), jax.scipy.stats.poisson.cdf(x, 2.5)
        ), SHARES,
    ),
    "samples of gamma": (lambda a: jax.random.gamma(jax.random.key(0), a), A[:9]),
    "samples made of gamma's": (
        lambda a: (jax.random.dirichlet(jax.random.key(1), a), jax.random.t(jax.random.key(2), a, a.shape)), A[1:9]
    ),
    "grad of samples": (total(lambda a: jax.random.gamma(jax.random.key(0), a), 0), A[1:5]),
}  # fmt: skip

EXACT = {
    "mantissas and exponents": (
        lambda x: (jnp.frexp(x), jax.vmap(jnp.frexp)(-x)), np.append(FLOATS, 1e-310)  # JAX takes it for 0
    ),
    "powers of 2": (lambda x: [jnp.ldexp(x, k) for k in (-1000, -5, 0, 3, 1000)], FLOATS),
}  # fmt: skip
