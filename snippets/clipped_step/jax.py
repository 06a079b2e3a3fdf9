import jax
import jax.numpy as jnp


def clipped_step(loss, params, batch, learning_rate, max_norm):
    grads = jax.grad(loss)(params, batch)  # compute
    leaves = jax.tree.leaves(grads)
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in leaves))
    factor = jnp.minimum(1, max_norm / norm)  # clip
    rate = learning_rate * factor
    params = jax.tree.map(lambda p, g: p - rate * g, params, grads)  # apply
    return params, norm  # for the log: the norm before the clip
