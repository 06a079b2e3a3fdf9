import jax
import jax.numpy as jnp


def accumulate_by_tokens(loss_sum, w, batches, tokens, max_norm):
    g = sum(jax.grad(loss_sum)(w, batch) for batch in batches)
    g = g / sum(tokens)  # once, by all tokens that count
    norm = jnp.linalg.norm(g)
    return g * jnp.minimum(1, max_norm / norm), norm  # clip, once
