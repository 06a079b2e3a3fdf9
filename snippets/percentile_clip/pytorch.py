import torch


def percentile_clip(parameters, norms, percent=99, keep=200):
    parameters = [p for p in parameters if p.grad is not None]
    wide = torch.promote_types  # a float16 norm ends at 65,504
    grads = [p.grad.to(wide(p.grad.dtype, torch.float)) for p in parameters]
    norm = torch.nn.utils.get_total_norm(grads)
    if norm.isfinite() and norm > 0:
        norms.append(norm)  # a list that is kept from step to step
        del norms[:-keep]
        c = torch.stack(norms).quantile(percent / 100, interpolation="lower")
        torch.nn.utils.clip_grads_with_norm_(parameters, c, norm)
    return norm  # for the log: the norm before the clip


# after backward(), before optimizer.step()
