import jax
import jax.numpy as jnp


def mixed_precision_step(loss, params, state, batches, update, scale, max_norm):
    def scaled(params, batch):
        return scale * loss(params, batch) / len(batches)

    grads = jax.tree.map(jnp.zeros_like, params)
    for batch in batches:  # accumulate, scaled
        grads = jax.tree.map(jnp.add, grads, jax.grad(scaled)(params, batch))
    grads = jax.tree.map(lambda g: g / scale, grads)  # unscale, once
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    shorten = jnp.minimum(1, max_norm / norm)
    clipped = jax.tree.map(lambda g: g * shorten, grads)
    updates, moved = update(clipped, state, params)
    stepped = jax.tree.map(jnp.add, params, updates), moved
    keep = lambda old, new: jnp.where(jnp.isfinite(norm), new, old)  # or skip
    return jax.tree.map(keep, (params, state), stepped)
