import jax.numpy as jnp
import optax

CASES = [  # gradient, its dtype, max_norm, what clipping by the norm gives
    ([3e30, 4e30], jnp.float32, 1.0, "[0.6 0.8]"),
    ([300.0, 400.0], jnp.float16, 5.0, "[3. 4.]"),
]
for entries, dtype, max_norm, expected in CASES:
    grads = jnp.array(entries, dtype)
    clip = optax.clip_by_global_norm(max_norm)
    clipped, _ = clip.update(grads, clip.init(grads))
    print(f"{dtype.__name__} {entries}, max_norm {max_norm}")
    print(f"  norm:     {optax.tree.norm(grads)}")
    print(f"  clipped:  {clipped}")
    print(f"  expected: {expected}")
