"""The ledger of an unroll three ways, linked: a triangle, a river, and what they add up to."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array

from gradlab.figure.controls import Control, Integer, Range
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset
from gradlab.figure.views import Axis, Matrix, Panels, Profile, Series, Threshold
from gradlab.figure.widget import Figure
from gradlab.figures._river_words import closed_form, sum_in_numbers
from gradlab.figures.unrolled_flow import CONTROLS as RIVER_CONTROLS
from gradlab.figures.unrolled_flow import SPEC as RIVER
from gradlab.figures.unrolled_flow import Stream, river
from gradlab.unroll.linear import geometric_sum

MOST = 10
"""The longest unroll that the triangle and the river draw."""
REACH = 50
"""The longest unroll of the curve."""
ALIGNED = (1.0, 1.8, 2.0, 5.5)
"""Predictions of T(10) to choose from."""


def linked(scale: Array, gain: Array, steps: Array, placement: Array) -> dict[str, Array]:
    """The river of h_j = gain h_{j-1} + theta, its ledger, and T(K) for every K up to 50.

    Args:
      scale, gain: float ``[]``; s and rho.
      steps: int ``[]``; K, from 1 to ``MOST``.
      placement: int ``[]``; an index into ``unroll.PLACEMENTS``.

    Returns:
      All that ``unrolled_flow.river`` gives with each loss counted 1, for ``MOST`` steps; and
      ``lengths`` ``[50]``, the numbers 1 to 50; ``curve`` ``[50]``, T of each; ``answer``, the
      place of T(K) in ``ALIGNED``, the nearest; ``case``.
    """
    whole = river(
        scale, gain, steps, placement, weights=jnp.asarray(0), weighted=jnp.asarray(False),
        clip=jnp.asarray(False), limit=jnp.asarray(jnp.inf), order=jnp.asarray(0),
    )  # fmt: skip
    drawn = {
        name: value[: MOST + (name == "states")] if value.ndim else value
        for name, value in whole.items()
    }
    for name in ("contributions", "arrivals"):
        drawn[name] = drawn[name][:, :MOST]
    lengths = jnp.arange(1, REACH + 1)
    first = jnp.where(placement == 2, scale, 1.0)
    curve = first * jnp.cumsum(geometric_sum(whole["product"], lengths)) / lengths
    return drawn | {
        "lengths": lengths.astype(curve.dtype),
        "curve": curve,
        "answer": jnp.argmin(jnp.abs(jnp.asarray(ALIGNED) - whole["total"])),
    }


_BY_NAME = {control.name: control for control in RIVER_CONTROLS}
CONTROLS: tuple[Control, ...] = (
    Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.01, allowed=(0.0, 2.0)),
    Range("gain", "gain of one application", "ρ", 0.0, 2.0, 1.0, 0.01),
    Integer("steps", "unroll steps", "K", 1, MOST, 6),
    _BY_NAME["placement"],
)


def _sentences() -> tuple[str, ...]:
    """A template for every ``case`` of the river: scaled or not, by the regime."""
    found = []
    for given, factor in (
        ("With s = {scale}, gain {gain} and K = {steps}", "sρ"),
        ("With no scale, gain {gain} and K = {steps}", "ρ"),
    ):
        total = f"{given}, the rows add up to {{total:,.2f}} on average, and so do the columns"
        regimes = [
            f"{total}: less than {{bound}}, as for every K. Every row and column sum stays below {{bound}}, too.",
            f"{total}: each loss reaches only its own application.",
            f"{total}. The average grows with every step, without bound, because {factor}\u00a0=\u00a01.",
            f"{total}, and it grows geometrically with K: {factor}\u00a0=\u00a0{{product}} is above 1.",
            "",  # a clip acts; there is none here
            f"{given}, θ receives nothing.",
        ]
        found += 2 * regimes  # weights of 1/K and of 1, which are not used here
    return tuple(found)


VIEW = Panels(
    (
        (
            "",
            Panels(
                (
                    (
                        "The triangle: loss k by application j",
                        Matrix(
                            "contributions",
                            rows="{n}",
                            columns="{n}",
                            row_part="loss",
                            column_part="application",
                            triangle=True,
                            count="steps",
                            row_sums="sent",
                            column_sums="received",
                        ),
                    ),
                    (
                        "What θ receives, T(K)",
                        Profile(
                            (Series("curve", "T", "parameter", "line"),),
                            y=Axis((0.0, 6.0), label="T(K)"),
                            x=Axis((0.0, 50.0), label="K"),
                            at="lengths",
                            thresholds=(
                                Threshold("bound", "bound {bound}"),
                                Threshold(
                                    "steps",
                                    "",
                                    axis="x",
                                    drag="steps",
                                    dots=(("total", "parameter"),),
                                ),
                            ),
                        ),
                    ),
                ),
                wide="beside",
            ),
        ),
        ("The river: the same numbers", Stream()),
    )
)

SPEC = FigureSpec(
    function=linked,
    controls=CONTROLS,
    view=VIEW,
    title="One ledger, three ways",
    look="Point at a loss or an application: it lights up in the triangle, the river and the sum.",
    sentences=_sentences(),
    table=RIVER.table,
    labels={**RIVER.labels, "clip": ""},  # nothing is clipped here
    parts={
        "loss": Part("sent", "ℓ{n} sends {value:,.3~f} to θ: the sum of row {n}."),
        "application": Part(
            "received", "Through application {n}: {value:,.3~f}, the sum of column {n}."
        ),
        "gate": RIVER.parts["gate"],
        "total": RIVER.parts["total"],
    },
    stages=((("scale", "gain", "steps"), ("placement",)),),
    presets=(
        Preset("MuZero: s = ½", {"scale": 0.5, "gain": 1.0, "placement": "after_heads"}),
        Preset(
            "several ports: before the heads",
            {"scale": 0.5, "gain": 1.0, "placement": "before_heads"},
        ),
        Preset("expanding: s = ½, ρ = 2", {"scale": 0.5, "gain": 2.0, "placement": "after_heads"}),
    ),
    stills=(
        {"scale": 1.0, "gain": 1.0},
        {"scale": 0.5, "gain": 1.0},
        {"scale": 0.5, "gain": 2.0},
    ),
    equation=(
        closed_form(r"\frac1K"),
        sum_in_numbers("Columns, over applications", "application", "received", ",.3~f"),
        sum_in_numbers("Rows, over losses", "loss", "sent", ",.3~f"),
    ),
    prediction=Prediction(
        "Row k is loss k, and column j is application j: a cell says how much of that loss’s gradient reaches θ "
        "through that application. At s = 1 all of it does, and ten losses, weighted 1/10 each, send θ "
        "T(10) = (1 + 2 + … + 10)/10 = 5.5. With s = ½ every step further back halves what arrives. What is T(10)?",
        answer="answer",
        how="choice",
        options=(
            "1: as at K = 1",
            "1.8: a little below two",
            "2: all earlier applications together add 1",
            "5.5: as at s = 1",
        ),
        settings={"scale": 0.5, "gain": 1.0, "steps": MOST, "placement": "after_heads"},
        holds={"scale": 1.0, "gain": 1.0},
        conceals=("case",),
        waiting="With s = 1 and K = {steps}, rows and columns add up to {total:,.2f} on average. Commit to "
        "an answer to see s = ½.",
        reveal="T(10) = {total:,.2f}. The bound is {bound}, and no K reaches it.",
    ),
    note=(
        r"The toy is the river’s of chapter 01: $h_j = \rho h_{j-1} + \theta$, $\ell_k = h_k$, at "
        r"$\theta = 0$. In triangle and river each loss counts 1. $T(K)$ gives each the weight $1/K$, so "
        "it is the mean of the rows’ sums, and of the columns’. Band k of the river is row k; its width "
        "at diamond j is the sum of column j. Sums are rounded: 2.00 may stand for 1.998."
    ),
)


class LinkedLedger(Figure):
    """The ledger of a linear unroll as a triangle, as a river, and T(K) against K.

    The toy is h_j = gain h_{j-1} + theta with h_0 = 1 and loss_k = h_k, at theta = 0; the
    total is the mean of the losses. Its numbers are ``jax.vjp``'s.

    Args:
      scale: s in [0, 2], default 0.5; the slider ends at 1.
      gain: rho in [0, 2], default 1.
      steps: K from 1 to 10, default 6.
      placement: ``"after_heads"`` (default), ``"every_input"``, ``"before_heads"``, ``"off"``.
    """

    spec = SPEC
