from keras import ops


def clip_norm_at_state(h, max_norm):
    def clipped(*args, upstream=None):  # upstream: on the PyTorch backend
        grad = args[0] if upstream is None else upstream
        wide = ops.cast(grad, "float32") if "16" in str(grad.dtype) else grad
        norm = ops.sqrt(ops.sum(wide * wide, axis=-1, keepdims=True))
        return ops.cast(wide * ops.clip(max_norm / norm, 0, 1), grad.dtype)

    return ops.custom_gradient(lambda h: (h, clipped))(h)
