import tensorflow as tf

CASES = [  # tensor, its dtype, clip_norm, what clipping by the norm gives
    ([3e30, 4e30], tf.float32, 1.0, "[0.6 0.8]"),
    ([300.0, 400.0], tf.float16, 5.0, "[3. 4.]"),
]
for entries, dtype, clip_norm, expected in CASES:
    t = tf.constant(entries, dtype)
    print(f"{dtype.name} {entries}, clip_norm {clip_norm}")
    print(f"  clip_by_norm:        {tf.clip_by_norm(t, clip_norm).numpy()}")
    print(f"  clip_by_global_norm: {tf.clip_by_global_norm([t], clip_norm)[0][0].numpy()}")
    print(f"  expected:            {expected}")
