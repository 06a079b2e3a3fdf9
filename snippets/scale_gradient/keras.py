from keras import ops, tree


def scale_gradient(x, scale):  # x: a tensor, or a structure of tensors
    def scaled(x):
        if "int" in str(x.dtype):  # has no gradient
            return x
        stopped = ops.stop_gradient(x)
        return stopped + scale * (x - stopped)

    return tree.map_structure(scaled, x)
