import jax
import jax.numpy as jnp


@jax.custom_jvp
def _scaled(x, scale):
    return x


def _scale_tangent(dx, y, x, scale):
    return jnp.asarray(scale, jnp.result_type(dx)) * dx


_scaled.defjvps(_scale_tangent, None)


def scale_gradient(x, scale):  # x: an array, or a pytree of arrays
    return jax.tree.map(lambda leaf: _scaled(leaf, scale), x)
