import keras
from keras import ops


class PercentileClip(keras.optimizers.SGD):  # or another optimizer
    percent, keep = 99, 200

    def build(self, variables):
        super().build(variables)
        self.norms = self.add_variable((self.keep,), name="norms")  # zeros

    def apply(self, grads, trainable_variables=None):
        if not self.built:
            self.build(trainable_variables)
        # + 0 adds up rows that repeat, as an Embedding's may
        grads = [g if g is None else ops.add(g, 0) for g in grads]
        wide = [ops.cast(ops.abs(g), "float32") for g in grads if g is not None]
        norm = ops.sqrt(sum(ops.sum(g * g) for g in wide))
        counts = ops.logical_and(ops.isfinite(norm), norm > 0)
        norms = self.norms.value
        norms = ops.where(counts, ops.append(norms[1:], norm), norms)
        self.norms.assign(norms)
        missing = ops.sum(ops.cast(norms == 0, "float32"))  # sorted first
        rank = missing + self.percent / 100 * (self.keep - 1 - missing)
        limit = ops.take(ops.sort(norms), ops.cast(rank, "int32"))
        f = ops.where(norm > limit, limit / norm, 1.0)
        grads = [g if g is None else ops.cast(f, g.dtype) * g for g in grads]
        super().apply(grads, trainable_variables)
