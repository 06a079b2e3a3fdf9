"""Name the limits that a run sets itself: AutoClip, ZClip, and adaptive clipping (AGC).

They are given where a limit is given, and hold nothing but their settings:
``probe.clip_by_global_norm(probe.ZClip())`` in JAX, ``recorder.clip_by_global_norm_(ZClip())`` in
PyTorch. A recorder keeps as ``limits[n]`` what was in force in step n, so that the gradient was
multiplied by ``min(1, limits[n] / norms[n])``. A norm that is inf or NaN never counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

WARM_UP = 25
"""Steps whose norms ZClip takes its first mean and variance from, without clipping."""


@dataclass(frozen=True)
class AutoClip:
    """Clip to a percentile of the norms so far, the present one included.

    >>> from scaleclip.probe.limits import AutoClip
    >>> AutoClip(50)
    AutoClip(percentile=50, window=1000)

    Its authors take all norms from the first on. Here the last ``window`` count, because a state
    has one size: up to that many steps the limit is theirs, and then it follows the run.

    Attributes:
      percentile: 0 to 100; its authors recommend 10, which clips nine steps of ten.
      window: how many of the last finite norms count, 1 or more.

    Source: Seetharaman, Wichern, Pardo and Le Roux 2020 (arXiv 2007.14469).
    """

    percentile: float = 10.0
    window: int = 1000

    def __post_init__(self) -> None:
        _require(self, "percentile", Real, lambda p: 0 <= p <= 100, "a number from 0 to 100")
        _require(self, "window", int, lambda n: n >= 1, "a whole number of steps, 1 or more")


@dataclass(frozen=True)
class ZClip:
    """Clip norms that are far above their running mean, the farther out the shorter.

    >>> from scaleclip.probe.limits import ZClip
    >>> ZClip()
    ZClip(z_limit=2.5, alpha=0.97)

    A norm more than ``z_limit`` standard deviations above the mean, z of them, becomes mean +
    z_limit^2 / z standard deviations. The limit of such a step is what its norm becomes; in others
    it is where the clip would begin; for the first ``WARM_UP`` finite norms it is inf.

    Attributes:
      z_limit: where it begins, in standard deviations; above 0.
      alpha: the weight of the past in the running mean and variance, from 0 to below 1.

    Source: Kumar, Owen, Roy Chowdhury and Guera 2025 (arXiv 2504.02507), and their code, without
      its second, fixed limit.
    """

    z_limit: float = 2.5
    alpha: float = 0.97

    def __post_init__(self) -> None:
        _require(self, "z_limit", Real, lambda z: z > 0, "a number above 0")
        _require(self, "alpha", Real, lambda a: 0 <= a < 1, "a number from 0 to below 1")


@dataclass(frozen=True)
class AGC:
    """Clip each unit's gradient to ``clipping`` times the norm of its weights.

    >>> from scaleclip.probe.limits import AGC
    >>> AGC(0.02)
    AGC(clipping=0.02, eps=0.001, layout=None)

    As ``scaleclip.ops.clip_adaptively``. Its units have limits of their own: as the limit of a step
    counts the norm of the whole gradient after the clip if a unit was cut, else inf.

    Attributes:
      clipping: the largest ratio of gradient to weight, 0 or more.
      eps: what the norm of a unit's weights counts at least, 0 or more.
      layout: ``"in_out"`` or ``"out_in"``: whether a kernel has its outputs last, as in Flax and
        Keras, or first, as in Equinox and PyTorch. None guesses by rank in JAX, as published (last);
        in PyTorch it is ``"out_in"``.

    Source: Brock, De, Smith and Simonyan 2021 (arXiv 2102.06171), equation 3.
    """

    clipping: float = 0.01
    eps: float = 1e-3
    layout: Literal["in_out", "out_in"] | None = None

    def __post_init__(self) -> None:
        for name in ("clipping", "eps"):
            _require(self, name, Real, lambda value: value >= 0, "a number, 0 or more")
        if self.layout not in (None, "in_out", "out_in"):
            raise ValueError(
                f"AGC: layout must be 'in_out', 'out_in' or None, but {self.layout!r} was given."
            )


def _require(limit: Any, name: str, kind: type, holds: Any, expected: str) -> None:
    value = getattr(limit, name)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(
            f"{type(limit).__name__}: {name} must be {expected}, but {value!r} was given."
        )
    if not holds(value):
        raise ValueError(
            f"{type(limit).__name__}: {name} must be {expected}, but {value!r} was given."
        )
