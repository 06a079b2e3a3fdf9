import jax.numpy as jnp
import optax

# Two examples, two leaves. The second example has a NaN in `a`, and a large entry in `b`.
grads = {"a": jnp.array([[1.0], [jnp.nan]]), "b": jnp.array([[0.0], [1e6]])}
clipped_sum, num_clipped = optax.per_example_global_norm_clip(grads, 1.0)

print("sum of b over the examples, each clipped to norm 1")
print(f"  actual:   {clipped_sum['b']}")
print("  expected: at most 2 in absolute value, or NaN")
print("examples that were clipped")
print(f"  actual:   {num_clipped}")
print("  expected: 1")
