import keras
from keras import ops
from pasted import clip_norm_at_state, scale_gradient


class ScaleGradient(keras.layers.Layer):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def call(self, x):
        return scale_gradient(x, self.scale)


class ClipNormAtState(keras.layers.Layer):
    def __init__(self, max_norm, **kwargs):
        super().__init__(**kwargs)
        self.max_norm = max_norm

    def call(self, h):
        return clip_norm_at_state(h, self.max_norm)


class UpdateWeights(keras.Model):  # compile, then train_on_batch(batch)
    def __init__(self, network, weight_decay):
        super().__init__()
        self.network, self.weight_decay = network, weight_decay
        self.scale_state = ScaleGradient(0.5)
        self.clip_root = ClipNormAtState(5.0)
        self.clip_step = ClipNormAtState(1.0)
        self.built = True

    def call(self, batch):
        images, actions, *targets = batch  # [B, K] and [B, K + 1, ...]

        def step_loss(k, value, reward, logits):  # [B]
            true_value, true_reward, true_policy = (t[:, k] for t in targets)
            errors = (value - true_value) ** 2 + (reward - true_reward) ** 2
            entropy = ops.categorical_crossentropy(true_policy, logits, True)
            return errors + entropy

        steps = actions.shape[1]
        unroll = self.network.recurrent_inference
        *heads, hidden_state = self.network.initial_inference(images)
        loss = step_loss(0, *heads)
        hidden_state = self.clip_root(hidden_state)  # one clip
        for k in range(steps):
            *heads, hidden_state = unroll(hidden_state, actions[:, k])
            loss += scale_gradient(step_loss(k + 1, *heads), 1 / steps)
            hidden_state = self.scale_state(hidden_state)  # MuZero's line
            hidden_state = self.clip_step(hidden_state)  # another

        loss = ops.sum(loss)
        for weights in self.network.trainable_variables:
            loss += self.weight_decay * ops.sum(weights**2) / 2
        self.add_loss(loss)
        return loss
