import tensorflow as tf

table = tf.Variable(tf.zeros([3, 2]))
with tf.GradientTape() as tape:
    rows = tf.gather(table, [0, 0, 0, 0])  # one row, four times
    loss = tf.reduce_sum(rows * [0.3, 0.4])
grad = tape.gradient(loss, table)  # IndexedSlices, whose indices repeat
dense = tf.convert_to_tensor(grad)  # its first row is [1.2, 1.6], of norm 2
for name, g in (("IndexedSlices", grad), ("dense", dense)):
    clipped, norm = tf.clip_by_global_norm([g], 1.0)
    step = tf.norm(tf.convert_to_tensor(clipped[0]))
    alone = tf.norm(tf.convert_to_tensor(tf.clip_by_norm(g, 1.0)))
    print(f"{name}, clip_norm 1")
    print(f"  global_norm:         {norm.numpy():.1f}, expected 2.0")
    print(f"  clip_by_global_norm: norm {step.numpy():.1f}, expected 1.0")
    print(f"  clip_by_norm:        norm {alone.numpy():.1f}, expected 1.0")
