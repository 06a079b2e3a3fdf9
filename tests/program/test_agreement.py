"""Node and JAX, on the same trace."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from gradlab.ops.clipping import clip_gradient
from gradlab.ops.scaling import scale_gradient
from gradlab.program import compile

RANDOM = np.random.default_rng(0)
V = RANDOM.normal(size=5)
W = RANDOM.normal(size=5)
M = RANDOM.normal(size=(3, 4))
N = RANDOM.normal(size=(4, 2))
T = RANDOM.normal(size=(2, 3, 4))
INTEGERS = np.array([3, -7, 0, 12, 5])
OTHERS = np.array([2, 2, -3, 5, -4])
B = np.array([True, False, True, False, True])
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.5])


def rnn(params, xs):
    def step(h, x):
        h = jnp.tanh(params["w"] @ h + params["u"] @ x)
        h = scale_gradient(clip_gradient(h, -0.5, 0.5), 0.5)
        return h, jnp.sum(h**2)

    return jnp.sum(lax.scan(step, jnp.zeros(3), xs)[1])


PARAMS = {"w": RANDOM.normal(size=(3, 3)), "u": RANDOM.normal(size=(3, 4))}
XS = RANDOM.normal(size=(6, 4))

CASES = {
    "arithmetic": (lambda x, y: (x + y - x * y) / y, V, W),
    "scalars": (lambda x, y: (x + 2 * y) / (1 - x), 0.3, 0.7),
    "scalar with array": (lambda a, x: a * x + a, 0.3, V),
    "unary": (lambda x: jnp.stack([jnp.abs(x), -x, jnp.sign(x), jnp.floor(x)]), V),
    "special values": (lambda x: (x + 1, -x, jnp.abs(x), jnp.sign(x), jnp.isfinite(x)), SPECIAL),
    "special comparisons": (lambda x: (x > 0, x >= 0, x < 1, x <= 0, x == x, x != x), SPECIAL),
    "exponentials": (lambda x: (jnp.exp(x), jnp.expm1(x), jnp.log(x * x), jnp.log1p(x * x)), V),
    "roots": (lambda x: (jnp.sqrt(x * x), lax.rsqrt(x * x)), V),
    "trigonometry": (lambda x: (jnp.sin(x), jnp.cos(x), jnp.tan(x), jnp.tanh(x)), V),
    "logistic": (lambda x: jax.nn.sigmoid(x), V),
    "maximum": (lambda x, y: (jnp.maximum(x, y), jnp.minimum(x, y)), V, W),
    "clamp": (lambda x: lax.clamp(-0.5, x, 0.5), V),
    "powers": (lambda x: (x**2, x**3, x**7, x**-2, lax.square(x), lax.integer_pow(x, 0)), V),
    "logic": (lambda a, x: (a & (x > 0), a | (x > 0), ~a), B, V),
    "reductions of logic": (lambda a: (jnp.all(a), jnp.any(a)), B),
    "extremes of logic": (lambda a: (jnp.max(a & ~a), jnp.min(a), jnp.max(a), jnp.min(a | ~a)), B),
    "integers": (lambda i, j: (i + j, i - j, i * j, lax.div(i, j), -i, jnp.abs(i)), INTEGERS, OTHERS),
    "an integer has no -0": (lambda i, x: x / (i * -2), np.array([0, 3]), 1.0),
    "integer division by zero": (lambda i: lax.div(i, 0 * i), INTEGERS),
    "int32 wraps": (lambda i: (i * i * 65537, i + 2147483647), INTEGERS.astype(np.int32)),
    "conversions": (lambda i, a: (i * 0.5, a * 1.0, a.astype(int) + i, i.astype(bool)), INTEGERS, B),
    "where": (lambda a, x, y: jnp.where(a, x, y), B, V, W),
    "select of three": (lambda i, x, y: lax.select_n(i, x, y, x + y), INTEGERS % 3, V, W),
    "select of one": (lambda a, x: lax.select_n(a, x), B, V),
    "where of a scalar": (lambda a, x: jnp.where(a, x, 0.0), True, V),
    "broadcasting": (lambda x, y: x[:, None] * y[None, :] + 1, V, W),
    "reshapes": (lambda x: (x.reshape(4, 3), x.reshape(2, 6).T, x[None, :, None]), M),
    "squeeze": (lambda x: jnp.squeeze(x[:, :1]) + lax.expand_dims(x[0, 0], (0,)), M),
    "transposes": (lambda x: jnp.transpose(x, (2, 0, 1)), T),
    "slices": (lambda x: (x[1:, ::2], x[::-1, 1], x[-1]), M),
    "iota": (lambda x: x * jnp.arange(5) + lax.broadcasted_iota(float, (2, 5), 1), V),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x[:1]]), V, W),
    "concatenate in a second axis": (lambda x: jnp.concatenate([x, 2 * x], axis=1), M),
    "pad": (lambda x: lax.pad(x, 7.0, [(1, 2, 1), (0, 1, 0)]), M),
    "split": (lambda x: jnp.split(x, [1, 3], axis=1), M),
    "reductions": (lambda x: (x.sum(), x.sum(0), x.sum((0, 2)), x.max(1), x.min(), x.prod()), T),
    "reductions of integers": (lambda i: (i.max(), i.min(), i.sum(), i.prod()), INTEGERS),
    "products": (lambda x, y: (x @ y, x.T @ x, x[0] @ y), M, N),
    "batched products": (lambda t, n: (jnp.einsum("bij,jk->bik", t, n), t @ n), T, N),
    "norm": (lambda x: jnp.linalg.norm(x), V),
    "softmax": (lambda x: jax.nn.softmax(x), V),
    "scan": (lambda x: lax.scan(lambda c, y: (c * 0.5 + y, c), 0.0, x), V),
    "scan in reverse": (lambda x: lax.scan(lambda c, y: (c * 0.5 + y, c), 0.0, x, reverse=True), V),
    "scan that swaps": (lambda x: lax.scan(lambda c, y: ((c[1], c[0] + y), c[0]), (1.0, 2.0), x), V),
    "scan of arrays": (lambda x, y: lax.scan(lambda c, a: (c[::-1] + a, c), y, x), M, M[0]),
    "scan of one step": (lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x), V[:1]),
    "nested scans": (
        lambda m: lax.scan(lambda c, r: lax.scan(lambda d, y: (d + y, d * y), c, r), 0.0, m), M
    ),
    "cond": (lambda a, x: lax.cond(a, lambda y: (y * 2, y.sum()), lambda y: (-y, 0.0), x), True, V),
    "cond of the other branch": (lambda a, x: lax.cond(a, jnp.sin, jnp.cos, x), False, V),
    "switch": (
        lambda i, x: jax.vmap(lambda j: lax.switch(j, [jnp.sin, jnp.cos, jnp.exp], x))(i), INTEGERS
        , 0.3,
    ),
    "switch of a number": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), 1, V),
    "switch beyond its branches": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), 7, V),
    "switch before its branches": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos], x), -7, V),
    "while": (lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 0.5), (0, x)), V),
    "while that never runs": (lambda x: lax.while_loop(lambda c: c < 0, lambda c: c + 1, x), 3.0),
    "while of each": (jax.vmap(lambda x: lax.while_loop(lambda c: c < 5, lambda c: c * 2, x)), V**2),
    "fori with a traced end": (lambda n, x: lax.fori_loop(0, n, lambda i, c: c * 0.5 + i, x), 7, V),
    "fori with known ends": (lambda x: lax.fori_loop(2, 6, lambda i, c: c[::-1] * 0.5 + i, x), V),
    "while that sweeps": (
        lambda x: lax.while_loop(
            lambda s: (s[0] < 1) & jnp.any(s[1] < 4), lambda s: (s[0] + 1, s[1] + 3), (0, x)
        ), np.array([1, 2, 5]),
    ),
    "switch of nothing in a branch": (
        lambda x, i: lax.cond(
            x > 0, lambda p: lax.switch(p, [lambda q: q] * 3, p), lambda p: p + 1, i
        ), 1.0, np.int32(1),
    ),
    "cond in a scan": (
        lambda x: lax.scan(lambda c, y: (lax.cond(y > 0, lambda: c + y, lambda: c * 0.5), c), 1.0, x), V
    ),
    "checkpoint": (jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x))), V),
    "stop_gradient": (jax.grad(lambda x: jnp.sum(lax.stop_gradient(x) * x)), V),
    "optimization_barrier": (lambda x: lax.optimization_barrier(x) + 1, V),
    "copy": (lambda x: jnp.array(x, copy=True) + 1, V),
    "device put": (lambda x: jax.device_put(x) + 1, V),
    "jit inside": (lambda x: jax.jit(lambda y: y * 2)(x) + 1, V),
    "axes of length 1": (lambda x: jnp.exp(x)[:, None] + jnp.ones((5, 4)) * x[::-1, None], V),
    "custom derivatives": (lambda x: (jax.nn.relu(x), clip_gradient(scale_gradient(x, 2), 0, 1)), V),
    "grad": (jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 3)), V),
    "jacobian": (jax.jacrev(lambda x: jnp.tanh(x) * x.sum()), V),
    "hessian": (jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x[::-1])), V),
    "vmap": (jax.vmap(lambda r: jnp.tanh(r).sum() * r), M),
    "a scaled and clipped network": (jax.value_and_grad(rnn), PARAMS, XS),
    "constants alone": (lambda x: (x, jnp.arange(3.0) * 2, 4.0), 1.0),
    "empty": (lambda x: (x[:0], x[:0].sum()), V),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_node_agrees_with_jax(name, run_in_node):
    function, *arguments = CASES[name]
    program = compile(function, *arguments)
    expected = jax.tree.leaves(program(*arguments))
    leaves = [leaf for argument in arguments for leaf in jax.tree.leaves(argument)]
    (results,) = run_in_node(program.javascript, [leaves])
    assert len(results) == len(expected) == len(program.outputs)
    for leaf, result, value in zip(program.outputs, results, expected, strict=True):
        flat = np.asarray(value, dtype=float).ravel()
        size = np.max(np.abs(flat[np.isfinite(flat)]), initial=0.0)
        np.testing.assert_allclose(result, flat, rtol=0, atol=1e-12 * size, err_msg=leaf.name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exact_operations_agree_bit_for_bit_op_by_op(dtype, run_in_node):
    def exact(x, y):
        return x + y, x - y, x * y, x / y, jnp.sqrt(x * x), x < y, jnp.maximum(x, y)

    many = np.random.default_rng(1).normal(size=(2, 1000)).astype(dtype)
    program = compile(exact, *many, dtype=dtype)
    with jax.enable_x64(True), jax.disable_jit():
        expected = exact(*(jnp.asarray(x) for x in many))
    (results,) = run_in_node(program.javascript, [list(many)])
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, np.asarray(value, dtype=float))


def test_a_float32_number_is_rounded_on_its_way_in(run_in_node):
    program = compile(lambda x: (x, x == jnp.float32(0.1)), 0.1, dtype="float32")
    ((x, same),) = run_in_node(program.javascript, [[0.1]])
    assert (x[0], same[0]) == (np.float32(0.1), 1)
