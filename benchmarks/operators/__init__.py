"""The operators beside Optax and beside the least that the memory allows."""

MEASURES = ("packages/scaleclip/src/scaleclip/ops",)
"""The paths that this benchmark measures."""
