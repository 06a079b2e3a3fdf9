import keras


def mixed_precision_step(optimizer, max_norm):
    optimizer.global_clipnorm = max_norm
    # unscales, skips if a gradient isn't finite, and then calls the optimizer
    return keras.optimizers.LossScaleOptimizer(optimizer)
