"""PyTorch's clips on four processes, and its loss scale: what they measure."""
