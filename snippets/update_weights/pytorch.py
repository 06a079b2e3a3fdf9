from pasted import clip_norm_at_state, scale_gradient
from torch.nn.functional import cross_entropy


def update_weights(optimizer, network, batch, weight_decay):
    images, actions, *targets = batch  # [B, K] and [B, K + 1, ...]

    def step_loss(k, value, reward, logits):  # [B]
        true_value, true_reward, true_policy = (t[:, k] for t in targets)
        errors = (value - true_value) ** 2 + (reward - true_reward) ** 2
        entropy = cross_entropy(logits, true_policy, reduction="none")
        return errors + entropy

    steps = actions.shape[1]
    unroll = network.recurrent_inference
    *heads, hidden_state = network.initial_inference(images)
    loss = step_loss(0, *heads)
    hidden_state = clip_norm_at_state(hidden_state, 5.0)  # one clip
    for k in range(steps):
        *heads, hidden_state = unroll(hidden_state, actions[:, k])
        loss = loss + scale_gradient(step_loss(k + 1, *heads), 1 / steps)
        hidden_state = scale_gradient(hidden_state, 0.5)  # MuZero's line
        hidden_state = clip_norm_at_state(hidden_state, 1.0)  # another

    loss = loss.sum()
    for weights in network.parameters():
        loss = loss + weight_decay * weights.square().sum() / 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()
