"""Claims of the docstrings of clip_gradient and clip_gradient_norm."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.operators import pulled
from tests.ops.reference import EACH_FLOAT, FLOATS, assert_close, bits, normal, shortened

from scaleclip.ops import clip_by_norm, clip_by_value, clip_gradient, clip_gradient_norm

pull = jax.jit(pulled(clip_gradient))
# each at a limit, beside what it does to a gradient that has been taken
BOTH = {
    "clip_gradient": (lambda x: clip_gradient(x, -1.0, 1.0), lambda g: clip_by_value(g, -1.0, 1.0)),
    "clip_gradient_norm": (lambda x: clip_gradient_norm(x, 1.0), lambda g: clip_by_norm(g, 1.0)),
}
both = pytest.mark.parametrize("name", BOTH)


@pytest.mark.slow
@EACH_FLOAT
def test_the_cotangent_is_clipped_element_by_element_in_its_own_dtype(dtype):
    cotangent = jnp.array([-3.0, -0.5, 0.25, 7.0, np.inf, -np.inf, np.nan], dtype)
    g = pull(cotangent, jnp.float32(-1), jnp.float64(2))
    assert g.dtype == dtype
    np.testing.assert_array_equal(g.astype(float), [-1.0, -0.5, 0.25, 2.0, 2.0, -1.0, np.nan])
    assert bits(pull(g, -1, 2)) == bits(g)  # twice is once
    assert bits(pull(cotangent, -np.inf, np.inf)) == bits(cotangent)
    assert pull(cotangent[1:2], 2.0, 2.0) == 2.0


@pytest.mark.parametrize(("dtype", "axis"), [*zip(FLOATS, (None, -1, (0, 1), 0), strict=True)])
def test_clip_gradient_norm_shortens_the_cotangent_over_its_axes(dtype, axis):
    cotangent = normal(3, 4, seed=2, dtype=dtype)
    g = jax.jit(lambda g: pulled(clip_gradient_norm)(g, 1.2, axis))(cotangent)
    assert_close(g, shortened(cotangent, 1.2, axis), dtype)


@pytest.mark.slow
def test_the_limits_may_be_traced_and_receive_no_gradient():
    f = jax.jit(jax.grad(lambda x, a, b: jnp.sum(clip_gradient(x, a, b) ** 2), argnums=(0, 1, 2)))
    x, a, b = f(jnp.array([-3.0, 0.1, 3.0]), -1.0, 2.0)
    np.testing.assert_array_equal(x, [-1.0, 0.2, 2.0])
    assert a == b == jax.grad(lambda c: clip_gradient_norm(3.0, c))(1.0) == 0.0


@pytest.mark.slow
def test_vmap_takes_one_limit_per_example():
    limits = jnp.array([0.5, 1.0, 4.0])
    f = jax.grad(lambda x, c: clip_gradient(x, -c, c) ** 2)
    np.testing.assert_array_equal(jax.vmap(f)(jnp.full(3, 2.0), limits), limits)


@pytest.mark.slow
def test_inside_a_scan_and_under_checkpoint_it_clips_at_every_step():
    def unroll(theta):
        def step(h, _):
            h = clip_gradient(h, -1.5, 1.5) + theta
            return h, h

        return jnp.sum(jax.lax.scan(step, 1.0, length=4)[1])

    # From the last step: 1, then at most 1.5 from above and 1 of its own.
    assert jax.grad(unroll)(0.0) == 1 + 2 + 2.5 + 2.5
    assert jax.grad(jax.checkpoint(unroll))(0.0) == 8.0


@pytest.mark.slow
@both
def test_a_second_derivative_is_that_of_the_clipped_gradient(name):
    at_tensor, taken = BOTH[name]
    second = jax.jit(jax.hessian(lambda x: 5 * jnp.sum(at_tensor(x) ** 2)))
    as_written = jax.jit(jax.jacfwd(lambda x: taken(10 * x)))
    for x in ([0.03, 0.04], [0.06, 0.08], [3.0, 4.0], [0.1, 0.0], [0.0, 0.0]):
        np.testing.assert_allclose(second(jnp.array(x)), as_written(jnp.array(x)), atol=1e-15)


@both
def test_forward_mode_is_refused(name):
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(BOTH[name][0], (1.0,), (1.0,))


def test_each_leaf_at_a_tensor_has_a_norm_of_its_own():
    tree = [jnp.array([30.0, 40.0]), jnp.array([0.3, 0.4])]
    (g,) = jax.vjp(lambda t: clip_gradient_norm(t, 1.0), tree)[1](tree)
    np.testing.assert_allclose(g, [[0.6, 0.8], [0.3, 0.4]])
