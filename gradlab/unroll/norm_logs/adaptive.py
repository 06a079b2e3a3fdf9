"""Limits that a run sets itself, from the norms that it has seen: AutoClip and ZClip."""

from __future__ import annotations

import numpy as np

WARM_UP = 25
"""Steps whose norms ZClip takes its first mean and variance from, without clipping."""


Z_LIMIT, ALPHA = 2.5, 0.97
"""ZClip's defaults: where it begins, and the weight of the past in its running means."""


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
    norms: np.ndarray, z_limit: float = Z_LIMIT, alpha: float = ALPHA
) -> tuple[np.ndarray, np.ndarray]:
    """Return where ZClip begins to act at each step, and what it makes of each norm.

    It keeps running means of the norm and of its variance. A norm more than ``z_limit`` standard
    deviations above the mean, z of them, becomes mean + z_limit^2 / z standard deviations: the
    farther out, the shorter. The means then take in what was made of it.

    Args:
      norms: float ``[n]``, before the clip.
      z_limit, alpha: the defaults of the authors' code.

    Returns:
      Two arrays, float ``[n]``; where it begins is inf for the first ``WARM_UP`` steps.

    Source: Kumar, Owen, Roy Chowdhury and Guera 2025 (arXiv 2504.02507), and their code, without its
      second, fixed limit.
    """
    mean, variance = float(np.mean(norms[:WARM_UP])), float(np.var(norms[:WARM_UP]))
    begins, after = np.full(len(norms), np.inf), np.array(norms, float)
    for n in range(WARM_UP, len(norms)):
        std = np.sqrt(variance)
        begins[n] = mean + z_limit * std
        if norms[n] > begins[n]:
            z = (norms[n] - mean) / std
            after[n] = mean + z_limit**2 / z * std
        mean = alpha * mean + (1 - alpha) * after[n]
        variance = alpha * variance + (1 - alpha) * (after[n] - mean) ** 2
    return begins, after
