import torch

GRADIENTS = ([float("inf"), 1.0], [3.0, 4.0])
params = [torch.zeros(2, requires_grad=True) for _ in GRADIENTS]
for p, g in zip(params, GRADIENTS, strict=True):
    p.grad = torch.tensor(g)
norm = torch.nn.utils.clip_grad_norm_(params, max_norm=float("inf"))
print(f"norm:      {norm.item()}")
print(f"gradients: {[p.grad.tolist() for p in params]}")
print("expected:  [[inf, 1.0], [3.0, 4.0]], as they were")
