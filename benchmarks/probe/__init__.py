"""What recording costs in a training step, beside the same step without it."""

MEASURES = ("gradlab/probe", "gradlab/torch", "gradlab/ops/_norms.py", "gradlab/ops/clipping.py")
"""The paths that this benchmark measures."""
