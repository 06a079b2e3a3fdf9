import tensorflow as tf


def clipped_step(loss, variables, batch, optimizer, max_norm):
    with tf.GradientTape() as tape:
        value = loss(batch)
    grads = tape.gradient(value, variables)  # compute
    # adds up rows that repeat, as an embedding's may
    grads = [g if g is None else tf.convert_to_tensor(g) for g in grads]
    grads, norm = tf.clip_by_global_norm(grads, max_norm)  # clip
    optimizer.apply_gradients(zip(grads, variables, strict=True))  # apply
    return norm  # for the log: the norm before the clip
