import torch


@torch.no_grad()
def max_norm(w, limit, axis=1):  # a Linear's weight is [out, in]
    norm = torch.linalg.vector_norm(w, dim=axis, keepdim=True)
    w.mul_((limit / norm).clamp(max=1))


# after optimizer.step(): max_norm(layer.weight, 2.0)
