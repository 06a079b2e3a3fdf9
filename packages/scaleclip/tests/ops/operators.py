"""The operators in tables: as functions of a vector and a limit, and of pytrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from scaleclip import ops


def pulled(operator: Callable[..., Any]) -> Callable[..., Any]:
    """Pull a cotangent back through an operator at a tensor."""

    def pull(cotangent: Any, *limits: Any, **how: Any) -> Any:
        at = lambda x: operator(x, *limits, **how)
        return jax.vjp(at, jax.tree.map(jnp.zeros_like, cotangent))[1](cotangent)[0]

    return pull


def by_global_norm(g: Any, c: Any, **how: Any) -> Any:
    clipped, _ = ops.clip_by_global_norm({"a": g[:1], "b": [g[1:]]}, c, **how)
    return jnp.concatenate([clipped["a"], *clipped["b"]])


# g -> g min(1, c / |g|), for a vector g
SHORTEN: dict[str, Callable[..., Any]] = {
    "clip_by_norm": ops.clip_by_norm,
    "clip_by_average_norm": lambda g, c, **how: ops.clip_by_average_norm(g, c / g.size, **how),
    "clip_by_rms": lambda g, c, **how: ops.clip_by_rms(g, c / g.size**0.5, **how),
    "clip_by_global_norm": by_global_norm,
    "clip_adaptively": lambda g, c, **how: ops.clip_adaptively(g, jnp.zeros_like(g), c, 1.0, **how),
    "clip_per_example": lambda g, c, **how: ops.clip_per_example(g[None], c, **how)[0],
    "clip_gradient_norm": pulled(ops.clip_gradient_norm),
    "max_norm": lambda g, c, **how: ops.max_norm(g, c, **how),
    "min_max_norm": lambda g, c, **how: ops.min_max_norm(g, 0.0, c, **how),
}

# The others that look at numbers, each at one limit.
BY_NORM = {name: lambda g, f=f, **how: f(g, 1.0, **how) for name, f in SHORTEN.items()} | {
    "max_norm with epsilon": lambda g, **how: ops.max_norm(g, 1.0, epsilon=1e-7, **how),
    "unit_norm": ops.unit_norm,
}
BY_ENTRY = {
    "clip_by_value": lambda g, **how: ops.clip_by_value(g, -1.0, 2.0, **how),
    "clip_gradient": lambda g, **how: pulled(ops.clip_gradient)(g, -1.0, 2.0, **how),
    "non_negative": ops.non_negative,
}

# Those at a tensor, which keep its value; and all, as functions of a pytree.
AT_TENSOR = {
    "scale_gradient": lambda t: ops.scale_gradient(t, 0.5),
    "reverse_gradient": ops.reverse_gradient,
    "clip_gradient": lambda t: ops.clip_gradient(t, -1.0, 1.0),
    "clip_gradient_norm": lambda t: ops.clip_gradient_norm(t, 1.0),
    "straight_through": lambda t: ops.straight_through(t, t),
}
EVERY = lambda path, leaf: True  # a vector in a pytree has no columns otherwise
TREES = AT_TENSOR | {
    "clip_by_norm": lambda t: ops.clip_by_norm(t, 1.0),
    "clip_by_average_norm": lambda t: ops.clip_by_average_norm(t, 1.0),
    "clip_by_rms": lambda t: ops.clip_by_rms(t, 1.0),
    "clip_by_global_norm": lambda t: ops.clip_by_global_norm(t, 1.0)[0],
    "clip_adaptively": lambda t: ops.clip_adaptively(t, t, 1.0),
    "clip_by_value": lambda t: ops.clip_by_value(t, -1.0, 1.0),
    "max_norm": lambda t: ops.max_norm(t, 1.0, axis=None, where=EVERY),
    "min_max_norm": lambda t: ops.min_max_norm(t, 0.0, 1.0, axis=None, where=EVERY),
    "unit_norm": lambda t: ops.unit_norm(t, axis=None, where=EVERY),
    "non_negative": ops.non_negative,
}
