"""The operators beside Optax and beside the least that the memory allows."""

MEASURES = ("gradlab/ops",)
"""The paths that this benchmark measures."""
