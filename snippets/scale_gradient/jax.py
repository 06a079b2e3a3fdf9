import jax


@jax.custom_jvp
def scale_gradient(x, scale):
    return x


scale_gradient.defjvps(lambda dx, y, x, scale: scale * dx, None)
