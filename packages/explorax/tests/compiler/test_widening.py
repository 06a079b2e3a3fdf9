"""Captured arrays of JAX's default precision: the program is that of the same numbers as float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorax.compiler import compile
from tests.tiers import some_now

pytestmark = pytest.mark.slow
RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 3)).astype(np.float32)
Y = RNG.normal(size=6).astype(np.float32)


def descent(x, y):
    def loss(w):
        return jnp.mean((x @ w - y) ** 2)

    def step(w, _):
        return w - 0.1 * jax.grad(loss)(w), loss(w)

    return lambda w: lax.scan(step, w, length=5)


CASES = {
    "data of a loss": lambda x, y: lambda w: jnp.mean((x @ w - y) ** 2),
    "descent in a scan": descent,
    "what is computed of it alone": lambda x, y: lambda w: jnp.linalg.solve(x.T @ x, x.T @ y) + w,
    "a carry": lambda x, y: (
        lambda w: lax.fori_loop(0, 4, lambda i, h: jnp.tanh(x.T @ (x @ h)), x[0]) * w
    ),
    "a carry that the body makes wider": lambda x, y: (
        lambda w: lax.while_loop(
            lambda pair: pair[1] < 3, lambda pair: (pair[0] @ (x[:3] / 3), pair[1] + 1), (x[0], 0)
        )
    ),
    "a carry that meets the argument": lambda x, y: (
        lambda w: lax.scan(lambda h, row: (jnp.tanh(h * w + row), h), x[0], x)
    ),
    "a branch": lambda x, y: lambda w: lax.cond(w[0] > 0, lambda: x[0] * x[1], lambda: x[2]),
    "a jitted function": lambda x, y: jax.jit(jax.jit(lambda w: jax.nn.softmax(x, axis=-1) @ w)),
    "sorted, summed, selected": lambda x, y: lambda w: jnp.where(y > 0, jnp.sort(y), jnp.cumsum(y)),
    "a loop that each example ends by itself": lambda x, y: (
        lambda w: jax.vmap(
            lambda row: lax.while_loop(lambda h: jnp.sum(h**2) < 99, lambda h: 2 * h + row, row)
        )(x)
    ),
    "beside a random key": lambda x, y: (
        lambda w: lax.scan(
            lambda key, row: (jax.random.fold_in(key, 1), row * jax.random.uniform(key) @ w),
            jax.random.key(0),
            x,
        )[1]
    ),
    "a root": lambda x, y: (
        lambda w: lax.custom_root(
            lambda v: v**3 - jnp.exp(x[0]),
            x[0],
            lambda f, v: lax.fori_loop(0, 9, lambda i, v: v - f(v) / (1 + 3 * v**2), v),
            lambda g, v: v / g(jnp.ones_like(v)),
        )
    ),
    "itself": lambda x, y: lambda w: x[:2],
}


def agree(name, given):
    """The program of captured arrays is that of the same numbers as float64."""
    with jax.enable_x64(True):
        exact = [jnp.asarray(array).astype(jnp.float64) for array in given]
    w = np.linspace(-1, 1, 3)
    found, expected = compile(CASES[name](*given), w), compile(CASES[name](*exact), w)
    assert {leaf.dtype for leaf in found.outputs} <= {"float64", "int64"}
    if name != "a branch":  # whose index is clamped
        assert found.javascript == expected.javascript
    else:
        np.testing.assert_array_equal(found(w), expected(w))


@pytest.mark.parametrize("name", some_now(CASES, "data of a loss", "a carry"))
def test_a_captured_array_is_widened_exactly(name):
    agree(name, [jnp.asarray(X), jnp.asarray(Y)])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_so_are_halves(dtype):
    agree("data of a loss", [jnp.asarray(X, dtype), jnp.asarray(Y, dtype)])


def test_so_are_arrays_of_numpy():
    agree("data of a loss", [X, Y])


def test_bits_are_those_of_the_captured_array():
    w = np.linspace(0.5, 2, 3)
    program = compile(lambda w: (jnp.signbit(X[0]), jnp.copysign(w, X[0]), jnp.frexp(X[0] * w)), w)
    negative, signed, (m, e) = jax.tree.map(np.asarray, program(w))
    np.testing.assert_array_equal(negative, X[0] < 0)
    np.testing.assert_array_equal(signed, np.copysign(w, X[0]))
    np.testing.assert_array_equal(m * 2.0**e, X[0].astype(float) * w)


def test_a_carry_that_changes_in_both_precisions_is_refused_with_the_cures():
    def run(w):
        return lax.fori_loop(0, 3, lambda i, h: h * w + np.ones(3), jnp.asarray(X[0]))

    with pytest.raises(TypeError) as caught:
        compile(run, 1.0)
    assert any('dtype="float32"' in note for note in caught.value.__notes__)


def test_what_the_function_rounds_itself_stays_rounded():
    program = compile(lambda x: (jnp.float32(X[0, 0]) * X[0], x.astype("float32") * 3), 1 / 3)
    assert [leaf.dtype for leaf in program.outputs] == ["float64", "float32"]


def test_a_float32_program_refuses_a_captured_float64_array():
    with pytest.raises(
        ValueError, match=r"captures a float64 array of shape \(3,\).*float32 program"
    ):
        compile(lambda x: x + np.ones(3), np.ones(3), dtype="float32")
