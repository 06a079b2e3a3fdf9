"""Operators that leave a value alone and change its gradient."""

from gradlab.ops.clipping import clip_gradient
from gradlab.ops.scaling import reverse_gradient, scale_gradient, straight_through

__all__ = ["clip_gradient", "reverse_gradient", "scale_gradient", "straight_through"]
