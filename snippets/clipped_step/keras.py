from keras import ops, optimizers


class ClippedSGD(optimizers.SGD):
    def build(self, variables):
        super().build(variables)
        self.norm = self.add_variable((), name="norm")

    def apply(self, grads, trainable_variables=None):
        # + 0 adds up rows that repeat, as an Embedding's may
        grads = [g if g is None else ops.add(g, 0) for g in grads]
        super().apply(grads, trainable_variables)
        wide = [ops.cast(ops.abs(g), "float32") for g in grads if g is not None]
        self.norm.assign(ops.sqrt(sum(ops.sum(g * g) for g in wide)))


def clipped_step(model, x, y):
    model.train_on_batch(x, y)  # compute, clip, apply
    return model.optimizer.norm  # for the log: the norm before the clip


# model.compile(ClippedSGD(learning_rate, global_clipnorm=max_norm), loss)
