from keras import ops, optimizers


class ClippedSGD(optimizers.SGD):
    def build(self, variables):
        super().build(variables)
        self.norm = self.add_variable((), name="norm")

    def apply(self, grads, trainable_variables=None):
        super().apply(grads, trainable_variables)
        squares = [ops.sum(ops.square(g)) for g in grads if g is not None]
        self.norm.assign(ops.sqrt(sum(squares)))


def clipped_step(model, x, y):
    model.train_on_batch(x, y)  # compute, clip, apply
    return model.optimizer.norm  # for the log: the norm before the clip


# model.compile(ClippedSGD(learning_rate, global_clipnorm=max_norm), loss)
