import jax
import jax.numpy as jnp


def mixed_precision_step(loss, w, state, batches, update, scale, max_norm):
    def scaled(w, batch):
        return scale * loss(w, batch) / len(batches)

    g = jax.tree.map(jnp.zeros_like, w)
    for batch in batches:  # accumulate
        g = jax.tree.map(jnp.add, g, jax.grad(scaled)(w, batch))
    g = jax.tree.map(lambda x: (x / scale).astype(x.dtype), g)  # unscale, once
    wide = [jnp.abs(x).astype(float) for x in jax.tree.leaves(g)]
    norm = jnp.sqrt(sum(jnp.sum(x**2) for x in wide))
    factor = jnp.minimum(1, max_norm / norm)
    g = jax.tree.map(lambda x: (factor * x).astype(x.dtype), g)
    change, moved = update(g, state, w)

    def keep(old, new):  # skip if a gradient isn't finite
        return jnp.where(jnp.isfinite(norm), new, old)

    new = jax.tree.map(jnp.add, w, change), moved
    return jax.tree.map(keep, (w, state), new)
