"""The small policy-gradient problem: its surrogates, its data, and its step."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.models import policy

pytestmark = pytest.mark.usefixtures("x64")


def slopes(surrogate, r, advantage, epsilon=0.2):
    def total(new):
        return jnp.sum(surrogate(new, jnp.zeros_like(r), advantage, epsilon))

    return np.asarray(jax.grad(total)(jnp.log(r)))


R = np.array([0.3, 0.79, 0.81, 1.0, 1.19, 1.21, 4.0])


@pytest.mark.parametrize("advantage", [1, -1, 0])
def test_ppo_stays_finite_in_float32_where_the_ratio_would_overflow(advantage):
    new, old, advantage = np.float32([100, 0, advantage])
    value, slope = jax.value_and_grad(policy.ppo)(new, old, advantage)
    assert np.isfinite(value)
    assert slope == 0


@pytest.mark.parametrize("advantage", [-2.0, 0.5])
def test_each_surrogate_weights_samples_by_its_rule(advantage):
    signs = np.full_like(R, advantage)
    past = R > 1.2 if advantage > 0 else R < 0.8
    np.testing.assert_array_equal(policy.past(R, signs), past)
    np.testing.assert_allclose(slopes(policy.plain, R, signs), R * signs)
    np.testing.assert_allclose(slopes(policy.ppo, R, signs), np.where(past, 0.0, R * signs))
    np.testing.assert_allclose(slopes(policy.cispo, R, signs), np.minimum(R, 1.2) * signs)


@pytest.mark.slow
def test_a_batch_is_drawn_from_the_policy_with_normal_advantages():
    w = 3 * jax.random.normal(jax.random.key(1), (policy.FEATURES, policy.ACTIONS))
    batch = jax.jit(policy.draw, static_argnums=2)(jax.random.key(0), w, 4000)
    np.testing.assert_allclose(jnp.mean(batch.advantage), 0, atol=1e-12)
    np.testing.assert_allclose(jnp.std(batch.advantage), 1)
    np.testing.assert_allclose(policy.log_probability(w, batch), batch.log_old)
    here = np.asarray(batch.action)[np.asarray(batch.context) == 0]
    shares = np.bincount(here, minlength=policy.ACTIONS) / len(here)
    np.testing.assert_allclose(shares, np.exp(policy.log_policy(w)[0]), atol=0.08)


@pytest.mark.slow
def test_steps_on_a_batch_are_plain_steps_of_adam_with_a_clip():
    carry = policy.start(3)
    after, record = jax.jit(policy.step)(carry, 1, 0.05, 0.2, 3, 1)
    _, drawn = jax.random.split(carry.key)
    batch = policy.draw(drawn, carry.w)
    tx = optax.chain(optax.clip_by_global_norm(0.05), optax.adam(0.2))
    w, state = carry.w, tx.init(carry.w)

    @jax.jit
    def step(w, state):
        def loss(w):
            new = policy.log_probability(w, batch)
            return -jnp.mean(policy.ppo(new, batch.log_old, batch.advantage))

        update, state = tx.update(jax.grad(loss)(w), state)
        return optax.apply_updates(w, update), state

    for _ in range(3):
        w, state = step(w, state)
    np.testing.assert_allclose(after.w, w, rtol=1e-9, atol=1e-12)
    ratio = jnp.exp(policy.log_probability(w, batch) - batch.log_old)
    np.testing.assert_allclose(record["ratio"], jnp.max(ratio))
    np.testing.assert_allclose(record["stopped"], jnp.mean(policy.past(ratio, batch.advantage)))
