import jax.numpy as jnp


def max_norm(w, limit, axis=0):
    norm = jnp.sqrt(jnp.sum(w * w, axis=axis, keepdims=True))
    return w * jnp.minimum(limit / norm, 1)


# after each update: params["w"] = max_norm(params["w"], 2.0)
