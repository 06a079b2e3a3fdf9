import jax.numpy as jnp


def max_norm(w, limit, axis=0):
    wide = jnp.abs(w).astype(float)  # so that no square overflows in 16 bits
    norm = jnp.sqrt(jnp.sum(wide**2, axis=axis, keepdims=True))
    return (w * jnp.minimum(limit / norm, 1)).astype(w.dtype)


# after each update: params["w"] = max_norm(params["w"], 2.0)
