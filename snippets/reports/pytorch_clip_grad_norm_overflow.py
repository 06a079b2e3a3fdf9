import torch

CASES = [  # gradient, its dtype, what is expected
    ([3e30, 4e30], torch.float32, "[0.6, 0.8]"),
    ([6e4, 6e4], torch.float16, "[0.7070, 0.7070]"),
    ([float("inf"), 1.0], torch.float32, "the same share of each entry, or a documented result"),
]
for entries, dtype, expected in CASES:
    p = torch.zeros(2, dtype=dtype, requires_grad=True)
    p.grad = torch.tensor(entries, dtype=dtype)
    norm = torch.nn.utils.clip_grad_norm_([p], max_norm=1.0)
    print(f"{dtype}, {entries}, max_norm 1")
    print(f"  norm:     {norm.item()}")
    print(f"  clipped:  {p.grad.tolist()}")
    print(f"  expected: {expected}")
