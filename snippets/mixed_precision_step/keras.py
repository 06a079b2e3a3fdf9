import keras
from keras import ops


@keras.saving.register_keras_serializable("scaled")
class Scaled(keras.optimizers.LossScaleOptimizer):
    def apply(self, grads, trainable_variables=None):
        # + 0 adds up rows that repeat, as an Embedding's may
        grads = [g if g is None else ops.add(g, 0) for g in grads]
        super().apply(grads, trainable_variables)


def mixed_precision_step(optimizer, max_norm):
    if optimizer.clipnorm or optimizer.clipvalue:
        raise ValueError("the optimizer clips: give no clipnorm, no clipvalue")
    optimizer.global_clipnorm = max_norm
    # unscales, skips if a gradient isn't finite, and then calls the optimizer
    return Scaled(optimizer)
