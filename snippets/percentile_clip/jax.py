import jax
import jax.numpy as jnp
import optax


def percentile_clip(percent=99, keep=200):
    def init(params):
        return jnp.full(keep, jnp.nan), 0  # norms, and how many there were

    def update(grads, state, params=None):
        norms, seen = state
        wide = jax.tree.map(lambda g: jnp.abs(g).astype(float), grads)
        norm = optax.tree.norm(wide)
        counts = jnp.isfinite(norm) & (norm > 0)
        norms = jnp.where(counts, norms.at[seen % keep].set(norm), norms)
        limit = jnp.nanpercentile(norms, percent, method="lower")
        factor = jnp.where(norm > limit, limit / norm, 1)
        grads = jax.tree.map(lambda g: (factor * g).astype(g.dtype), grads)
        return grads, (norms, seen + counts)

    return optax.GradientTransformation(init, update)


# optax.chain(percentile_clip(99), optax.adam(1e-3))
