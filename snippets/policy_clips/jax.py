import jax
import jax.numpy as jnp


def ppo(log_new, log_old, advantage, epsilon=0.2):
    r = jnp.exp(jnp.minimum(log_new - log_old, 20))  # finite in float32
    kept = jnp.clip(r, 1 - epsilon, 1 + epsilon)
    return -jnp.minimum(r * advantage, kept * advantage).mean()


def cispo(log_new, log_old, advantage, epsilon=0.2):
    r = jnp.exp(log_new - log_old)
    weight = jax.lax.stop_gradient(jnp.minimum(r, 1 + epsilon))
    return -(weight * advantage * log_new).mean()
