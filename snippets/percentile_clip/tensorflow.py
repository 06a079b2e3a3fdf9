import numpy as np
import tensorflow as tf


def percentile_clip(grads, norms, percent=99, keep=200):
    # adds up rows that repeat, as an embedding's may
    grads = [g if g is None else tf.convert_to_tensor(g) for g in grads]
    wide = [tf.cast(tf.abs(g), tf.float32) for g in grads if g is not None]
    norm = tf.linalg.global_norm(wide)
    if tf.math.is_finite(norm) and norm > 0:
        norms.append(float(norm))  # a list that is kept from step to step
        del norms[:-keep]
        f = min(1, np.percentile(norms, percent, method="lower") / norms[-1])
        grads = [g if g is None else g * tf.cast(f, g.dtype) for g in grads]
    return grads, norm


# after tape.gradient(...), before apply_gradients, outside of tf.function
