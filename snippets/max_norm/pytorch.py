import torch


@torch.no_grad()
def max_norm(w, limit):  # one norm for each unit of [out, in, ...]
    w.copy_(torch.renorm(w, p=2, dim=0, maxnorm=limit))


# after optimizer.step(): max_norm(layer.weight, 2.0)
