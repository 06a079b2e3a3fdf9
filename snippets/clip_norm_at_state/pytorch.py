def clip_norm_at_state(h, max_norm):
    def clipped(grad):
        norm = grad.norm(dim=-1, keepdim=True)
        return grad * (max_norm / norm).clamp(max=1)

    y = h.view_as(h)  # so that the hook leaves other uses of h alone
    if y.requires_grad:
        y.register_hook(clipped)
    return y
