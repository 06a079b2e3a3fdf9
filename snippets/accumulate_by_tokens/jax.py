import jax
import jax.numpy as jnp


def accumulate_by_tokens(loss_sum, w, batches, tokens, max_norm):
    def share(w, batch):
        return loss_sum(w, batch) / sum(tokens)  # by all tokens that count

    g = jax.tree.map(jnp.zeros_like, w)
    for batch in batches:
        g = jax.tree.map(jnp.add, g, jax.grad(share)(w, batch))
    wide = [jnp.abs(x).astype(float) for x in jax.tree.leaves(g)]
    norm = jnp.sqrt(sum(jnp.sum(x**2) for x in wide))
    factor = jnp.minimum(1, max_norm / norm)  # clip, once
    return jax.tree.map(lambda x: (factor * x).astype(x.dtype), g), norm
