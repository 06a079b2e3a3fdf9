"""What the docstring of gradlab.ops.clipping.clip_gradient claims."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.ops import clip_by_value, clip_gradient

FLOATS = [jnp.float16, jnp.bfloat16, jnp.float32, jnp.float64]


@pytest.fixture(autouse=True)
def x64():
    with jax.enable_x64(True):
        yield


def normal(*shape):
    return jax.random.normal(jax.random.key(1), shape, jnp.float64)


def pull(x, cotangent, minimum, maximum):
    value, vjp = jax.vjp(lambda x: clip_gradient(x, minimum, maximum), x)
    return value, vjp(cotangent)[0]


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_value_is_kept_bit_for_bit(dtype):
    x = jnp.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 5.0], dtype)
    for f in (clip_gradient, jax.jit(clip_gradient)):
        y = f(x, -1, 1)
        assert y.dtype == dtype
        assert np.asarray(y).tobytes() == np.asarray(x).tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_cotangent_is_clipped_element_by_element_in_its_own_dtype(dtype):
    cotangent = jnp.array([-3.0, -0.5, 0.25, 7.0], dtype)
    limits = jnp.float32(-1), jnp.float64(2)
    y, g = pull(jnp.ones(4, dtype), cotangent, *limits)
    assert g.dtype == y.dtype == dtype
    assert g.tolist() == [-1.0, -0.5, 0.25, 2.0]


def test_a_cotangent_within_the_limits_is_left_alone():
    g = normal(100) / 10
    np.testing.assert_array_equal(pull(g, g, -1, 1)[1], g)


def test_clipping_twice_is_clipping_once():
    g = 3 * normal(100)
    once = pull(g, g, -1, 1)[1]
    np.testing.assert_array_equal(pull(g, once, -1, 1)[1], once)


def test_clipping_is_not_linear():
    g = jnp.array([0.8])
    assert pull(g, 2 * g, -1, 1)[1] != 2 * pull(g, g, -1, 1)[1]


def test_an_infinite_cotangent_becomes_the_limit_and_nan_stays():
    _, g = pull(jnp.ones(3), jnp.array([np.inf, -np.inf, np.nan]), -1, 1)
    np.testing.assert_array_equal(g, [1.0, -1.0, np.nan])


def test_infinite_limits_are_no_limits():
    g = 1e6 * normal(5)
    np.testing.assert_array_equal(pull(g, g, -np.inf, np.inf)[1], g)


def test_the_gradient_of_a_clipped_square_is_that_of_the_huber_loss():
    # The equivalence that RLax states.
    x = jnp.linspace(-4, 4, 81)
    c = 1.5

    def huber(x):
        inner = jnp.minimum(jnp.abs(x), c)
        return jnp.sum(inner**2 / 2 + c * (jnp.abs(x) - inner))

    clipped = jax.grad(lambda x: jnp.sum(clip_gradient(x, -c, c) ** 2) / 2)(x)
    np.testing.assert_allclose(clipped, jax.grad(huber)(x), atol=1e-15)


def test_the_limits_may_be_traced_and_receive_no_gradient():
    f = jax.jit(jax.grad(lambda x, a, b: jnp.sum(clip_gradient(x, a, b) ** 2), argnums=(0, 1, 2)))
    x, a, b = f(jnp.array([-3.0, 0.1, 3.0]), -1.0, 2.0)
    np.testing.assert_array_equal(x, [-1.0, 0.2, 2.0])
    assert a == b == 0.0


def test_vmap_takes_one_limit_per_example():
    limits = jnp.array([0.5, 1.0, 4.0])
    f = jax.grad(lambda x, c: clip_gradient(x, -c, c) ** 2)
    np.testing.assert_array_equal(jax.vmap(f)(jnp.full(3, 2.0), limits), limits)


def test_inside_a_scan_and_under_checkpoint_it_clips_at_every_step():
    def unroll(theta):
        def step(h, _):
            h = clip_gradient(h, -1.5, 1.5) + theta
            return h, h

        return jnp.sum(jax.lax.scan(step, 1.0, length=4)[1])

    # From the last application: 1, then at most 1.5 from above and 1 of its own.
    assert jax.grad(unroll)(0.0) == 1 + 2 + 2.5 + 2.5
    assert jax.grad(jax.checkpoint(unroll))(0.0) == 8.0


def test_the_gradient_is_made_of_ordinary_primitives():
    program = str(jax.make_jaxpr(jax.grad(lambda x: clip_gradient(x, -1, 1) ** 2))(3.0))
    assert "custom" not in program


def test_second_derivatives_differentiate_the_clipped_gradient():
    def f(x):
        return 5 * clip_gradient(x, -1, 1) ** 2

    as_written = jax.grad(lambda x: clip_by_value(10 * x, -1, 1))
    for x in (0.05, 0.1, 3.0):
        assert jax.hessian(f)(x) == jax.grad(jax.grad(f))(x) == as_written(x)
    assert [float(as_written(x)) for x in (0.05, 0.1, 3.0)] == [10.0, 10.0, 0.0]


def test_forward_mode_is_refused():
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(lambda x: clip_gradient(x, -1, 1), (1.0,), (1.0,))


def test_pytrees_pass_with_their_leaves_without_a_gradient():
    tree = {"f": jnp.array([2.0]), "i": jnp.arange(2), "n": None, "p": 3.0}
    y = clip_gradient(tree, -1, 1)
    assert y["i"] is tree["i"]
    assert y["n"] is None
    assert y["p"] == 3.0
    g = jax.grad(lambda f: jnp.sum(clip_gradient({**tree, "f": f}, -1, 1)["f"] ** 2))(tree["f"])
    assert g.tolist() == [1.0]


@pytest.mark.parametrize(
    ("minimum", "maximum", "error", "given"),
    [
        (1.0, -1.0, ValueError, r"minimum = 1\.0 and maximum = -1\.0"),
        (np.nan, 1.0, ValueError, "minimum must be a number, but nan"),
        (-1.0, jnp.nan, ValueError, "maximum must be a number, but nan"),
        (-np.ones(2), 1.0, ValueError, r"minimum must be a scalar.*\(2,\)"),
        (None, 1.0, TypeError, "minimum must be one real number, but None"),
        (-1.0, "1", TypeError, r"'1' \(str\)"),
    ],
)
def test_limits_that_make_no_interval_raise_an_error_that_says_what_was_given(
    minimum, maximum, error, given
):
    with pytest.raises(error, match=given):
        clip_gradient(jnp.ones(2), minimum, maximum)


def test_known_limits_are_checked_under_jit_too():
    with pytest.raises(ValueError, match="greater"):
        jax.jit(lambda x: clip_gradient(x, 1.0, -1.0))(1.0)


def test_equal_limits_are_an_interval():
    assert jax.grad(lambda x: clip_gradient(x, 2.0, 2.0) ** 2)(0.1) == 2.0


def test_a_complex_leaf_is_refused():
    with pytest.raises(TypeError, match="complex"):
        clip_gradient(jnp.array([1j]), -1, 1)
