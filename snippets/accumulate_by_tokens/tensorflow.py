import tensorflow as tf


def accumulate_by_tokens(loss_sum, model, batches, tokens, optimizer, max_norm):
    weights = model.trainable_variables
    total = [tf.zeros_like(w) for w in weights]
    for batch in batches:
        with tf.GradientTape() as tape:
            share = loss_sum(model, batch) / sum(tokens)  # by all tokens
        grads = tape.gradient(share, weights, None, "zero")  # not None
        total = [t + g for t, g in zip(total, grads, strict=True)]
    grads, norm = tf.clip_by_global_norm(total, max_norm)  # clip, once
    optimizer.apply_gradients(zip(grads, weights, strict=True))
    return norm
