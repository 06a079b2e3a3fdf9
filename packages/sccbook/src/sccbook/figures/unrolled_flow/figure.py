"""The river: where the gradient of each loss of an unroll ends up."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Choice, Integer, Part, Preset, Range, Table, Toggle
from explorax.figure.equation import markup
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from scaleclip.ledger import PLACEMENTS
from sccbook.figures._river_words import (
    GAIN,
    STEPS,
    STOP,
    closed_form,
    sentences,
    sum_in_numbers,
)
from sccbook.figures._views import DIST
from sccbook.models.gates import flow, gate_places, place_gates, total_gradient

MAX_STEPS = 12


def river(
    scale: Array,
    gain: Array,
    steps: Array,
    placement: Array,
    weights: Array,
    weighted: Array,
    clip: Array,
    limit: Array,
    order: Array,
) -> dict[str, Array]:
    """The backward pass of h_j = gain h_{j-1} + theta, loss_k = w h_k, at theta = 0, h_0 = 1.

    Every array is as long as the longest unroll; steps beyond ``steps`` carry 0.

    Args:
      scale, gain: float ``[]``; s and rho.
      steps: int ``[]``; K, from 1 to ``MAX_STEPS``.
      placement: int ``[]``; an index into ``scaleclip.ledger.PLACEMENTS``.
      weights: int ``[]``; 0 for w = 1/K, 1 for w = 1.
      weighted: bool ``[]``; whether what is drawn is multiplied by w.
      clip: bool ``[]``; whether the scales clip too.
      limit: float ``[]``; at how many losses (each counted w).
      order: int ``[]``; 0 to clip what s has scaled, 1 to clip before s.

    Returns:
      What the view draws: ``states [13]``; ``contributions``, ``arrivals [12, 12]``, loss k by
      step j; ``own``, ``root``, ``received``, ``sent [12]``; ``gates_in``,
      ``gates_out [12]``; and the scalars that the words need. ``total`` is ``jax.grad`` of
      the whole weighted loss, ``reference`` the same at s = 1, where the stream is as wide as
      ``unscaled [12]``, or infinite where there is nothing to compare. ``left`` says which bound
      there is for every K: 0 for 2 or less, 1 for another, 2 for none, 3 for geometric growth.
    """
    present = jnp.where(jnp.arange(1, MAX_STEPS + 1) <= steps, 1.0, 0.0)
    weight = jnp.where(weights == 0, 1.0 / steps, 1.0)
    bound = jnp.where(clip, limit, jnp.inf)
    drawn = jnp.where(weighted, weight, 1.0)

    at_input, at_output = place_gates(MAX_STEPS, placement, scale, bound, order == 1)
    one = flow(gain, at_input, at_output, present)

    def total(factor: Array | float, most: Array | float) -> Array:
        gates = place_gates(MAX_STEPS, placement, factor, most, order == 1)
        return total_gradient(gain, *gates, weight * present)

    def back(beyond: Array, here: Array) -> tuple[Array, Array]:
        width = here + gain * beyond
        return width, width

    received = total(scale, bound * weight)
    unclipped = total(scale, jnp.inf)
    unscaled = jax.lax.scan(back, jnp.zeros(()), present, reverse=True)[1]
    same = (scale == 1) | (placement == 3) | clip
    acts = jnp.abs(received - unclipped) > 1e-12 * jnp.abs(unclipped)
    product = jnp.where(placement == 3, 1.0, scale) * gain
    first = jnp.where(placement == 2, scale, 1.0)
    bounded = (product < 1) & jnp.logical_not(acts)
    limit_of_width = first / jnp.where(bounded, 1.0 - product, 1.0)
    upper = jnp.where(bounded, limit_of_width, jnp.inf)
    places_in, places_out = gate_places(MAX_STEPS, placement)
    standing = jnp.logical_or(placement != 3, clip) & (jnp.arange(MAX_STEPS) < steps)
    regime = jnp.where(product < 1, jnp.where(product == 0, 1, 0), jnp.where(product == 1, 2, 3))
    regime = jnp.where(steps == 1, 1, regime)
    regime = jnp.where(unclipped == 0, 5, jnp.where(acts, 4, regime))
    return {
        "states": one.states,
        "contributions": drawn * one.contributions,
        "arrivals": drawn * one.arrivals,
        "root": drawn * one.root,
        "own": drawn * present,
        "received": drawn * jnp.sum(one.contributions, axis=0),
        "sent": drawn * jnp.sum(one.contributions, axis=1),
        "total": received,
        "reference": total(1.0, bound * weight),
        "unscaled": jnp.where(same, jnp.inf, drawn * unscaled),
        "taken": unclipped - received,
        "acts": acts,
        "weighs": weight != drawn,
        "product": product,
        "bound": upper,
        "left": jnp.where(product < 1, jnp.where(upper <= 2, 0, 1), jnp.where(product == 1, 2, 3)),
        "line": drawn * upper,
        "gates_in": standing & places_in,
        "gates_out": standing & places_out,
        "scales": placement != 3,
        "clips": clip,
        "clip_line": jnp.where(clip, drawn * limit, jnp.inf),
        "case": 24 * jnp.where(gain == 1, 1, 0)
        + 12 * jnp.where(placement == 3, 1, 0)
        + jnp.where(steps == 1, 0, 6 * weights)
        + regime,
    }


class Stream(View):
    """The backward pass of an unroll as a river that losses feed."""

    kind = "stream"
    script = DIST / "stream.js"
    style = DIST / "stream.css"
    reads = (
        "states",
        "own",
        "received",
        "gates_in",
        "gates_out",
        "root",
        "total",
        "line",
        "bound",
        "reference",
        "unscaled",
        "clips",
        "clip_line",
        "scales",
        "weighs",
        "contributions",
        "arrivals",
        "sent",
        "steps",
        "placement",
    )


PLACEMENT = Choice(
    "placement",
    "where the line is",
    "",
    tuple(
        zip(
            PLACEMENTS,
            (
                "after the heads (the pseudocode)",
                "at every input (the prose)",
                "before the heads (several ports)",
                "nowhere",
            ),
            strict=True,
        )
    ),
)


class UnrolledFlow(Figure):
    """The gradient of each loss of an unroll as a river, down to where it ends up.

    The toy is h_j = gain h_{j-1} + theta with h_0 = 1 and loss_k = h_k, at theta = 0; the
    total is the sum of w loss_k. Its numbers are ``jax.vjp``'s.

    Args:
      stage: 1 shows s and K; 2 adds the gain; 3 adds, behind "more", placement, weights and
        a clip at the states.
      scale: s in [0, 2], default 0.5; the slider ends at 1.
      gain: rho in [0, 2], default 1.
      steps: K from 1 to 12, default 5.
      placement: ``"after_heads"`` (default), ``"every_input"``, ``"before_heads"``, ``"off"``.
      weights: ``"1/K"`` (default) or ``"1"``; w, the weight of each loss.
      weighted: whether bands and diamonds are drawn with w; by default each loss counts 1.
      clip, limit, order: whether the scales clip as well, at how many losses, and whether
        ``"after"`` or ``"before"`` s.
      ask: the question beside it: more steps by default, ``"stop"``, s = 0, or ``"gain"``, the
        bound where a step doubles.
    """

    spec = FigureSpec(
        function=river,
        controls=(
            Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.01, allowed=(0.0, 2.0)),
            Range("gain", "gain of one step", "ρ", 0.0, 2.0, 1.0, 0.01),
            Integer("steps", "unroll steps", "K", 1, MAX_STEPS, 5),
            PLACEMENT,
            Choice("weights", "weight of each loss", "w", (("1/K", "1/K"), ("1", "1"))),
            Toggle("weighted", "draw each loss at its weight"),
            Toggle("clip", "clip at the states"),
            Range("limit", "clip at, in losses", "c", 0.0, 4.0, 1.0, 0.05),
            Choice("order", "the clip acts", "", (("after", "after s"), ("before", "before s"))),
        ),
        view=Stream(),
        title="Where the gradient of each loss ends up",
        look="Every loss is a source, and its gradient flows back to h₀. At a diamond θ receives the width of the stream. "
        "s acts at each thin bar across the stream.",
        sentences=sentences(),
        table=Table(
            columns=(("j = {n}", "contributions"),),
            rows="ℓ_{n}",
            count="steps",
            caption="What each loss k sends to θ through each step j",
            triangle=True,
            row_part="loss",
            column_part="application",
        ),
        labels={
            "state": "h",
            "loss": "ℓ",
            "forward": "states h",
            "losses": "losses ℓ",
            "reads": "width at ◆",
            "receives": "θ receives",
            "unit": "one loss",
            "scale": "×{scale}",
            "plain": "no line",
            "clip": "≤{limit}",
            "reference": "s = 1: {reference:,.2f}",
            "unscaled": "no line: s = 1",
            "tall": "{n}, cut",
            "was": "before: s = {scale}",
            "before": "before",
            "guess": "your guess",
            "added_one": "the one width",
            "added": "sum of {steps} widths",
            "mean": "mean of {steps} widths",
            "exit": "← gradients",
            "bound": "bound",
            "picture": "The river, one loss or step at a time",
            "walk": "Left and right: one after another. Up and down: losses, steps, scales.",
            "torn": "{n} losses wide, cut",
        },
        parts={
            "loss": Part("sent", "ℓ_{n} adds {value:,.2f} to the sum."),
            "application": Part("received", "At step {n} the width is {value:,.2f}."),
            "gate": Part("gates_in", "At h_{n} the gradient is multiplied by {scale}."),
            "total": Part(
                "total", "Altogether, θ receives {total:,.2f}; at s = 1 it is {reference:,.2f}."
            ),
        },
        stages=(
            (("scale", "steps"), ()),
            (("scale", "gain", "steps"), ()),
            (
                ("scale", "gain"),
                ("steps", "placement", "weights", "weighted", "clip", "limit", "order"),
            ),
        ),
        presets=(
            Preset("MuZero’s half: s = ½", {"scale": 0.5}),
            Preset("without the line: s = 1", {"scale": 1.0}),
            Preset("amplified: s = 1.5", {"scale": 1.5}),
        ),
        stills=({"scale": 1.0}, {"scale": 0.5}, {"scale": 0.0}),
        equation=(
            closed_form(),
            sum_in_numbers("Over steps, rounded", "application", "received"),
        ),
        prediction=STEPS,
        questions={"stop": STOP, "gain": GAIN},
        note=(
            r"The toy: $h_j = \rho h_{j-1} + \theta$ with $h_0 = 1$, $\ell_k = h_k$ and "
            r"the gain $\rho$; the gradient of the sum of all losses, each weighted $w$ ($1/K$ unless you "
            r"change it), is taken at $\theta = 0$. "
            "At each step (a diamond) θ reads the width of the stream and takes nothing from it; "
            "a scale below 1 narrows it. The bound is this toy’s: θ is added, so a step’s derivative with respect to "
            "it is always 1. For a weight that multiplies the state it needn’t hold."
        ),
    )

    def describe(self, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The figure as plain data: where the gain has no control, no 1 is written for it."""
        described = super().describe(settings)
        if self._stage == 1:
            described["equation"][0] = markup(closed_form(plain=True))
        return described
