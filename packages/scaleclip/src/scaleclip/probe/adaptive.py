"""Replay the limits of a run that sets them itself, from its norms: AutoClip and ZClip."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from scaleclip.probe.limits import WARM_UP, ZClip


def autoclip(norms: np.ndarray, percentile: float = 10.0) -> np.ndarray:
    """Return AutoClip's limit at each step: a percentile of all norms so far, this one included.

    Args:
      norms: float ``[n]``, before the clip.
      percentile: 0 to 100; its authors recommend 10.

    Returns:
      float ``[n]``.

    Source: Seetharaman, Wichern, Pardo and Le Roux 2020 (arXiv 2007.14469), and their code.
    """
    return np.array([np.percentile(norms[: n + 1], percentile) for n in range(len(norms))])


def zclip(
    norms: ArrayLike, z_limit: float = ZClip.z_limit, alpha: float = ZClip.alpha
) -> tuple[Array, Array]:
    """Return where ZClip begins to act at each step, and what it makes of each norm.

    It keeps running means of the norm and of its variance. A norm more than ``z_limit`` standard
    deviations above the mean, z of them, becomes mean + z_limit^2 / z standard deviations: the
    farther out, the shorter. The means then take in what was made of it.

    Args:
      norms: float ``[n]``, before the clip; may be traced.
      z_limit, alpha: where it begins, and the weight of the past; by default as in the authors' code.

    Returns:
      Two arrays, float ``[n]``; where it begins is inf for the first ``WARM_UP`` steps.

    Source: Kumar, Owen, Roy Chowdhury and Guera 2025 (arXiv 2504.02507), and their code, without its
      second, fixed limit.
    """
    norms = jnp.asarray(norms, float)
    first = norms[:WARM_UP]

    def step(carry: tuple[Array, Array], norm: Array) -> Any:
        mean, variance = carry
        std = jnp.sqrt(variance)
        level = mean + z_limit * std
        # z standard deviations above the mean, where it is above the level
        cut = mean + z_limit**2 * variance / jnp.maximum(norm - mean, std)
        after = jnp.where(norm > level, cut, norm)
        mean = alpha * mean + (1 - alpha) * after
        variance = alpha * variance + (1 - alpha) * (after - mean) ** 2
        return (mean, variance), (level, after)

    start = jnp.mean(first), jnp.mean((first - jnp.mean(first)) ** 2)
    _, (begins, after) = jax.lax.scan(step, start, norms[WARM_UP:])
    none = jnp.full_like(first, jnp.inf)
    return jnp.concatenate([none, begins]), jnp.concatenate([first, after])
