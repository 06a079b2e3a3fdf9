import tensorflow as tf


def max_norm(w, limit, axis=0):
    wide = tf.cast(w, tf.float32) if w.dtype.size < 4 else tf.identity(w)
    norm = tf.sqrt(tf.reduce_sum(wide * wide, axis=axis, keepdims=True))
    w.assign(tf.cast(wide * tf.minimum(limit / norm, 1), w.dtype))


# after each update: max_norm(kernel, 2.0)
