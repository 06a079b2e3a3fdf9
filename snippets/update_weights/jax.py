import jax
import jax.numpy as jnp
import optax
from pasted import clip_norm_at_state, scale_gradient


def update_weights(optimizer, state, network, params, batch, weight_decay):
    images, actions, *targets = batch  # [B, K] and [B, K + 1, ...]

    def step_loss(k, value, reward, logits):  # [B]
        true_value, true_reward, true_policy = (t[:, k] for t in targets)
        errors = (value - true_value) ** 2 + (reward - true_reward) ** 2
        return errors + optax.softmax_cross_entropy(logits, true_policy)

    def loss_of(params):
        steps = actions.shape[1]
        unroll = network.recurrent_inference
        *heads, hidden_state = network.initial_inference(params, images)
        loss = step_loss(0, *heads)
        hidden_state = clip_norm_at_state(hidden_state, 5.0)  # one clip
        for k in range(steps):
            *heads, hidden_state = unroll(params, hidden_state, actions[:, k])
            loss += scale_gradient(step_loss(k + 1, *heads), 1 / steps)
            hidden_state = scale_gradient(hidden_state, 0.5)  # MuZero's line
            hidden_state = clip_norm_at_state(hidden_state, 1.0)  # another

        decay = sum(jnp.sum(w**2) / 2 for w in jax.tree.leaves(params))
        return loss.sum() + weight_decay * decay

    loss, gradients = jax.value_and_grad(loss_of)(params)
    updates, state = optimizer.update(gradients, state, params)
    return loss, optax.apply_updates(params, updates), state
