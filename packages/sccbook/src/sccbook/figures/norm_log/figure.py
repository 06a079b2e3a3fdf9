"""Gradient norms of three real trainings, a limit to drag, and two limits that set themselves."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, LogRange, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from scaleclip.probe.adaptive import autoclip, zclip
from sccbook.records import load

RUNS = ("language", "recurrent", "policy")
"""A small transformer with AdamW, the network of ``recall`` with SGD, REINFORCE with Adam."""
BY = ("fixed", "autoclip", "zclip")
LOW, HIGH = 0.2, 20.0
SPAN = (0.14, 25.0)
"""What is drawn: limits from LOW to HIGH are within it, and zeros are at its lower end."""
SLICE = 10
"""So many steps are drawn as one block, from their smallest norm to their largest."""
ENDS = 100
"""So many steps at the start, and at the end, are counted by themselves."""

NORMS = np.array([load("norm_logs")["logs"][name]["norms"] for name in RUNS])
COUNT = NORMS.shape[1]
EDGES = np.repeat(np.arange(0, COUNT + 1, SLICE), 2)[1:-1]
"""Both edges of each block."""
MEDIANS = np.median(NORMS.reshape(len(RUNS), -1, SLICE), axis=2).round(5)
_AUTOCLIP = np.stack([autoclip(norms) for norms in NORMS])
LEVELS = np.array([[float(f"{x:.3g}") for x in levels[::SLICE]] for levels in _AUTOCLIP])
"""AutoClip's limit at each tenth step."""


def _counts(norms: Any, after: Any, xp: Any) -> list[Any]:
    """The share clipped, in per cent, the share of the summed norms kept, and how many of the first and the last steps."""
    clipped = after < norms
    share, kept = 100 * xp.sum(clipped) / len(norms), 100 * xp.sum(after) / xp.sum(norms)
    return [share, kept, xp.sum(clipped[:ENDS]), xp.sum(clipped[-ENDS:])]


BY_AUTOCLIP = np.array(
    [_counts(n, np.minimum(n, c), np) for n, c in zip(NORMS, _AUTOCLIP, strict=True)]
)


def replay(run: Array, by: Array, limit: Array) -> dict[str, Array]:
    """Compute what a limit, or AutoClip, or ZClip, makes of a log of norms.

    Args:
      run: int ``[]``; a place in ``RUNS``.
      by: int ``[]``; a place in ``BY``.
      limit: float ``[]``; the fixed limit.

    Returns:
      Of every ten steps: ``low``, ``uncut``, ``cut`` ``[200]``, the smallest norm, and the ends of
      what is kept and of what is clipped, at both of the block's ``edges``; ``median``, ``level``
      ``[100]``, at its ``middles``: the level is that of the step farthest above its own; ``zeros``,
      whether most norms are 0; ``share``, ``kept``, ``early``,
      ``late`` ``[3]``: by the fixed limit, AutoClip and ZClip, how many per cent of the steps are
      clipped, how many per cent of the summed norms are kept, and how many of the first and of the
      last 100 steps are clipped; with ``_now``, that of the chosen; ``fixes``, whether
      it is the fixed limit; ``case``, by run, by how many of the norms that aren't 0 are clipped, and by what.
    """
    norms = jnp.asarray(NORMS)[run]
    begins, left = zclip(norms)
    levels = jnp.repeat(jnp.asarray(LEVELS)[run], SLICE)
    limits = jnp.where(by == 0, limit, jnp.where(by == 1, levels, begins)).reshape(-1, SLICE)
    block = norms.reshape(-1, SLICE)
    low, high, median = block.min(axis=1), block.max(axis=1), jnp.asarray(MEDIANS)[run]
    over = block - limits
    most = over.max(axis=1)
    level = jnp.where(over == most[:, None], limits, jnp.inf).min(axis=1)
    uncut = jnp.minimum(high, jnp.maximum(low, level))
    cut = jnp.where(most > 0, jnp.maximum(uncut, level + most), uncut)
    every = jnp.stack(
        [
            jnp.stack(_counts(norms, jnp.minimum(norms, limit), jnp)),
            jnp.asarray(BY_AUTOCLIP)[run],
            jnp.stack(_counts(norms, left, jnp)),
        ]
    )
    now = every[by]
    real = now[0] * COUNT / jnp.sum(norms > 0)
    verdict = (real > 5).astype(int) + (real > 50).astype(int)

    def drawn(values: Array) -> Array:
        return jnp.clip(values, *SPAN)

    return {
        "edges": jnp.asarray(EDGES, norms.dtype),
        "middles": jnp.asarray(EDGES[::2] + SLICE / 2),
        "low": jnp.repeat(drawn(low), 2),
        "uncut": jnp.repeat(drawn(uncut), 2),
        "cut": jnp.repeat(drawn(cut), 2),
        "median": drawn(median),
        "level": drawn(level),
        "share": every[:, 0],
        "kept": every[:, 1],
        "early": every[:, 2],
        "late": every[:, 3],
        "share_now": now[0],
        "kept_now": now[1],
        "early_now": now[2],
        "late_now": now[3],
        "zeros": (median[-1] == 0).astype(int),
        "fixes": (by == 0).astype(int),
        "case": 10 * run + jnp.where(now[0] > 0, 3 * verdict + by, 9),
    }


_CUTS = (
    " would clip {share_now:,.1~f}\N{NO-BREAK SPACE}% of {the run} 1,000 steps: {early_now:,.0f} of the first 100 and "
    "{late_now:,.0f} of the last 100. That’s "
)
_VERDICTS = (
    "at most 5\N{NO-BREAK SPACE}%{those}: a guard against rare spikes.",
    "over 5\N{NO-BREAK SPACE}%{those}: it cuts more than rare spikes.",
    "over half{those}: it sets the gradient’s size, so it’s more than a guard against spikes.",
)


class NormLog(Figure):
    """Norms of three trainings, with a fixed limit, AutoClip or ZClip.

    Args:
      run: ``"language"`` (the default), ``"recurrent"`` or ``"policy"``.
      by: ``"fixed"`` (the default), ``"autoclip"`` or ``"zclip"``.
      limit: the fixed limit, in [0.2, 20], default 1.
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
                idles=(("limit", BY[1:]),),
            ),
            LogRange("limit", "limit", "c", LOW, HIGH, 1.0, 0.01),
        ),
        view=Profile(
            (
                Series("uncut", "range of the norm over ten steps", "muted", "band", low="low"),
                Series("cut", "what the limit clips off", "cotangent", "band", low="uncut"),
                Series("median", "median", "ink", "line", at="middles"),
                Series("level", "limit", "state", "line", at="middles"),
            ),
            y=Axis((0.12, SPAN[1]), "log", label="gradient norm"),
            x=Axis((0.0, float(COUNT)), label="training step"),
            at="edges",
            thresholds=(
                Threshold("limit", role="state", drag="limit", when="fixes"),
                Threshold(SPAN[0], "0", "muted", on=-60.0, when="zeros"),
            ),
            plot=270,
            data=("run", "by"),
        ),
        title="Which limit suits this run?",
        look="Drag the limit c. Then choose another run, or a limit that sets itself.",
        sentences=tuple(
            sentence.replace("{the run}", run).replace("{those}", those)
            for run, those in (
                ("the transformer’s", ""),
                ("the recurrent network’s", ""),
                ("the policy’s", " of those whose gradient isn’t 0"),
            )
            for sentence in (
                *(
                    by + _CUTS + verdict
                    for verdict in _VERDICTS
                    for by in ("c = {limit:,.3~g}", "AutoClip", "ZClip")
                ),
                "c = {limit:,.3~g} would clip none of {the run} 1,000 steps.",
            )
        ),
        table=Table(
            columns=(
                ("% clipped", "share"),
                ("of the first 100", "early"),
                ("of the last 100", "late"),
                ("% of the norms’ sum kept", "kept"),
            ),
            rows=("fixed c", "AutoClip", "ZClip"),
            count=3,
            general=True,
        ),
        presets=(
            Preset(
                "99th percentile of all steps", {"run": "language", "by": "fixed", "limit": 4.99}
            ),
            Preset(
                "99th percentile after warm-up", {"run": "language", "by": "fixed", "limit": 1.81}
            ),
        ),
        stills=(
            {"run": "language", "limit": 1.0},
            {"run": "recurrent", "limit": 1.0},
            {"run": "language", "by": "zclip"},
        ),
        parts={
            "uncut": Part(
                "case", "Of every ten steps, the norms from the smallest to the largest."
            ),
            "cut": Part("share_now", "{value:,.1~f} % of the steps would be clipped."),
            "median": Part("case", "The median of every ten norms."),
            "level": Part("share_now", "Norms above this limit are clipped."),
            "limit": Part("limit", "The fixed limit is {limit:,.3~g}."),
        },
        prediction=Prediction(
            "AutoClip takes as its limit the 10th percentile of all norms so far. What share of the transformer’s "
            "steps would it have clipped?",
            answer="share_now",
            how="number",
            settings={"run": "language", "by": "autoclip"},
            conceals=("share", "cut", "level"),
            guess=Range("guess", "your guess", "", 0.0, 100.0, 20.0, 1.0),
            unit="\N{NO-BREAK SPACE}%",
            reveal="It’s {share_now:.1~f} %: while norms stay about level, nine in ten lie above their 10th percentile. "
            "So AutoClip sets the gradient’s size.",
        ),
        note=(
            "Recorded by <code>scaleclip.probe</code>, one run each, without a clip: a clip would have changed the weights, "
            "and so the norms. All steps are counted, and drawn in blocks of ten. Norms below 0.14, zeros too, are drawn at "
            "the lower edge, those above 25 at the upper. The transformer (two blocks, 64 wide) learns to predict the "
            "letters of Python’s manual, and its rate grows for 100 steps; the 99th percentile of its norms after these is "
            "1.81. The recurrent network is chapter 12’s, at the rate at which it fails. The policy plays Catch. ZClip "
            "begins 2.5 standard deviations above a running mean: the farther out a norm is, the more it is cut."
        ),
    )
