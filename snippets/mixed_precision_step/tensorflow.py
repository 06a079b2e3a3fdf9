import tensorflow as tf


def mixed_precision_step(loss, model, batches, optimizer, scale, max_norm):
    weights = model.trainable_variables
    total = [tf.zeros_like(w) for w in weights]
    for batch in batches:  # accumulate, scaled
        with tf.GradientTape() as tape:
            scaled = scale * loss(model, batch) / len(batches)
        grads = tape.gradient(scaled, weights, None, "zero")  # not None
        total = [t + g for t, g in zip(total, grads, strict=True)]
    grads = [g / scale for g in total]  # unscale, once
    wide = [tf.cast(tf.abs(g), tf.float32) for g in grads]
    norm = tf.linalg.global_norm(wide)
    factor = tf.minimum(max_norm / norm, 1.0)
    grads = [g * tf.cast(factor, g.dtype) for g in grads]
    if tf.math.is_finite(norm):  # skip if a gradient isn't finite
        optimizer.apply_gradients(zip(grads, weights, strict=True))
