import tensorflow as tf


def clip_norm_at_state(h, max_norm):
    def clipped(grad):
        norm = tf.norm(grad, axis=-1, keepdims=True)
        return grad * tf.minimum(max_norm / norm, 1.0)

    return tf.custom_gradient(lambda h: (tf.identity(h), clipped))(h)
