from keras import ops


def clip_norm_at_state(h, max_norm):
    def clipped(*args, upstream=None):  # upstream: on the PyTorch backend
        grad = args[0] if upstream is None else upstream
        norm = ops.sqrt(ops.sum(grad * grad, axis=-1, keepdims=True))
        return grad * ops.clip(max_norm / norm, 0, 1)

    return ops.custom_gradient(lambda h: (h, clipped))(h)
