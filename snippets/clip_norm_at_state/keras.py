from keras import ops


def clip_norm_at_state(h, max_norm):
    def clipped(*args, upstream=None):  # upstream: on the PyTorch backend
        grad = args[0] if upstream is None else upstream
        grad = ops.add(grad, 0)  # adds up rows that repeat
        narrow = any(n in str(grad.dtype) for n in ("16", "float8"))
        wide = ops.cast(grad, "float32") if narrow else grad
        norm = ops.sqrt(ops.sum(wide * wide, axis=-1, keepdims=True))
        return ops.cast(wide * ops.clip(max_norm / norm, 0, 1), grad.dtype)

    return ops.custom_gradient(lambda h: (h, clipped))(h)
