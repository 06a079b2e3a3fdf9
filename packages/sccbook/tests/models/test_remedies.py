"""The remedies do what their names say, and the step is Optax's own."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.models import recall, remedies
from sccbook.models.remedies import REMEDIES, cap_columns, cap_singular_values
from tests.tiers import some_now

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("x64")]


MOST = 60


@functools.cache
def compiled():
    """The start, and ``MOST`` steps from it: one compilation for all remedies."""

    def body(carry, given):
        after, record = remedies.step(carry, *given)
        return after, (after, record)

    def run(carry, *given):
        return jax.lax.scan(lambda carry, _: body(carry, given), carry, None, length=MOST)[1]

    return jax.jit(remedies.start)(4), jax.jit(run)


def steps(remedy, optimizer, rate, limit, count):
    first, run = compiled()
    found = run(first, REMEDIES.index(remedy), optimizer, rate, limit)
    return jax.tree.map(lambda leaf: leaf[:count], found)


@functools.partial(jax.jit, static_argnums=2)
def gradient(flat, drawn, at_state=None):
    """The gradient of one minibatch, by itself."""
    loss = lambda p: recall.loss(p, *recall.draw(drawn), at_state or (lambda h: h))[0]
    return jax.grad(loss)(remedies.unflatten(flat))


def first_norm(at_state=None):
    """The length of the gradient of the minibatch that the first step meets."""
    first, _ = compiled()
    return optax.tree.norm(gradient(first.params, jax.random.split(first.key)[1], at_state))


@pytest.mark.parametrize(
    ("place", "optimizer"),
    list(enumerate([optax.sgd(0.03), optax.sgd(0.03, momentum=0.9), optax.adam(0.03)])),
)
def test_with_no_remedy_the_steps_are_those_of_optax(place, optimizer):
    after, _ = steps("nothing", place, 0.03, 1.0, 12)
    first, _ = compiled()
    params, key = first.params, first.key
    state, update = optimizer.init(params), jax.jit(optimizer.update)
    for n in range(12):
        key, drawn = jax.random.split(key)
        grads = jax.flatten_util.ravel_pytree(gradient(params, drawn))[0]
        updates, state = update(grads, state, params)
        params = params + updates
        np.testing.assert_allclose(after.params[n], params, rtol=0, atol=1e-10)


@pytest.mark.parametrize("limit", [0.3, 2.0])
def test_a_clip_bounds_the_step_and_counts_what_it_shortens(limit):
    _, record = steps("clip", 0, 0.1, limit, 60)
    expected = 0.1 * np.minimum(record["norm"], limit)
    np.testing.assert_allclose(record["stride"], expected, rtol=1e-9)
    longer = record["norm"] > limit
    np.testing.assert_allclose(record["shortened"], np.cumsum(longer) / np.arange(1, 61))
    assert np.mean(longer) > 0


def test_normalised_gradients_make_equal_steps():
    _, record = steps("normalise", 0, 0.1, 0.3, 40)
    np.testing.assert_allclose(record["stride"], 0.03, rtol=1e-9)


def test_half_at_the_state_scales_what_passes_each_state():
    _, record = steps("half", 0, 0.1, 0.5, 1)

    def halved(h):
        return 0.5 * h + jax.lax.stop_gradient(0.5 * h)

    np.testing.assert_allclose(record["norm"][0], first_norm(halved))
    assert record["norm"][0] < 0.9 * first_norm()


def test_a_clip_at_the_state_changes_nothing_at_a_large_limit_and_cuts_the_past_off_at_0():
    _, free = steps("clip_state", 0, 0.1, 1e9, 1)
    np.testing.assert_allclose(free["norm"][0], first_norm(), rtol=1e-12)
    _, cut = steps("clip_state", 0, 0.1, 0.0, 1)
    np.testing.assert_allclose(cut["norm"][0], first_norm(jax.lax.stop_gradient), rtol=1e-12)


@pytest.mark.parametrize("remedy", ["columns", "spectral"])
def test_after_each_step_the_cap_holds(remedy):
    after, _ = steps(remedy, 0, 0.3, 1.4, 60)
    w = jax.vmap(lambda p: remedies.unflatten(p)["w"])(after.params)
    if remedy == "columns":
        sizes = jnp.linalg.norm(w, axis=1)
    else:
        sizes = jnp.linalg.svd(w, compute_uv=False)
    assert jnp.max(sizes) == pytest.approx(1.4, rel=1e-4)


@pytest.mark.parametrize("seed", some_now(range(4), 0))
@pytest.mark.parametrize("limit", [0.3, 1.4, 100.0])
def test_capped_singular_values_are_those_of_a_decomposition(seed, limit):
    w = jax.random.normal(jax.random.key(seed), (16, 16)) / 2
    u, s, vt = jnp.linalg.svd(w)
    expected = (u * jnp.minimum(s, limit)) @ vt
    np.testing.assert_allclose(cap_singular_values(w, limit), expected, atol=1e-4)


def test_capped_columns_keep_their_directions_and_a_column_of_zeros():
    w = jnp.array([[3.0, 0.1, 0.0], [4.0, 0.0, 0.0]])
    np.testing.assert_allclose(cap_columns(w, 1.0), [[0.6, 0.1, 0.0], [0.8, 0.0, 0.0]])


def test_right_is_the_mean_of_the_last_25_minibatches():
    after, record = steps("nothing", 0, 0.01, 1.0, 30)
    shares = after.recent[:, -1]
    np.testing.assert_allclose(record["right"][9], np.mean(shares[:10]))
    np.testing.assert_allclose(record["right"][29], np.mean(shares[5:30]))
