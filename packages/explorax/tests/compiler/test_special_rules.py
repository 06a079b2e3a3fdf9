"""Special functions that JAX takes for primitives: as JAX computes them, to rounding."""

import jax
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np
import pytest

from explorax.compiler import compile
from explorax.compiler.special_functions import by_jax
from tests.tiers import some_now

X = np.array(
    [-1e5, -700, -25.1, -3, -1e-8, 0, 1e-300, 0.5, 1, 8, 24.9, 25.1, 1e200, np.inf, np.nan]
)
A = np.array([0.1, 0.5, 1, 1, 2, 3, 10, 50, 100, 0, 1, 2, 0.3, 1e-3, 20, -1])
B = np.array([0.2, 0.1, 1, 3, 1, 9, 12, 40, 120, 1, 0, 30, 0.1, 2, 300, np.inf])
SHARES = np.linspace(0, 1, 16)
FLOATS = np.array([1, 2.5, -3, 1e-300, 1.7e308, 2.0**-1022, 0, -0.0, np.inf, -np.inf, np.nan, 0.5, 1 - 2**-53])  # fmt: skip


def total(function, *places):
    return jax.grad(lambda *given: jnp.sum(function(*given)), places)


CASES = {
    "Bessel": (lambda x: (sp.i0e(x), sp.i1e(x)), X),
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


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(CASES, "Bessel", "incomplete gamma"))
def test_node_agrees_with_jax(name, agree):
    agree(*CASES[name])


def test_float32_functions_agree(agree):
    agree(sp.i0e, X[3:10], dtype="float32", rtol=1e-6)


@pytest.mark.slow
def test_mantissas_and_exponents_are_exact(identical):
    identical(lambda x: (jnp.frexp(x), jax.vmap(jnp.frexp)(-x)), FLOATS)
    identical(lambda x: [jnp.ldexp(x, k) for k in (-1000, -5, 0, 3, 1000)], FLOATS)


@pytest.mark.slow
def test_a_function_of_the_same_name_is_left_alone(agree):
    @jax.custom_jvp
    def _frexp(x):
        return 2 * x, jnp.int32(3)

    _frexp.defjvp(lambda x, t: (_frexp(*x), (2 * t[0], np.zeros((), jax.dtypes.float0))))
    agree(_frexp, 1.5)


def test_subnormal_numbers_are_zeros(run_in_node):
    program = compile(jnp.frexp, 1e-310)
    ((m, e),) = run_in_node(program.javascript, [[-1e-310]])
    assert (m, e) == (0, 0)


def test_function_missing_from_jax_is_not_found():
    assert by_jax("igamma") is not None
    assert by_jax("polygamma") is None
