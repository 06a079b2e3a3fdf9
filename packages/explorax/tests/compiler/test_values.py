"""What functions give at special values, and how exactly: beside C's, NumPy's and LAPACK's."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tests.compiler.cases.elementwise import PAIRS, SPECIAL
from tests.compiler.cases.factorisations import RANDOM, SQUARE, TALL
from tests.compiler.cases.integers import NARROW, SHIFTS, SHORTS, without
from tests.compiler.cases.random import CALLS, CASES

from explorax.compiler import UnsupportedPrimitive, compile
from tests.tiers import some_now

EXACT = ("abs", "neg", "sign", "floor", "ceil", "sqrt", "square", "is_finite")
UNARY = """
    rsqrt cbrt exp exp2 expm1 log log1p logistic sin cos tan asin acos atan sinh cosh tanh asinh
    acosh atanh erf erfc erf_inv lgamma digamma
""".split()  # noqa: SIM905


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_functions_agree_at_special_values_and_their_signs(dtype, in_node):
    """Infinite where JAX's are, NaN where JAX's are, and the sign of zero."""

    def functions(x):
        return {name: getattr(lax, name)(x) for name in (*EXACT, *UNARY)}

    found = in_node(functions, SPECIAL, dtype=dtype)
    expected = compile(functions, SPECIAL, dtype=dtype)(SPECIAL)
    for (name, value), result in zip(sorted(expected.items()), found, strict=True):
        if name == "lgamma" and dtype == "float32":
            value = np.where(np.abs(value) < 1e-6, 0, value)  # JAX's error at 1
        tolerance = 4e-6 if dtype == "float32" else 1e-13
        np.testing.assert_allclose(
            result, value, rtol=0 if name in EXACT else tolerance, err_msg=name
        )
        sure = value == value
        np.testing.assert_array_equal(np.signbit(result)[sure], np.signbit(value)[sure], name)


def test_powers_have_cs_special_values(in_node):
    x, y = PAIRS
    (found,) = in_node(lax.pow, x, y)
    expected = np.asarray(jax.jit(lax.pow)(*map(jnp.asarray, (x.astype("f4"), y.astype("f4")))))
    with np.errstate(all="ignore"):
        exact = np.power(x, y)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(exact))
    np.testing.assert_allclose(found, exact, rtol=1e-14)
    np.testing.assert_array_equal(found[x == 1], 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "points"),
    [
        (lax.erf, math.erf, np.linspace(-6, 6, 400)),
        (lax.erf, math.erf, 10.0 ** np.linspace(-300, 0, 100)),
        (lax.erfc, math.erfc, np.linspace(-6, 26, 800)),
        (lax.lgamma, math.lgamma, np.linspace(2.3, 200, 400)),
        (lax.lgamma, math.lgamma, 10.0 ** np.linspace(-200, -0.3, 100)),
    ],
)
def test_special_functions_have_thirteen_digits(ours, theirs, points, in_node):
    (found,) = in_node(ours, points)
    np.testing.assert_allclose(found, [theirs(x) for x in points], rtol=1e-13)


def test_the_inverse_error_function_is_an_inverse(in_node):
    near_one = 1 - 10.0 ** np.linspace(-15, -1, 200)
    points = np.concatenate([np.linspace(-0.999, 0.999, 501), near_one, 10.0**-near_one])
    (found,) = in_node(lax.erf_inv, points)
    high = points > 0.5
    np.testing.assert_allclose([math.erf(x) for x in found[~high]], points[~high], rtol=1e-14)
    np.testing.assert_allclose([math.erfc(x) for x in found[high]], 1 - points[high], rtol=1e-13)


def test_digamma_is_the_slope_of_log_gamma(in_node):
    x = np.linspace(0.1, 30, 300)
    here, after, mirrored = in_node(lambda x: [lax.digamma(y) for y in (x, x + 1, 1 - x)], x)
    np.testing.assert_allclose(after - here, 1 / x, rtol=1e-11)
    aside = np.abs(x - np.round(x)) > 0.05
    np.testing.assert_allclose(
        (mirrored - here)[aside], (np.pi / np.tan(np.pi * x))[aside], rtol=0, atol=1e-11
    )


@pytest.mark.slow
@pytest.mark.parametrize("dtype", NARROW)
def test_narrow_integers_wrap_too(dtype, agree):
    with jax.disable_jit():  # XLA crashes where it compiles an "and" of int8 together with others
        agree(without(dtype, *SHIFTS[1:]), *SHORTS, rtol=0)


OLDER = ("folds", "an odd number of splits", "bits", "bits of an even number", "wide bits", "a batch of draws")  # fmt: skip


def test_draws_are_those_of_jax_in_the_older_order(agree):
    with jax.threefry_partitionable(False):
        agree(lambda i: [CASES[name][0](i) for name in OLDER], 0, rtol=1e-13, calls=CALLS)


def test_narrow_draws_in_the_older_order_are_refused():
    with (
        jax.threefry_partitionable(False),
        pytest.raises(UnsupportedPrimitive, match="of 8 bits"),
    ):
        compile(CASES["narrow bits"][0], 0)


ROTATION = np.linalg.qr(SQUARE)[0]
MATRICES = {
    "ordinary": SQUARE,
    "zero": np.zeros((4, 4)),
    "the identity": np.eye(4),
    "a rotation": ROTATION,
    "of rank 1": np.outer(SQUARE[0], SQUARE[1]),
    "ones": np.ones((4, 4)),
    "repeated values": ROTATION @ np.diag([3.0, 3, 1, 1]) @ ROTATION.T,
    "values of both signs": ROTATION @ np.diag([2.0, 2, -2, -2]) @ ROTATION.T,
    "diagonal": np.diag([3.0, -1, 2, 0]),
    "nilpotent": np.eye(4, k=1),
    "graded": SQUARE * 10.0 ** -np.arange(0, 12, 3),
    "Hilbert's": 1 / (1 + np.arange(4)[:, None] + np.arange(4)),
    "near the largest number": SQUARE * 1e300,
    "near the smallest number": SQUARE * 1e-300,
}


def near(given, expected, rtol=1e-13):
    """Whether numbers are the same, to ``rtol`` of the largest."""
    size = np.max(np.abs(expected), initial=1e-320)
    return given.shape == expected.shape and np.all(np.abs(given - expected) <= rtol * size)


def is_orthonormal(columns):
    return near(columns.T @ columns, np.eye(columns.shape[1]))


def assert_factorised(a, u, s, vt, q, r):
    """U S V' and QR are the matrix, the values and the signs in R are LAPACK's."""
    size, k = np.max(np.abs(a), initial=0) or 1.0, len(s)
    assert near(s, np.linalg.svd(a, compute_uv=False))
    assert near(u[:, :k] * (s / size) @ vt[:k], a / size)
    assert near(q @ (r / size), a / size)
    assert all(map(is_orthonormal, (u, vt.T, q)))
    assert np.all(np.tril(r, -1) == 0)


@pytest.fixture(scope="module")
def factors(in_node):
    """SVD, QR and eigenvalues of all of ``MATRICES``: the last of their sums with their transposes."""

    def factorised(a):
        return *jnp.linalg.svd(a), *jnp.linalg.qr(a), *jnp.linalg.eigh(a + a.mT)

    return in_node(factorised, np.stack([*MATRICES.values()]))


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRICES)
def test_matrices_of_all_kinds_are_factorised(name, factors):
    *of_a, w, v = (factor[[*MATRICES].index(name)] for factor in factors)
    a = MATRICES[name]
    assert_factorised(a, *of_a)
    size = np.abs(a).max() or 1.0
    assert near(w, np.linalg.eigvalsh(a + a.T))
    assert near(v * (w / size) @ v.T, (a + a.T) / size)
    assert is_orthonormal(v)


SHAPES = [(1, 1), (5, 3), (3, 5), (4, 1), (1, 4), (0, 3), (3, 0), (16, 16), (40, 8), (64, 64)]


@pytest.mark.slow
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", some_now(SHAPES, (5, 3)))
def test_matrices_of_all_shapes_are_factorised(shape, full, in_node):
    mode = "complete" if full else "reduced"
    a = RANDOM.normal(size=shape)
    factors = in_node(lambda a: (*jnp.linalg.svd(a, full), *jnp.linalg.qr(a, mode)), a)
    assert_factorised(a, *factors)
    expected = *np.linalg.svd(a, full), *np.linalg.qr(a, mode)
    assert [x.shape for x in factors] == [x.shape for x in expected]
    assert all(map(near, factors[3:], expected[3:]))  # signs included


@pytest.mark.slow
def test_float32_is_factorised_in_float32(in_node):
    u, s, vt = in_node(lambda a: jnp.linalg.svd(a, False), TALL, dtype="float32")
    assert near(u * s @ vt, TALL.astype("float32"), 1e-6)


@pytest.mark.slow
def test_factors_of_nonfinite_matrices_are_nan(in_node):
    wrong = np.where(np.eye(3), np.reshape([np.nan, np.inf], (2, 1, 1)), 1.0)
    found = in_node(lambda a: (*jnp.linalg.svd(a), *jnp.linalg.eigh(a)), wrong)
    assert all(np.isnan(x).all() for x in found)
