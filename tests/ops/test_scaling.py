"""What the docstrings of gradlab.ops.scaling claim."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import test_util

from gradlab.ops import reverse_gradient, scale_gradient, straight_through

FLOATS = [jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64]
SPECIAL = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.5, 1e-4]
SCALES = [-2.0, -1.0, 0.0, 0.1, 0.5, 1.0, 100.0]


@pytest.fixture(autouse=True)
def x64():
    with jax.enable_x64(True):
        yield


def bits(x) -> bytes:
    return np.asarray(x).tobytes()


def curve(x):
    return jnp.sum(jnp.sin(x) * x**2)


def normal(*shape):
    return jax.random.normal(jax.random.key(0), shape, jnp.float64)


# Forward


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("scale", [*SCALES, np.inf, np.nan])
def test_the_value_is_kept_bit_for_bit(dtype, scale):
    x = jnp.array(SPECIAL, dtype)
    for f in (scale_gradient, jax.jit(scale_gradient)):
        y = f(x, scale)
        assert y.dtype == x.dtype
        assert bits(y) == bits(x)


def test_the_value_is_kept_while_differentiating():
    x = jnp.array(SPECIAL)
    value, _ = jax.vjp(lambda x: scale_gradient(x, 0.1), x)
    assert bits(value) == bits(x)
    value, _ = jax.jvp(lambda x: scale_gradient(x, 0.1), (x,), (x,))
    assert bits(value) == bits(x)


def test_python_numbers_are_leaves():
    y = scale_gradient({"a": 2.5, "b": -0.0}, 0.5)
    assert y["a"] == 2.5
    assert np.signbit(y["b"])
    assert jax.grad(lambda a: scale_gradient({"a": a}, 0.5)["a"] ** 2)(3.0) == 3.0


def test_leaves_without_a_gradient_pass_through():
    tree = {"n": None, "i": jnp.arange(3), "b": jnp.array([True]), "k": 7, "f": 1.5}
    y = scale_gradient(tree, 0.5)
    assert y["n"] is None
    assert y["i"] is tree["i"]
    assert y["b"] is tree["b"]
    assert y["k"] == 7
    assert isinstance(y["k"], int)
    assert y["f"] == 1.5


def test_integer_leaves_pass_through_under_grad():
    x = {"i": jnp.arange(3), "f": normal(3)}

    def loss(x, scale):
        y = scale_gradient(x, scale)
        return jnp.sum(y["f"] ** 2 * y["i"])

    scaled = jax.grad(loss, allow_int=True)(x, 0.5)
    np.testing.assert_allclose(scaled["f"], x["f"] * x["i"])


# Gradients


@pytest.mark.parametrize("scale", SCALES)
def test_the_gradient_is_multiplied_by_the_scale(scale):
    x = normal(4, 3)
    plain = jax.grad(curve)(x)
    scaled = jax.grad(lambda x: curve(scale_gradient(x, scale)))(x)
    np.testing.assert_allclose(scaled, scale * plain, rtol=1e-15)


@pytest.mark.parametrize("scale", SCALES)
def test_the_gradient_is_the_scale_times_finite_differences(scale):
    # Only outside of the operator can a difference be taken: the value does not show it.
    x = 0.7
    step = 1e-5
    slope = (curve(x + step) - curve(x - step)) / (2 * step)
    np.testing.assert_allclose(
        jax.grad(lambda x: curve(scale_gradient(x, scale)))(x), scale * slope, rtol=1e-8
    )


def test_scale_one_is_the_true_derivative_in_both_modes():
    test_util.check_grads(lambda x: curve(scale_gradient(x, 1.0)), (normal(3),), order=2)


def test_scale_zero_is_stop_gradient():
    x = normal(5)
    scaled = jax.grad(lambda x: curve(scale_gradient(x, 0.0) * x))(x)
    stopped = jax.grad(lambda x: curve(jax.lax.stop_gradient(x) * x))(x)
    np.testing.assert_array_equal(scaled, stopped)


def test_scales_compose_by_multiplication():
    x = normal(5)
    twice = jax.grad(lambda x: curve(scale_gradient(scale_gradient(x, 0.5), 0.3)))(x)
    np.testing.assert_allclose(twice, jax.grad(curve)(x) * 0.15, rtol=1e-14)


def test_the_cotangent_map_is_linear():
    x, a, b = normal(3, 4)
    _, pull = jax.vjp(lambda x: scale_gradient(x, 0.3), x)
    (left,) = pull(2.0 * a + b)
    np.testing.assert_allclose(left, 2.0 * pull(a)[0] + pull(b)[0], rtol=1e-14)


@pytest.mark.parametrize("scale", SCALES)
def test_jvp_and_vjp_are_transposes(scale):
    x, v, w = normal(3, 4)

    def f(x):
        return jnp.cos(scale_gradient(jnp.sin(x), scale))

    _, tangent = jax.jvp(f, (x,), (v,))
    _, pull = jax.vjp(f, x)
    np.testing.assert_allclose(jnp.vdot(tangent, w), jnp.vdot(v, pull(w)[0]), rtol=1e-12)


@pytest.mark.parametrize("scale", SCALES)
def test_second_derivatives_pick_up_the_scale_squared(scale):
    def f(x):
        return x**3

    def g(x):
        return f(scale_gradient(x, scale))

    for second in (
        jax.hessian(g),
        jax.grad(jax.grad(g)),
        jax.jacfwd(jax.jacfwd(g)),
        jax.jacrev(jax.jacfwd(g)),
    ):
        np.testing.assert_allclose(second(0.7), scale**2 * 6 * 0.7, rtol=1e-14)
    third = jax.grad(jax.grad(jax.grad(g)))(0.7)
    np.testing.assert_allclose(third, scale**3 * 6, rtol=1e-14)


def test_the_derivative_with_respect_to_the_scale_is_zero():
    def g(s):
        return curve(scale_gradient(normal(3), s))

    assert jax.grad(g)(0.3) == 0.0
    assert jax.jvp(g, (0.3,), (1.0,))[1] == 0.0
    assert jax.hessian(g)(0.3) == 0.0


def test_the_gradient_that_comes_back_depends_on_the_scale():
    def back(s):
        return jax.grad(lambda x: scale_gradient(x, s) ** 3)(2.0)

    assert jax.grad(back)(0.3) == 3 * 2.0**2


def test_a_loss_scaled_by_one_over_k_reports_the_loss_and_gives_the_gradients_of_loss_over_k():
    x = normal(6)
    value, gradient = jax.value_and_grad(lambda x: scale_gradient(curve(x), 1 / 5))(x)
    assert value == curve(x)
    np.testing.assert_allclose(gradient, jax.grad(lambda x: curve(x) / 5)(x), rtol=1e-14)


def test_it_agrees_with_optax():
    optax = pytest.importorskip("optax")
    tree = {"a": normal(3), "b": (normal(2, 2),)}

    def loss(scaling):
        def f(tree):
            y = scaling(tree, 0.3)
            return curve(y["a"]) + curve(y["b"][0])

        return f

    ours, theirs = (
        jax.value_and_grad(loss(f))(tree) for f in (scale_gradient, optax.scale_gradient)
    )
    jax.tree.map(np.testing.assert_array_equal, ours, theirs)


# Transformations


def test_the_scale_may_be_traced():
    traces = []

    @jax.jit
    def f(x, scale):
        traces.append(scale)
        return jax.grad(lambda x: curve(scale_gradient(x, scale)))(x)

    x = normal(3)
    for scale in SCALES:
        np.testing.assert_allclose(f(x, scale), scale * jax.grad(curve)(x), rtol=1e-14)
    assert len(traces) == 1


def test_vmap_takes_one_scale_per_example():
    x, scales = normal(5, 3), jnp.linspace(-1, 1, 5)
    grads = jax.vmap(jax.grad(lambda x, s: curve(scale_gradient(x, s))))(x, scales)
    expected = scales[:, None] * jax.vmap(jax.grad(curve))(x)
    np.testing.assert_allclose(grads, expected, rtol=1e-14)


def unroll(theta, scale, steps=6):
    def step(h, _):
        h = scale_gradient(h, scale) + theta
        return h, h

    return jnp.sum(jax.lax.scan(step, 1.0, length=steps)[1])


def test_inside_a_scan_the_scale_compounds_at_every_step():
    # Loss k reaches theta through application j with s ** (k - j).
    expected = sum(0.5 ** (k - j) for k in range(1, 7) for j in range(1, k + 1))
    assert jax.grad(unroll)(0.0, 0.5) == expected
    assert jax.jit(jax.grad(unroll))(0.0, 0.5) == expected


def test_under_checkpoint_nothing_changes():
    x = normal(4)

    def f(x):
        return curve(scale_gradient(jnp.sin(x), 0.3))

    np.testing.assert_array_equal(jax.grad(jax.checkpoint(f))(x), jax.grad(f)(x))


# Precision


@pytest.mark.parametrize("x_dtype", FLOATS)
@pytest.mark.parametrize("scale_dtype", [*FLOATS, jnp.int32, None])
def test_the_dtype_of_x_is_kept_whatever_that_of_the_scale(x_dtype, scale_dtype):
    x = jnp.array([1.5, -2.0], x_dtype)
    scale = 2 if scale_dtype is None else jnp.array(2, scale_dtype)
    y, pull = jax.vjp(lambda x: scale_gradient(x, scale), x)
    (g,) = pull(jnp.ones_like(y))
    _, t = jax.jvp(lambda x: scale_gradient(x, scale), (x,), (x,))
    assert y.dtype == g.dtype == t.dtype == x_dtype
    assert jnp.array_equal(g, jnp.full(2, 2, x_dtype))


def test_complex_leaves_are_scaled_too():
    z = jnp.array([1 + 2j, -3j])
    y, pull = jax.vjp(lambda z: scale_gradient(z, 0.5), z)
    assert bits(y) == bits(z)
    np.testing.assert_array_equal(pull(z)[0], 0.5 * z)


# Errors


@pytest.mark.parametrize(
    ("scale", "error", "given"),
    [
        (np.ones(2), ValueError, r"scale must be a scalar.*shape \(2,\) and dtype float64"),
        (jnp.ones((1,)), ValueError, r"shape \(1,\)"),
        ("0.5", TypeError, r"'0\.5' \(str\)"),
        (1j, TypeError, "complex"),
        (jnp.complex64(1), TypeError, "complex64"),
        (None, TypeError, "None"),
        (True, TypeError, "True"),
        (jnp.array(True), TypeError, "dtype bool"),
        ([0.5], TypeError, "list"),
        ({"a": 0.5}, TypeError, "dict"),
    ],
)
def test_a_scale_that_is_no_scalar_raises_an_error_that_says_what_was_given(scale, error, given):
    with pytest.raises(error, match=given):
        scale_gradient(jnp.ones(2), scale)


def test_a_traced_scale_of_the_wrong_shape_raises_too():
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        jax.jit(scale_gradient)(jnp.ones(2), jnp.ones(2))


def test_a_leaf_that_is_no_number_raises_an_error_that_says_what_was_given():
    with pytest.raises(TypeError, match=r"'two' \(str\)"):
        scale_gradient({"a": 1.0, "b": "two"}, 0.5)


def test_an_error_in_the_strength_names_the_strength():
    with pytest.raises(ValueError, match="strength must be a scalar"):
        reverse_gradient(jnp.ones(2), np.ones(3))


# Reversal


def test_reversal_negates_the_gradient_and_keeps_the_value():
    x = normal(4)
    value, gradient = jax.value_and_grad(lambda x: curve(reverse_gradient(x)))(x)
    assert value == curve(x)
    np.testing.assert_array_equal(gradient, -jax.grad(curve)(x))


@pytest.mark.parametrize("strength", [0.0, 0.3, 1, np.float32(2.0)])
def test_reversal_is_scaling_by_minus_the_strength(strength):
    x = normal(4)
    left = jax.grad(lambda x: curve(reverse_gradient(x, strength)))(x)
    right = jax.grad(lambda x: curve(scale_gradient(x, -strength)))(x)
    np.testing.assert_array_equal(left, right)


def test_two_reversals_are_the_identity():
    x = normal(4)
    twice = jax.grad(lambda x: curve(reverse_gradient(reverse_gradient(x))))(x)
    np.testing.assert_array_equal(twice, jax.grad(curve)(x))


# Straight-through


def rounded(x):
    return straight_through(jnp.round(x), x)


@pytest.mark.parametrize("dtype", FLOATS)
def test_straight_through_keeps_the_value_bit_for_bit(dtype):
    value = jnp.array(SPECIAL, dtype)
    for surrogate in (jnp.full(len(SPECIAL), 1e4, dtype), jnp.full(len(SPECIAL), jnp.nan, dtype)):
        y = jax.jit(straight_through)(value, surrogate)
        assert y.dtype == dtype
        assert bits(y) == bits(value)


def test_straight_through_hands_the_gradient_to_the_surrogate_whole():
    x = normal(5)
    gradient = jax.grad(lambda x: curve(rounded(x)))(x)
    np.testing.assert_array_equal(gradient, jax.grad(curve)(jnp.round(x)))


def test_straight_through_gives_the_value_no_gradient():
    x = normal(5)
    gradient = jax.grad(lambda v: curve(straight_through(jnp.sin(v), x)))(x)
    np.testing.assert_array_equal(gradient, np.zeros(5))


def test_straight_through_agrees_with_its_one_liner_to_second_order():
    x = normal(5)

    def one_liner(v, s):
        return s + jax.lax.stop_gradient(v - s)

    def f(st):
        return lambda x: curve(st(jnp.sign(x), jnp.tanh(x)))

    for d in (jax.grad, jax.jacfwd, jax.hessian):
        np.testing.assert_allclose(
            d(f(straight_through))(x), d(f(one_liner))(x), rtol=1e-12, atol=1e-14
        )


def test_straight_through_takes_pytrees_and_lets_integers_and_none_pass():
    tree = {"f": jnp.array([1.7]), "i": jnp.arange(2), "n": None, "p": 2.0}
    value = {"f": jnp.array([2.0]), "i": jnp.arange(2) + 1, "n": None, "p": 3}
    y = straight_through(value, tree)
    assert y["f"] == 2.0
    assert y["n"] is None
    assert y["p"] == 3.0
    np.testing.assert_array_equal(y["i"], [1, 2])


def test_straight_through_keeps_the_value_dtype_beside_another_surrogate():
    x = jnp.array([1.7], jnp.float32)

    def f(x):
        return straight_through(jnp.round(x).astype(jnp.bfloat16), x)

    y, pull = jax.vjp(f, x)
    assert y.dtype == jnp.bfloat16
    assert pull(y)[0].dtype == jnp.float32


def test_straight_through_works_under_vmap_scan_and_checkpoint():
    x = normal(4, 3)
    expected = jax.grad(lambda x: curve(rounded(x)))(x)
    for f in (
        lambda x: jnp.sum(jax.vmap(lambda r: curve(rounded(r)))(x)),
        lambda x: jax.lax.scan(lambda c, r: (c + curve(rounded(r)), None), 0.0, x)[0],
        jax.checkpoint(lambda x: curve(rounded(x))),
    ):
        np.testing.assert_allclose(jax.grad(f)(x), expected, rtol=1e-14)


def test_straight_through_refuses_a_value_whose_gradient_would_be_lost():
    x = normal(3)
    with pytest.raises(TypeError, match=r"dtype bool.*\.astype"):
        straight_through(x > 0, x)


def test_straight_through_says_which_shapes_or_structures_differ():
    with pytest.raises(ValueError, match=r"\(3,\) and \(2,\)"):
        straight_through(jnp.ones(3), jnp.ones(2))
    with pytest.raises(ValueError, match="same structure"):
        straight_through({"a": 1.0}, [1.0])
