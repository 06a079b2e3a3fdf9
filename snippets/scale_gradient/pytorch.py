def scale_gradient(x, scale):
    stopped = x.detach()
    return stopped + scale * (x - stopped)
