import tensorflow as tf


def by_norm(t):
    return tf.clip_by_norm(t, 1.0)


def by_global_norm(t):
    return tf.clip_by_global_norm([t], 1.0)[0][0]


for clip in (by_norm, by_global_norm):
    t = tf.zeros(2)
    with tf.GradientTape() as tape:
        tape.watch(t)
        clipped = clip(t)
    print(f"{clip.__name__}, at zero, clip_norm 1")
    print(f"  value:    {clipped.numpy()}, expected [0. 0.]")
    print(f"  gradient: {tape.gradient(clipped, t).numpy()}, expected [1. 1.]")
