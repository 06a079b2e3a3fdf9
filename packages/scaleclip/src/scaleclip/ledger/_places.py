"""The four places that the scale has in public code. This part needs NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np

PLACEMENTS = ("after_heads", "every_input", "before_heads", "off")
"""Places of the scale s in the unroll of h_j = step(h_{j-1}).

- ``"after_heads"``: after the heads have read h_j, before the next step; never at the
  root. The pseudocode of MuZero (Schrittwieser et al. 2020).
- ``"every_input"``: at the input of every step, the root's too. The paper's prose, read
  literally; muax.
- ``"before_heads"``: at the output of every step, before the heads read it.
  muzero-general, EfficientZero, jax_muzero.
- ``"off"``: nowhere. LightZero, where the line is commented out.
"""


def check_placement(placement: Any) -> str:
    """Return ``placement``, if it is one of ``PLACEMENTS``.

    Raises:
      ValueError: if it is not.
    """
    if not isinstance(placement, str) or placement not in PLACEMENTS:
        raise ValueError(
            f"placement must be one of {', '.join(map(repr, PLACEMENTS))}, but {placement!r} was given."
        )
    return str(placement)


def factors(
    steps: int, factor: Any, placement: str, weights: Any, library: Any = np
) -> tuple[Any, Any]:
    """Compute what ``coefficients`` returns, from arguments that have been checked.

    Args:
      steps: K.
      factor: s; 1 where the placement is ``"off"``.
      placement: one of ``PLACEMENTS``.
      weights: float ``[K]``.
      library: what computes it: ``numpy``, or ``jax.numpy`` where an argument may be traced.

    Returns:
      Arrays ``[K, K]`` and ``[K]``.
    """
    k = library.arange(1, steps + 1)
    passed = k[:, None] - k[None, :] + (1 if placement == "before_heads" else 0)
    below = k[:, None] >= k[None, :]
    through = library.where(below, factor ** library.where(below, passed, 0), 0.0)
    root = factor ** (k - 1 if placement == "after_heads" else k)
    return weights[:, None] * through, weights * root
