import jax
import jax.numpy as jnp


def clipped_step(loss, params, batch, learning_rate, max_norm):
    grads = jax.grad(loss)(params, batch)  # compute
    wide = [jnp.abs(g).astype(float) for g in jax.tree.leaves(grads)]
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in wide))
    rate = learning_rate * jnp.minimum(1, max_norm / norm)  # clip

    def apply(p, g):  # conj: for complex parameters
        return p - (rate * g.conj()).astype(p.dtype)

    # for the log: the norm before the clip
    return jax.tree.map(apply, params, grads), norm
