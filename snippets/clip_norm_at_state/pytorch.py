import torch


class ClipNormAtState(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, max_norm):
        ctx.max_norm = max_norm
        return h.view_as(h)

    @staticmethod
    def backward(ctx, grad):
        norm = grad.norm(dim=-1, keepdim=True)
        return grad * (ctx.max_norm / norm).clamp(max=1), None


clip_norm_at_state = ClipNormAtState.apply
