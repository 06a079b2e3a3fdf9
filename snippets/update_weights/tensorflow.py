import tensorflow as tf
from pasted import clip_norm_at_state, scale_gradient


def update_weights(optimizer, network, batch, weight_decay):
    images, actions, *targets = batch  # [B, K] and [B, K + 1, ...]

    def step_loss(k, value, reward, logits):  # [B]
        true_value, true_reward, true_policy = (t[:, k] for t in targets)
        errors = (value - true_value) ** 2 + (reward - true_reward) ** 2
        entropy = tf.nn.softmax_cross_entropy_with_logits(true_policy, logits)
        return errors + entropy

    steps = actions.shape[1]
    with tf.GradientTape() as tape:
        unroll = network.recurrent_inference
        *heads, hidden_state = network.initial_inference(images)
        loss = step_loss(0, *heads)
        hidden_state = clip_norm_at_state(hidden_state, 5.0)  # one clip
        for k in range(steps):
            *heads, hidden_state = unroll(hidden_state, actions[:, k])
            loss += scale_gradient(step_loss(k + 1, *heads), 1 / steps)
            hidden_state = scale_gradient(hidden_state, 0.5)  # MuZero's line
            hidden_state = clip_norm_at_state(hidden_state, 1.0)  # another

        loss = tf.reduce_sum(loss)
        for weights in network.trainable_variables:
            loss += weight_decay * tf.nn.l2_loss(weights)

    weights = network.trainable_variables
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights, strict=True))
    return loss
