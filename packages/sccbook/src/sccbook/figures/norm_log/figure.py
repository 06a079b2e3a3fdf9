"""Gradient norms of three real trainings, a limit to drag, and two limits that set themselves."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from scaleclip.probe.adaptive import autoclip, zclip
from sccbook.records import load

RUNS = ("language", "recurrent", "policy")
"""A small transformer with AdamW, the network of ``recall`` with SGD, REINFORCE with Adam."""
BY = ("fixed", "autoclip", "zclip")
LOW, HIGH = 0.2, 60.0
SLICE = 10
"""Of so many steps the shortest and the longest norm are drawn."""
ENDS = 100
"""So many steps at the start, and at the end, are counted by themselves."""

NORMS = np.array([load("norm_logs")["logs"][name]["norms"] for name in RUNS])
COUNT = NORMS.shape[1]
PLACES = np.arange(COUNT // SLICE) * SLICE
STEPS = np.ravel(PLACES[:, None] + np.array([0.25, 0.75]) * SLICE + 0.5)
_AUTOCLIP = np.stack([autoclip(norms) for norms in NORMS])
LEVELS = np.array([[float(f"{x:.3g}") for x in levels[::SLICE]] for levels in _AUTOCLIP])
"""AutoClip's limit at each tenth step: that is where it is drawn."""


def _counts(norms: Any, after: Any, xp: Any) -> list[Any]:
    """The share clipped, in per cent, the length kept, and how many of the first and the last steps."""
    clipped = after < norms
    share, kept = 100 * xp.sum(clipped) / len(norms), 100 * xp.sum(after) / xp.sum(norms)
    return [share, kept, xp.sum(clipped[:ENDS]), xp.sum(clipped[-ENDS:])]


BY_AUTOCLIP = np.array(
    [_counts(n, np.minimum(n, c), np) for n, c in zip(NORMS, _AUTOCLIP, strict=True)]
)
P95 = np.percentile(NORMS, 95, axis=1)


def _ends(values: Array) -> Array:
    """The least and the largest of each slice, one after the other, where the picture has room."""
    slices = values.reshape(-1, SLICE)
    return jnp.clip(jnp.stack([slices.min(axis=1), slices.max(axis=1)], axis=1).ravel(), LOW, HIGH)


def replay(run: Array, by: Array, limit: Array) -> dict[str, Array]:
    """Compute what a limit, or AutoClip, or ZClip, makes of a log of norms.

    Args:
      run: int ``[]``; a place in ``RUNS``.
      by: int ``[]``; a place in ``BY``.
      limit: float ``[]``; the fixed limit.

    Returns:
      ``steps``, ``before``, ``after`` ``[200]``: the norms that are drawn, before and after, and
      where; ``places``, ``level`` ``[100]``: where AutoClip or ZClip begins to clip; ``adaptive``
      ``[]``, whether one is chosen; ``share``, ``kept``, ``early``, ``late`` ``[3]``: by the fixed
      limit, AutoClip and ZClip, how many per cent of the steps are clipped, how many of all length
      are left, and how many of the first and of the last 100 steps are clipped; with ``_now``, that
      of the chosen; ``answer``, the 95th percentile; ``case``.
    """
    norms = jnp.asarray(NORMS)[run]
    levels = jnp.asarray(LEVELS)[run]
    begins, left = zclip(norms)
    fixed = jnp.minimum(norms, limit)
    automatic = jnp.minimum(norms, jnp.repeat(levels, SLICE))
    every = jnp.stack(
        [
            jnp.stack(_counts(norms, fixed, jnp)),
            jnp.asarray(BY_AUTOCLIP)[run],
            jnp.stack(_counts(norms, left, jnp)),
        ]
    )
    now = every[by]
    return {
        "steps": jnp.asarray(STEPS),
        "places": jnp.asarray(PLACES + 1.0),
        "before": _ends(norms),
        "after": _ends(jnp.where(by == 0, fixed, jnp.where(by == 1, automatic, left))),
        "level": jnp.clip(jnp.where(by == 1, levels, begins[::SLICE]), LOW, HIGH),
        "adaptive": (by > 0).astype(int),
        "share": every[:, 0],
        "kept": every[:, 1],
        "early": every[:, 2],
        "late": every[:, 3],
        "share_now": now[0],
        "kept_now": now[1],
        "early_now": now[2],
        "late_now": now[3],
        "answer": jnp.asarray(P95)[run],
        "case": by,
    }


_CUTS = (
    " clips {share_now:,.1f}\N{NO-BREAK SPACE}% of the steps, {early_now:,.0f} of the first 100 and "
    "{late_now:,.0f} of the last, and keeps {kept_now:,.1f}\N{NO-BREAK SPACE}% of their total length."
)


class NormLog(Figure):
    """Norms of three trainings, with a fixed limit, AutoClip or ZClip.

    Args:
      run: ``"language"`` (the default), ``"recurrent"`` or ``"policy"``.
      by: ``"fixed"`` (the default), ``"autoclip"`` or ``"zclip"``.
      limit: the fixed limit, in [0.2, 60], default 1.
    """

    spec = FigureSpec(
        function=replay,
        controls=(
            Choice(
                "run",
                "training",
                options=(
                    ("language", "transformer, AdamW"),
                    ("recurrent", "recurrent network, SGD"),
                    ("policy", "policy gradient, Adam"),
                ),
            ),
            Choice(
                "by",
                "clip by",
                options=tuple(zip(BY, ("a fixed c", "AutoClip", "ZClip"), strict=True)),
            ),
            LogRange("limit", "limit", "c", LOW, HIGH, 1.0, 0.01),
        ),
        view=Profile(
            (
                Series("before", "before", "ink", "line", behind=True),
                Series("after", "after the clip", "cotangent", "line"),
                Series("level", "begins to clip", "state", "line", at="places", when="adaptive"),
            ),
            y=Axis((LOW, HIGH), "log", label="norm of the gradient"),
            x=Axis((0.0, float(COUNT)), label="step"),
            at="steps",
            thresholds=(Threshold("limit", "c = {limit:,.3~g}", drag="limit", beside=True),),
            level=True,
            plot=250,
        ),
        title="Which limit?",
        look="Drag the line c. Then choose another training, or a limit that sets itself.",
        sentences=(
            "c = {limit:,.3~g}" + _CUTS,
            "AutoClip" + _CUTS,
            "ZClip" + _CUTS,
        ),
        table=Table(
            columns=(
                ("% clipped", "share"),
                ("of the first 100", "early"),
                ("of the last 100", "late"),
                ("% of length kept", "kept"),
            ),
            rows=("fixed c", "AutoClip", "ZClip"),
            count=3,
            general=True,
        ),
        presets=(
            Preset("transformer, c = 1", {"run": "language", "by": "fixed", "limit": 1.0}),
            Preset("AutoClip", {"run": "language", "by": "autoclip"}),
            Preset("ZClip", {"run": "language", "by": "zclip"}),
        ),
        stills=(
            {"run": "language", "limit": 1.0},
            {"run": "recurrent", "limit": 1.0},
            {"run": "language", "by": "zclip"},
        ),
        parts={
            "before": Part(
                "before",
                "The norms before the clip: of every ten steps the shortest and the longest.",
            ),
            "after": Part("after", "The same after it."),
            "level": Part("level", "Where it begins to clip."),
            "limit": Part("limit", "The fixed limit is {limit:,.3~g}."),
        },
        prediction=Prediction(
            "1,000 steps of a small transformer, which nothing clipped. Which limit would have clipped 5 % of "
            "them? Drag the level.",
            answer="answer",
            how="number",
            settings={"run": "language", "by": "fixed"},
            conceals=(
                *(
                    "share",
                    "kept",
                    "early",
                    "late",
                    "share_now",
                    "kept_now",
                    "early_now",
                    "late_now",
                ),
                *("answer", "case"),
            ),
            guess=LogRange("guess", "your guess", "", 0.2, 60.0, 5.0, 0.01),
            reveal="The 95th percentile is {answer:.3g}. Half of the steps above it lie in the first 100, while the "
            "learning rate still grows.",
        ),
        note=(
            "Recorded by <code>scaleclip.probe</code>, one run each, and nothing was clipped: with a clip the weights, "
            "and so the norms, would have been different. Of every ten steps the shortest and the longest norm are "
            "drawn; all are counted. Norms below 0.2, zeros too, are drawn at the lower edge, those above 60 at the "
            "upper. The transformer (two blocks, 64 wide) learns to predict the letters of Python’s manual, and its "
            "rate grows for 100 steps. The recurrent network is chapter 12’s, at the rate at which it fails. The "
            "policy plays Catch. AutoClip’s limit is the 10th percentile of all norms so far. ZClip begins 2.5 "
            "standard deviations above a running mean: the farther out a norm is, the shorter it becomes."
        ),
    )
