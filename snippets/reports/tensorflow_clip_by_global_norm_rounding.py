import tensorflow as tf

t = tf.constant([0.5], tf.float32)  # its norm, 0.5, is below every limit
changed = [
    limit
    for limit in range(1, 200)
    if tf.clip_by_global_norm([t], float(limit))[0][0].numpy()[0] != 0.5
]
print("limits of 1 ... 199 at which a tensor of norm 0.5 is changed")
print(f"  actual:   {len(changed)}: {changed}")
print("  expected: 0: []")
