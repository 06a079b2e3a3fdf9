"""The operators: scaling, clipping, constraining. One family a module."""

from scaleclip._extras import needed

with needed(__name__, "jax"):
    import jax as _jax  # noqa: F401

from scaleclip.ops._constrained import constrained
from scaleclip.ops.clipping import (
    clip_adaptively,
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_by_value,
    clip_gradient,
    clip_gradient_norm,
    clip_per_example,
    global_norm,
)
from scaleclip.ops.constraints import (
    max_norm,
    min_max_norm,
    non_negative,
    unit_norm,
)
from scaleclip.ops.scaling import reverse_gradient, scale_gradient, straight_through

__all__ = [
    "clip_adaptively",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_rms",
    "clip_by_value",
    "clip_gradient",
    "clip_gradient_norm",
    "clip_per_example",
    "constrained",
    "global_norm",
    "max_norm",
    "min_max_norm",
    "non_negative",
    "reverse_gradient",
    "scale_gradient",
    "straight_through",
    "unit_norm",
]
