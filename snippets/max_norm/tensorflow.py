import tensorflow as tf


def max_norm(w, limit, axis=0):
    norm = tf.sqrt(tf.reduce_sum(w * w, axis=axis, keepdims=True))
    w.assign(w * tf.minimum(limit / norm, 1))


# after each update: max_norm(kernel, 2.0)
