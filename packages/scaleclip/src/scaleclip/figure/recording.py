"""The gradient norms of a training that was recorded, and a limit to drag across them."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import LogRange, Part, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from scaleclip.figure._ledger_numbers import general
from scaleclip.probe.recording import Recording
from scaleclip.probe.report import NEARLY_ALWAYS, PERCENTILES

SLICES = 160
"""Stretches of steps of which the shortest and the longest norm are drawn, where there are more."""
STEP = 0.01
"""The slider's, in decades."""


class RecordedNorms(Figure):
    """Norms of gradients on a logarithmic axis, and what a limit would make of them.

    >>> from scaleclip import probe
    >>> from scaleclip.figure import RecordedNorms
    >>> print(RecordedNorms(probe.load([0.3, 2.1, 0.8, 5.0]), limit=1.0).value["clipped"])
    2

    The norms are those of the run that was recorded: with another limit the weights, and so the
    norms, would have been others.

    Args:
      recording: from ``scaleclip.probe.read`` or ``load``; norms that are not finite, or 0, are left out.
      limit: where the limit starts: by default what was in force, or the 95th percentile.

    Raises:
      ValueError: if fewer than two norms are finite and above 0.
    """

    def __init__(self, recording: Recording, limit: float | None = None) -> None:
        self.spec = _spec(recording)
        settings: Any = {} if limit is None else {"limit": limit}
        super().__init__(**settings)

    @classmethod
    def display(
        cls, recording: Recording
    ) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook shows of a recording: its figure, and as plain text its table.

        One with fewer than two norms above 0 has no figure, and shows its text alone.
        """
        if np.sum(recording.finite > 0) < 2:
            return {"text/plain": repr(recording)}
        return cls(recording).shown_for(recording)

    def _python(self) -> list[str]:
        return ["figure.set(", ")"]


def _spec(recording: Recording) -> FigureSpec:
    known = np.isfinite(recording.norms) & (recording.norms > 0)
    steps, norms = recording.steps[known], recording.norms[known]
    if norms.size < 2:
        raise ValueError(
            f"The recording has {norms.size} norms that are finite and above 0; expected two or more."
        )
    left_out = len(recording.norms) - len(norms)
    drawn = _drawn(norms)
    stretch = math.ceil(len(norms) / SLICES)
    thinned = f" Of every {stretch} steps the shortest and the longest are drawn."
    low, high = _decades(norms)
    start, said = _in_force(recording, norms, low, high)
    marks = {p: _rounded(np.percentile(norms, p)) for p in PERCENTILES}

    def replay(limit: Array) -> dict[str, Array]:
        every, shown = jnp.asarray(norms), jnp.asarray(norms[drawn])
        clipped = jnp.sum(every > limit)
        share = 100 * clipped / len(norms)
        return {
            "steps": jnp.asarray(steps[drawn], float),
            "before": shown,
            "after": jnp.minimum(shown, limit),
            "clipped": clipped,
            "share": share,
            "kept": 100 * jnp.sum(jnp.minimum(every, limit)) / float(np.sum(norms)),
            "case": jnp.where(clipped == 0, 1, jnp.where(share > 100 * NEARLY_ALWAYS, 2, 0)),
        }

    cut = (
        "At c = {limit:,.3~g} the clip cuts {clipped:,.0f} of "
        f"{len(norms):,} steps ({{share:,.1f}}\N{NO-BREAK SPACE}%) and keeps {{kept:,.1f}}\N{NO-BREAK SPACE}% of their total length."
    )
    return FigureSpec(
        function=replay,
        controls=(
            LogRange("limit", "limit", "c", low, high, start, STEP, (low / 1e6, high * 1e6)),
        ),
        view=Profile(
            (
                Series("before", "before", "ink", "line", behind=True),
                Series("after", "after the clip", "cotangent", "line"),
            ),
            y=Axis((low, high), "log", label="norm of the gradient"),
            x=Axis((float(steps[0]), float(steps[-1])), label="step"),
            at="steps",
            thresholds=(Threshold("limit", "c = {limit:,.3~g}", drag="limit", beside=True),),
        ),
        title="Gradient norms, recorded",
        look="Drag the limit: what is above it would have been cut to it."
        + ("" if len(drawn) == len(norms) else thinned),
        sentences=(
            cut,
            f"No step is longer than c = {{limit:,.3~g}}: nothing is clipped. The longest is {general(norms.max())}.",
            cut + " Under SGD that is nearly a fixed step length: rate × c.",
        ),
        table=Table(
            columns=(("limit", "limit"), ("% clipped", "share"), ("% of length kept", "kept")),
            rows="replayed",
            count=1,
            general=True,
        ),
        parts={
            "before": Part("before", "A norm before the clip: {value:,.3~g}."),
            "after": Part("after", "After it: {value:,.3~g}."),
            "limit": Part(
                "share", "The limit c = {limit:,.3~g} clips {value:,.1f} % of the steps."
            ),
        },
        presets=tuple(Preset(f"{p}th percentile", {"limit": c}) for p, c in marks.items()),
        equation=(
            r"$g \to g \cdot \min(1, \class{limit}{\live{limit:,.3~g}} / \|g\|)$, "
            r"which cuts $\live{share:,.1f}$ % of the steps",
        ),
        note=(
            f"{said} The norms are those of the run that was recorded: with another limit the weights "
            "would have gone elsewhere, and so would the norms."
            + (f" {left_out:,} norms that are 0, inf or NaN are left out." if left_out else "")
        ),
    )


def _drawn(norms: np.ndarray) -> np.ndarray:
    """Which steps are drawn: all, or of each stretch the shortest and the longest."""
    if len(norms) <= 2 * SLICES:
        return np.arange(len(norms))
    stretches = np.array_split(np.arange(len(norms)), SLICES)
    ends = [part[f(norms[part])] for part in stretches for f in (np.argmin, np.argmax)]
    return np.unique(np.array([0, len(norms) - 1, *ends]))


def _decades(norms: np.ndarray) -> tuple[float, float]:
    """The ends of the axis: 1, 2 or 5 times a power of ten, outside of all norms but the very least."""
    least = max(float(norms.min()), float(np.percentile(norms, 1)) / 10)
    return _round(least, up=False), _round(float(norms.max()) * 1.0001, up=True)


def _round(value: float, up: bool) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    ends = [power * f for f in (1.0, 2.0, 5.0, 10.0)]
    return next(end for end in ends if end >= value) if up else max(e for e in ends if e <= value)


def _in_force(
    recording: Recording, norms: np.ndarray, low: float, high: float
) -> tuple[float, str]:
    """Where the slider starts, and what was in force, in words."""
    limits = recording.limits[np.isfinite(recording.limits)]
    if not limits.size:
        return _rounded(np.percentile(norms, 95)), "No limit was in force."
    last, first = float(limits[-1]), float(limits.min())
    named = (
        general(last) if first == limits.max() else f"{general(first)} to {general(limits.max())}"
    )
    start = last if low <= last <= high else _rounded(np.percentile(norms, 95))
    return start, f"The limit in force was {named}."


def _rounded(value: Any) -> float:
    return float(f"{float(value):.3g}")
