import tensorflow as tf


def ppo(log_new, log_old, advantage, epsilon=0.2):
    r = tf.exp(tf.minimum(log_new - log_old, 20))  # finite in float32
    kept = tf.clip_by_value(r, 1 - epsilon, 1 + epsilon)
    return -tf.reduce_mean(tf.minimum(r * advantage, kept * advantage))


def cispo(log_new, log_old, advantage, epsilon=0.2):
    r = tf.exp(log_new - log_old)
    weight = tf.stop_gradient(tf.minimum(r, 1 + epsilon))
    return -tf.reduce_mean(weight * advantage * log_new)
