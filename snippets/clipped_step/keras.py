from keras import ops, optimizers


class ClippedSGD(optimizers.SGD):
    def build(self, variables):
        super().build(variables)
        self.norm = self.add_variable((), name="norm")

    def apply(self, grads, trainable_variables=None):
        super().apply(grads, trainable_variables)
        squares = [ops.sum(ops.square(g)) for g in grads]
        self.norm.assign(ops.sqrt(sum(squares)))  # before the clip, for a log


# model.compile(ClippedSGD(0.1, global_clipnorm=1.0), loss)
