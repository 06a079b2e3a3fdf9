import tensorflow as tf


def scale_gradient(x, scale):
    @tf.custom_gradient
    def scaled(x):
        return tf.identity(x), lambda grad: scale * grad

    return scaled(x)
