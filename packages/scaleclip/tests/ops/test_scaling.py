"""Claims of the docstrings of scaleclip.ops.scaling."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.reference import EACH_FLOAT, FLOATS, bits, normal

from scaleclip.ops import scale_gradient, straight_through

SCALES = [-2.0, -1.0, 0.0, 0.1, 0.5, 1.0, 100.0]


def curve(x):
    return jnp.sum(jnp.sin(x) * x**2)


slope = jax.jit(jax.grad(curve))
scaled_slope = jax.jit(jax.grad(lambda x, s: curve(scale_gradient(x, s))))


# Gradients


@pytest.mark.slow
def test_the_gradient_is_multiplied_by_the_scale_and_the_value_is_not():
    x, v, w = normal(3, 4)
    for scale in SCALES:
        np.testing.assert_allclose(scaled_slope(x, scale), scale * slope(x), rtol=1e-14)
        # only outside of the operator can a difference be taken: the value does not show it
        both = [curve(scale_gradient(x + d, scale)) for d in (1e-5 * v, -1e-5 * v)]
        along = (both[0] - both[1]) / 2e-5
        np.testing.assert_allclose(jnp.vdot(scaled_slope(x, scale), v), scale * along, rtol=1e-8)
        f = lambda x, scale=scale: jnp.cos(scale_gradient(jnp.sin(x), scale))
        (_, tangent), (_, pull) = jax.jvp(f, (x,), (v,)), jax.vjp(f, x)
        np.testing.assert_allclose(jnp.vdot(tangent, w), jnp.vdot(v, pull(w)[0]), rtol=1e-12)


@pytest.mark.slow
def test_higher_derivatives_pick_up_the_scale_each_time():
    def g(x, scale):
        return scale_gradient(x, scale) ** 3

    second = [
        jax.hessian(g), jax.grad(jax.grad(g)), jax.jacfwd(jax.jacfwd(g)), jax.jacrev(jax.jacfwd(g)),
    ]  # fmt: skip
    derivatives = jax.jit(lambda s: ([f(0.7, s) for f in second], jax.grad(second[1])(0.7, s)))
    for scale in SCALES:
        seconds, third = derivatives(scale)
        np.testing.assert_allclose(seconds, [scale**2 * 6 * 0.7] * 4, rtol=1e-14)
        np.testing.assert_allclose(third, scale**3 * 6, rtol=1e-14)


@pytest.mark.slow
def test_the_value_does_not_depend_on_the_scale_but_the_gradient_that_comes_back_does():
    g = lambda s: curve(scale_gradient(normal(3), s))
    assert jax.grad(g)(0.3) == jax.jvp(g, (0.3,), (1.0,))[1] == jax.hessian(g)(0.3) == 0.0
    back = lambda s: jax.grad(lambda x: scale_gradient(x, s) ** 3)(2.0)
    assert jax.grad(back)(0.3) == 3 * 2.0**2


# Transformations


def test_vmap_takes_one_scale_per_example():
    x, scales = normal(5, 3), jnp.linspace(-1, 1, 5)
    expected = scales[:, None] * jax.vmap(slope)(x)
    np.testing.assert_allclose(jax.vmap(scaled_slope)(x, scales), expected, rtol=1e-14)


def test_inside_a_scan_the_scale_compounds_at_every_step():
    def unroll(theta, scale, steps=6):
        def step(h, _):
            h = scale_gradient(h, scale) + theta
            return h, h

        return jnp.sum(jax.lax.scan(step, 1.0, length=steps)[1])

    # Loss k reaches theta through step j with s ** (k - j).
    expected = sum(0.5 ** (k - j) for k in range(1, 7) for j in range(1, k + 1))
    assert jax.jit(jax.grad(unroll))(0.0, 0.5) == expected


# Precision


@pytest.mark.slow
@pytest.mark.parametrize("x_dtype", FLOATS)
def test_the_dtype_of_x_is_kept_whatever_that_of_the_scale(x_dtype):
    x = jnp.array([1.5, -2.0], x_dtype)
    for scale in (2, *(jnp.array(2, dtype) for dtype in (*FLOATS, jnp.int32))):
        f = lambda x, s=scale: scale_gradient(x, s)
        y, t = jax.jvp(f, (x,), (x,))
        (g,) = jax.vjp(f, x)[1](jnp.ones_like(y))
        assert y.dtype == g.dtype == t.dtype == x_dtype
        assert g.tolist() == [2.0, 2.0]


# Straight-through


@EACH_FLOAT
def test_straight_through_keeps_the_value_whatever_the_surrogate(dtype):
    value = jnp.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.5, 1e-4], dtype)
    for surrogate in (jnp.full(8, 1e4, dtype), jnp.full(8, jnp.nan, dtype)):
        y = jax.jit(straight_through)(value, surrogate)
        assert y.dtype == dtype
        assert bits(y) == bits(value)


@pytest.mark.slow
def test_straight_through_agrees_with_its_one_liner_to_second_order():
    x = normal(5)

    def one_liner(v, s):
        return s + jax.lax.stop_gradient(v - s)

    def derivatives(st):
        f = lambda x: curve(st(jnp.sign(x), jnp.tanh(x)))
        return jax.jit(lambda x: [d(f)(x) for d in (jax.grad, jax.jacfwd, jax.hessian)])(x)

    for ours, theirs in zip(derivatives(straight_through), derivatives(one_liner), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_straight_through_takes_pytrees_and_keeps_each_dtype():
    tree = {"f": jnp.array([1.7]), "i": jnp.arange(2), "n": None, "p": 2.0}
    value = {"f": jnp.array([2.0]), "i": jnp.arange(2) + 1, "n": None, "p": 3}
    y = straight_through(value, tree)
    assert (y["f"], y["n"], y["p"]) == (2.0, None, 3.0)
    np.testing.assert_array_equal(y["i"], [1, 2])
    x = jnp.array([1.7], jnp.float32)
    y, pull = jax.vjp(lambda x: straight_through(jnp.round(x).astype(jnp.bfloat16), x), x)
    assert (y.dtype, pull(y)[0].dtype) == (jnp.bfloat16, jnp.float32)


@pytest.mark.parametrize(
    ("value", "surrogate", "error", "message"),
    [
        # the gradient would be lost
        (np.ones(3) > 0, np.ones(3), TypeError, r"dtype bool.*\.astype"),
        (np.ones(3), np.ones(2), ValueError, r"\(3,\) and \(2,\)"),
        ({"a": 1.0}, [1.0], ValueError, "same structure"),
    ],
)
def test_straight_through_refuses_what_does_not_fit(value, surrogate, error, message):
    with pytest.raises(error, match=message):
        straight_through(value, surrogate)
