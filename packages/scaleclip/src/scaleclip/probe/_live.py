"""Clip by a limit that is fixed, or that the run sets itself, and say what was in force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops import clip_adaptively
from scaleclip.ops._arguments import norm_limit
from scaleclip.ops._norms import clip_joint_norm, clip_norms, joint_norms
from scaleclip.probe._grouped import Grouped
from scaleclip.probe.limits import AGC, WARM_UP, AutoClip, ZClip

Limit = ArrayLike | Callable[[Array], ArrayLike] | AutoClip | ZClip | AGC
"""A number, a schedule from the number of the step to it, or one that the run sets itself."""

State = dict[str, Array] | None
"""What a limit remembers; None if nothing."""


def begin(limit: Limit) -> State:
    """Return the state that a limit starts with."""
    count = jnp.zeros((), jnp.int32)
    if isinstance(limit, ZClip):
        return {"count": count, "mean": jnp.zeros(()), "variance": jnp.zeros(())}
    if isinstance(limit, AutoClip):
        return {"count": count, "norms": jnp.full(limit.window, jnp.inf)}
    return None


def clip(
    limit: Limit, found: Grouped, weights: tuple[Array, ...], step: Array, state: Any
) -> tuple[tuple[Array, ...], Array, Array, Array, Array, State]:
    """Clip leaves by the norm of all of them; those of AGC, each unit by its own.

    Args:
      limit: how.
      found: the leaves and their groups.
      weights: for AGC those that the leaves are gradients of; not used by others.
      step: int32 ``[]``; from 0.
      state: what ``begin`` and the step before returned.

    Returns:
      The leaves after the clip; before it the norm of all and those of the groups, ``[G]``; the limit
      that was in force; bool ``[]``, whether something was clipped; the limit's state.
    """
    leaves, axes, of = found.leaves, found.axes, found.numbers
    if isinstance(limit, AGC):
        how: Any = {"layout": limit.layout}
        clipped = clip_adaptively(leaves, weights, limit.clipping, limit.eps, **how)
        (norm, parts), (left, _) = (joint_norms(each, axes, of) for each in (leaves, clipped))
        both = zip(leaves, clipped, strict=True)
        cut = jnp.any(jnp.stack([jnp.any((a != b) & ((b == b) | jnp.isinf(a))) for a, b in both]))
        now = jnp.where(cut & jnp.isfinite(left.value), left.value, jnp.inf)
        return clipped, norm.value, parts, now, cut, state
    if isinstance(limit, AutoClip | ZClip):
        if jax.tree.map(jnp.shape, state) != jax.tree.map(jnp.shape, begin(limit)):
            raise ValueError(
                f"The state was made with another limit than {limit}, which has to remember norms. "
                "Carry it over, with the whole optimizer and its state: "
                "state = scaleclip.probe.adopt(state, tx, params)."
            )
        norm, parts = joint_norms(leaves, axes, of)
        follow: Any = _autoclip if isinstance(limit, AutoClip) else _zclip
        value = norm.value.astype(jnp.float32)
        now, after = follow(limit, state, value, jnp.isfinite(value))
        clipped = clip_norms(leaves, norm, axes, now)
        return clipped, norm.value, parts, now, value > now, after
    now = norm_limit(limit(step) if callable(limit) else limit, "max_norm")
    clipped, value, parts = clip_joint_norm(leaves, axes, now, groups=of)
    return clipped, value, parts, now, value > now, state


def _zclip(limit: ZClip, state: Any, norm: Array, finite: Array) -> tuple[Array, State]:
    """ZClip's limit for a norm, and its means with what it makes of it; see ``adaptive.zclip``."""
    count, mean, variance = state["count"], state["mean"], state["variance"]
    warm = count >= WARM_UP
    std = jnp.sqrt(variance)
    level = mean + limit.z_limit * std
    cut = mean + limit.z_limit**2 * (variance / jnp.maximum(norm - mean, std))
    now = jnp.where(warm, jnp.where(finite & (norm > level), cut, level), jnp.inf)
    # the plain mean and variance of the first norms, and running ones from there
    weight = jnp.where(finite, jnp.where(warm, 1 - limit.alpha, 1 / (count + 1)), 0)
    off = jnp.where(finite, jnp.minimum(norm, now) - mean, 0)
    left = jnp.where(warm, (1 - weight) * off, jnp.sqrt(1 - weight) * off)
    # the largest number where a square overflows: with inf the limit would be inf for ever
    after = jnp.nan_to_num((1 - weight) * variance + weight * left**2)
    return now, {"count": count + finite, "mean": mean + weight * off, "variance": after}


def _autoclip(limit: AutoClip, state: Any, norm: Array, finite: Array) -> tuple[Array, State]:
    """AutoClip's limit for a norm: a percentile, between two norms where it falls there."""
    row = jnp.where(finite, state["count"] % limit.window, limit.window)
    norms = state["norms"].at[row].set(norm, mode="drop")
    count = state["count"] + finite
    last = jnp.maximum(jnp.minimum(count, limit.window) - 1, 0)
    ordered = jnp.sort(norms)
    place = limit.percentile / 100 * last
    low = jnp.floor(place).astype(jnp.int32)
    below, above = ordered[low], ordered[jnp.minimum(low + 1, last)]
    between = below + (above - below) * (place - low)
    return jnp.where(count > 0, between, jnp.inf), {"count": count, "norms": norms}
