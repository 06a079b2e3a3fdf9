from keras import ops


def ppo(log_new, log_old, advantage, epsilon=0.2):
    r = ops.exp(ops.minimum(log_new - log_old, 20))  # finite in float32
    kept = ops.clip(r, 1 - epsilon, 1 + epsilon)
    return -ops.mean(ops.minimum(r * advantage, kept * advantage))


def cispo(log_new, log_old, advantage, epsilon=0.2):
    r = ops.exp(log_new - log_old)
    weight = ops.stop_gradient(ops.minimum(r, 1 + epsilon))
    return -ops.mean(weight * advantage * log_new)
