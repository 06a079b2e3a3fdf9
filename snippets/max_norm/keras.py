import keras
from keras import ops


@keras.saving.register_keras_serializable("exact")
class ExactMaxNorm(keras.constraints.MaxNorm):
    def __call__(self, w):  # without the epsilon, and in float32 at least
        narrow = any(n in str(w.dtype) for n in ("16", "float8"))
        wide = ops.cast(w, "float32") if narrow else w
        norm = ops.sqrt(ops.sum(wide * wide, axis=self.axis, keepdims=True))
        return ops.cast(wide * ops.minimum(self.max_value / norm, 1), w.dtype)


max_norm = ExactMaxNorm(2.0)
# keras.layers.Dense(64, kernel_constraint=max_norm)
