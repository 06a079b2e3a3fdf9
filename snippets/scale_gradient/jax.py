import jax
import jax.numpy as jnp


@jax.custom_jvp
def scale_gradient(x, scale):
    return x


def _scale_tangent(dx, y, x, scale):
    return jnp.asarray(scale, jnp.result_type(dx)) * dx


scale_gradient.defjvps(_scale_tangent, None)
