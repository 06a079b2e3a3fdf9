import jax
import jax.numpy as jnp


@jax.custom_jvp
def scale_gradient(x, scale):
    return x


scale_gradient.defjvps(lambda dx, y, x, scale: jnp.asarray(scale, jnp.result_type(dx)) * dx, None)
