"""Factorisations in Node, beside LAPACK's by NumPy and JAX: to rounding, and vectors up to sign."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np
import pytest
from jax import lax
from tests.compiler.fuzzing.reference import compiled

from explorax.compiler import compile
from tests.tiers import some_now

RANDOM = np.random.default_rng(7)
SQUARE, TALL, RIGHT = RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(5, 3)), RANDOM.normal(size=5)
SYMMETRIC = SQUARE + SQUARE.T
DEFICIENT = TALL[:, :2] @ TALL[:2]
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
MANY = np.stack([*MATRICES.values()])


def near(given, expected, rtol=1e-13):
    """Whether numbers are the same, to ``rtol`` of the largest."""
    size = np.max(np.abs(expected), initial=1e-320)
    return given.shape == expected.shape and np.all(np.abs(given - expected) <= rtol * size)


def is_orthonormal(columns):
    return near(columns.mT @ columns, np.broadcast_to(np.eye(columns.shape[-1]), (*columns.shape[:-2], *columns.shape[-1:] * 2)))  # fmt: skip


def in_node(run, function, *arguments, dtype="float64"):
    """The results of a program in Node, in their shapes."""
    program = compile(function, *arguments, dtype=dtype)
    given = [np.asarray(x, leaf.dtype) for x, leaf in zip(arguments, program.inputs, strict=True)]
    (found,) = run(program.javascript, [given], [leaf.dtype for leaf in program.outputs])
    return [x.reshape(leaf.shape) for x, leaf in zip(found, program.outputs, strict=True)]


@pytest.fixture(scope="module")
def factors(run_in_node):
    """SVD, eigenvalues and QR of all of ``MATRICES``, and of their sums with their transposes."""

    def factorised(a):
        return *jnp.linalg.svd(a), *jnp.linalg.eigh(a + a.mT), *jnp.linalg.qr(a)

    return in_node(run_in_node, factorised, MANY)


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRICES)
def test_matrices_of_all_kinds_are_factorised(name, factors):
    u, s, vt, w, v, q, r = (factor[[*MATRICES].index(name)] for factor in factors)
    a = MATRICES[name]
    size = np.abs(a).max() or 1.0
    assert near(s, np.linalg.svd(a, compute_uv=False))
    assert near(u * (s / size) @ vt, a / size)
    assert near(w, np.linalg.eigvalsh(a + a.T))
    assert near(v * (w / size) @ v.T, (a + a.T) / size)
    assert near(q @ (r / size), a / size)
    assert all(map(is_orthonormal, (u, vt, v, q)))
    assert np.all(np.tril(r, -1) == 0)


SHAPES = [(1, 1), (5, 3), (3, 5), (4, 1), (1, 4), (0, 3), (3, 0), (16, 16), (40, 8), (64, 64)]


@pytest.mark.slow
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", some_now(SHAPES, (5, 3)))
def test_matrices_of_all_shapes_are_factorised(shape, full, run_in_node):
    def factorised(a):
        return *jnp.linalg.svd(a, full), *jnp.linalg.qr(a, "complete" if full else "reduced")

    a = RANDOM.normal(size=shape)
    u, s, vt, q, r = in_node(run_in_node, factorised, a)
    u_lapack, s_lapack, vt_lapack = np.linalg.svd(a, full)
    k = min(shape)
    assert (u.shape, vt.shape) == (u_lapack.shape, vt_lapack.shape)
    assert near(s, s_lapack)
    assert near(u[:, :k] * s @ vt[:k], a)
    assert is_orthonormal(u)
    assert is_orthonormal(vt.T)
    for given, expected in zip((q, r), np.linalg.qr(a, "complete" if full else "reduced"), strict=True):  # fmt: skip
        assert near(given, expected)  # signs included


# What no choice of vectors changes.
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
    "vmap": (jax.vmap(lambda a: jnp.linalg.norm(a, 2)), RANDOM.normal(size=(3, 4, 2))),
}  # fmt: skip
NOW = ("lstsq of rank 2", "grad of an eigenvalue", "in loops and branches", "qr")


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(CASES, *NOW))
def test_functions_of_factors_agree_with_lapack(name, run_in_node):
    function, *arguments = CASES[name]
    found = in_node(run_in_node, function, *arguments)
    with jax.enable_x64(True):
        expected = compiled(jax.make_jaxpr(function)(*arguments))(arguments)
    assert all(near(x.ravel(), y, 1e-11) for x, y in zip(found, expected, strict=True))


@pytest.mark.slow
def test_jax_takes_the_vectors_that_the_page_takes(agree):
    agree(lambda a: (jnp.linalg.svd(a), jnp.linalg.eigh(a @ a.T)), SQUARE[:3])


@pytest.mark.slow
def test_float32_is_factorised_in_float32(run_in_node):
    u, s, vt = in_node(run_in_node, lambda a: jnp.linalg.svd(a, False), TALL, dtype="float32")
    assert near(u * s @ vt, TALL.astype("float32"), 1e-6)


@pytest.mark.slow
def test_factors_of_nonfinite_matrices_are_nan(run_in_node):
    wrong = np.where(np.eye(3), np.reshape([np.nan, np.inf], (2, 1, 1)), 1.0)
    found = in_node(run_in_node, lambda a: (*jnp.linalg.svd(a), *jnp.linalg.eigh(a)), wrong)
    assert all(np.isnan(x).all() for x in found)
