import numpy as np
import tensorflow as tf


def percentile_clip(grads, norms, percent, keep=1000):
    norm = tf.linalg.global_norm(grads)
    if tf.math.is_finite(norm) and norm > 0:
        norms.append(float(norm))  # a list that is kept from step to step
        del norms[:-keep]
        limit = np.percentile(norms, percent)
        grads, _ = tf.clip_by_global_norm(grads, limit, use_norm=norm)
    return grads, norm


# after tape.gradient(...), before apply_gradients, outside of tf.function
