from keras import ops


def scale_gradient(x, scale):
    stopped = ops.stop_gradient(x)
    return stopped + scale * (x - stopped)
