def hook_at_state(step, head, h, inputs, scale, on_view):
    total = 0.0
    for x in inputs:
        h = step(h, x)
        total = total + head(h)
        if on_view:
            h = h.view_as(h)  # a tensor that only the next step reads
        if h.requires_grad:
            h.register_hook(lambda grad: grad * scale)
    return total
