def scale_gradient(x, scale):
    if not (x.is_floating_point() or x.is_complex()):  # has no gradient
        return x
    stopped = x.detach()
    return stopped + scale * (x - stopped)
