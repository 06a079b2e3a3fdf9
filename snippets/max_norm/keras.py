import keras
from keras import ops


@keras.saving.register_keras_serializable("exact")
class ExactMaxNorm(keras.constraints.MaxNorm):
    def __call__(self, w):  # without the epsilon
        norm = ops.sqrt(ops.sum(w * w, axis=self.axis, keepdims=True))
        return w * ops.minimum(self.max_value / norm, 1)


max_norm = ExactMaxNorm(2.0)
# keras.layers.Dense(64, kernel_constraint=max_norm)
