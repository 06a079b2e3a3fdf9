import tensorflow as tf


def clip_norm_at_state(h, max_norm):
    def clipped(grad):
        grad = tf.convert_to_tensor(grad)  # adds up rows that repeat
        wide = tf.cast(grad, tf.float32) if grad.dtype.size < 4 else grad
        norm = tf.norm(tf.abs(wide), axis=-1, keepdims=True)
        factor = tf.cast(tf.minimum(max_norm / norm, 1.0), wide.dtype)
        return tf.cast(wide * factor, grad.dtype)

    return tf.custom_gradient(lambda h: (tf.identity(h), clipped))(h)
