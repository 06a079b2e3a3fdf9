import tensorflow as tf


def mixed_precision_step(loss, model, batches, optimizer, scale, max_norm):
    weights = model.trainable_variables
    total = [tf.zeros_like(w) for w in weights]
    for batch in batches:  # accumulate, scaled
        with tf.GradientTape() as tape:
            scaled = scale * loss(model, batch) / len(batches)
        grads = tape.gradient(scaled, weights)
        total = [t + g for t, g in zip(total, grads, strict=True)]
    grads = [g / scale for g in total]  # unscale, once
    grads, norm = tf.clip_by_global_norm(grads, max_norm)
    if tf.math.is_finite(norm):  # skip if a gradient isn't finite
        optimizer.apply_gradients(zip(grads, weights, strict=True))
