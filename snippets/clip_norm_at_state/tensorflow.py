import tensorflow as tf


def clip_norm_at_state(h, max_norm):
    def clipped(grad):
        wide = tf.cast(grad, tf.float32) if grad.dtype.size < 4 else grad
        norm = tf.norm(wide, axis=-1, keepdims=True)
        return tf.cast(wide * tf.minimum(max_norm / norm, 1.0), grad.dtype)

    return tf.custom_gradient(lambda h: (tf.identity(h), clipped))(h)
