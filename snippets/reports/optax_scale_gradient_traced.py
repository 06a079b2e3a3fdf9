import jax
import jax.numpy as jnp
import optax


def half(x):
    return optax.scale_gradient(x, jnp.array(0.5, jnp.float32))


CASES = [
    ("scale is traced", lambda: jax.jit(jax.grad(optax.scale_gradient))(1.0, 0.5), "0.5"),
    ("forward mode", lambda: jax.jvp(half, (1.0,), (1.0,))[1], "0.5"),
    ("dtype", lambda: jax.grad(half)(jnp.array(1.0, jnp.bfloat16)).dtype, "bfloat16"),
]
for name, derivative, expected in CASES:
    try:
        actual = derivative()
    except TypeError as error:  # a TracerBoolConversionError is one
        actual = type(error).__name__
    print(f"{name}\n  actual:   {actual}\n  expected: {expected}")
