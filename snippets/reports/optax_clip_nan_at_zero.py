import jax
import jax.numpy as jnp
import optax


def clipped(grads, max_norm):
    clip = optax.clip_by_global_norm(max_norm)
    return clip.update(grads, clip.init(grads))[0]


zero = jnp.zeros(2)
print("value at zero, max_norm 0")
print(f"  actual:   {clipped(zero, 0.0)}")
print("  expected: [0. 0.]")
print("derivative at zero, max_norm 1")
print(f"  actual:   {jax.jacrev(clipped)(zero, 1.0).tolist()}")
print("  expected: [[1.0, 0.0], [0.0, 1.0]]")
