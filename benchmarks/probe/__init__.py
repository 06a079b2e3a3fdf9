"""What recording costs in a training step, beside the same step without it."""

MEASURES = ("packages/scaleclip/src/scaleclip/probe", "packages/scaleclip/src/scaleclip/torch", "packages/scaleclip/src/scaleclip/ops/_norms.py", "packages/scaleclip/src/scaleclip/ops/clipping.py")
"""The paths that this benchmark measures."""
