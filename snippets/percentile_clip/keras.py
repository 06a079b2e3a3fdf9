import keras
from keras import ops


class PercentileClip(keras.optimizers.SGD):  # or another optimizer
    percent, keep = 95, 1000

    def build(self, variables):
        super().build(variables)
        self.norms = self.add_variable((self.keep,), name="norms")  # zeros

    def apply(self, grads, trainable_variables=None):
        if not self.built:
            self.build(trainable_variables)
        norm = ops.sqrt(sum(ops.sum(ops.square(g)) for g in grads))
        counts = ops.logical_and(ops.isfinite(norm), norm > 0)
        norms = self.norms.value
        norms = ops.where(counts, ops.append(norms[1:], norm), norms)
        self.norms.assign(norms)
        missing = ops.sum(ops.cast(norms == 0, "float32"))  # sorted first
        rank = missing + self.percent / 100 * (self.keep - 1 - missing)
        limit = ops.take(ops.sort(norms), ops.cast(rank, "int32"))
        factor = ops.where(norm > limit, limit / norm, 1.0)
        super().apply([factor * g for g in grads], trainable_variables)
