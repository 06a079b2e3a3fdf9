import jax
import jax.numpy as jnp


def mixed_precision_step(loss, w, state, batches, update, scale, max_norm):
    def scaled(w, batch):
        return scale * loss(w, batch) / len(batches)

    g = sum(jax.grad(scaled)(w, batch) for batch in batches)  # accumulate
    g = g / scale  # unscale, once
    norm = jnp.linalg.norm(g)
    change, moved = update(g * jnp.minimum(1, max_norm / norm), state, w)

    def keep(old, new):  # skip if a gradient isn't finite
        return jnp.where(jnp.isfinite(norm), new, old)

    return jax.tree.map(keep, (w, state), (w + change, moved))
