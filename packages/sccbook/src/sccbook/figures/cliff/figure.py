"""The cliff: descent on the loss of a recurrence with a wall in it, plain and clipped."""

import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from explorax import LogRange, Part, Point, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views.base import Span, View
from sccbook.figures._views import DIST
from sccbook.models.cliff import FIXED, START, TARGET, cliff_loss, isoline

STEPS = 12
DIGITS = 6
"""Significant figures of a gradient that are kept: a descent at a wall multiplies its rounding errors
again and again, and without this the page and JAX could part."""

W, B = (4.2, 6.6), (-3.6, -1.6)
"""The part of the plane that is drawn; the wall goes from corner to corner."""
FAR = 1.0
"""From how far on a step counts as a throw; the picture is 2.4 wide."""
EDGE = ((4.2, 2.64e-2), (4.8, 1.27e-3), (5.4, 3.59e-5), (6.0, 1.03e-6), (6.6, 3.52e-8))
"""At some w, how far beneath the wall a gradient has a norm between 1 and 2; by factors between."""


def cliff(start: Array, c: Array, eta: Array) -> dict[str, Array]:
    """Twelve steps of gradient descent on ``cliff_loss``, plain and clipped.

    Args:
      start: float ``[2]``; the first w and b.
      c: float ``[]``, above 0; the norm to which the second descent clips its gradients.
      eta: float ``[]``, above 0; the learning rate of both.

    Returns:
      ``plain``, ``clipped`` ``[13, 2]``, the places before each step and after the last, with
      ``plain_losses``, ``clipped_losses`` ``[13]``, and ``mean``, ``mean_clipped``, their means
      without the start's; ``first`` ``[2]``, the place after one plain step;
      ``norm``, the length of the first gradient; ``stride``, ``stride_clipped``, that of the first
      steps; ``longest``, the longest step of the plain descent,
      ``when`` its number, from 1, and ``largest``, that of the clipped one; ``shortened``, how many
      of its gradients are; ``told``, ``told_long``, the plain step that has a name, and its length; ``case``, 0 where none is, 1 where no step is a throw, 2 where the first
      plain one is, 3 where a later one is, 4 where the clipped descent is thrown, too; 5 where none is
      a throw and the first plain step is the longest.
    """
    slope = jax.grad(cliff_loss)

    def walk(limit: Array | float) -> tuple[Array, Array]:
        def step(w: Array, _: None) -> tuple[Array, tuple[Array, Array]]:
            g = rounded(slope(w))
            norm = jnp.linalg.norm(g)
            return w - eta * g * jnp.minimum(1.0, limit / norm), (w, norm)

        last, (places, norms) = jax.lax.scan(step, start, None, length=STEPS)
        return jnp.concatenate([places, last[None]]), norms

    (plain, norms), (clipped, others) = walk(jnp.inf), walk(c)
    longest, largest = eta * jnp.max(norms), eta * jnp.minimum(c, jnp.max(others))
    later = jnp.where(eta * norms[0] > FAR, 2, 3)
    calm = jnp.where(longest > eta * norms[0], 1, 5)
    shortened = jnp.sum(others > c)
    thrown = jnp.where(largest > FAR, 4, jnp.where(longest > FAR, later, calm))
    case = jnp.where(shortened > 0, thrown, 0)
    plain_losses, clipped_losses = (jax.vmap(cliff_loss)(path) for path in (plain, clipped))
    return {
        "plain": plain,
        "clipped": clipped,
        "first": plain[1],
        "plain_losses": plain_losses,
        "clipped_losses": clipped_losses,
        "mean": jnp.mean(plain_losses[1:]),
        "mean_clipped": jnp.mean(clipped_losses[1:]),
        "norm": norms[0],
        "stride": eta * norms[0],
        "stride_clipped": eta * jnp.minimum(c, norms[0]),
        "longest": longest,
        "when": jnp.argmax(norms) + 1,
        "largest": largest,
        "shortened": shortened,
        "told": jnp.where(case == 3, jnp.argmax(norms) + 1, 1),
        "told_long": jnp.where(case == 3, longest, eta * norms[0]),
        "case": case,
    }


def rounded(g: Array) -> Array:
    """A gradient to ``DIGITS`` significant figures of its norm."""
    size = jnp.maximum(jnp.linalg.norm(g), 1e-30)
    unit = 10.0 ** (jnp.floor(jnp.log10(size)) + 1 - DIGITS)
    return jnp.round(g / unit) * unit


@dataclass(frozen=True)
class Wall(View):
    """A loss as a relief, two plateaus and the wall between them, and two descents on it.

    Attributes:
      x, y: the two ends of each axis.
      wall, low, high: lines as intercept and slope: the wall, and those of equal loss above and
        beneath it, each with its loss, the lowest first.
      edge: places along the wall: how far beneath it, at which x, a hand near it puts the start.
      target: what the state's sigmoid should be, from which the ground's height follows.
    """

    x: Span
    y: Span
    wall: tuple[float, float]
    low: tuple[tuple[float, float, float], ...]
    high: tuple[tuple[float, float, float], ...]
    edge: tuple[tuple[float, float], ...]
    target: float
    kind = "wall"
    script = DIST / "wall.js"
    reads = (
        "plain",
        "clipped",
        "plain_losses",
        "clipped_losses",
        "shortened",
        "told",
        "norm",
        "start",
        "eta",
    )


def lines(side: int, *losses: float) -> tuple[tuple[float, float, float], ...]:
    """Lines of equal loss on a side of the wall: the loss, the line's intercept and its slope."""
    return tuple((loss, *isoline(loss, side)) for loss in losses)


_CLIPPED = (
    "no clipped step is longer than {largest:.3~g}. Over the twelve steps the loss is {mean:.3f} on "
    "average, and {mean_clipped:.3f} with the clip."
)


class Cliff(Figure):
    """Gradient descent at a wall of the loss, with and without a clip.

    Args:
      start: w and b, in [4.2, 6.6] and [-3.6, -1.6], default (5.01, -2.46).
      c: the norm at which the second descent clips, in [0.05, 12.8], default 0.1.
      eta: the learning rate, in [0.1, 3], default 1.
    """

    spec = FigureSpec(
        function=cliff,
        controls=(
            Point(
                "start", "start", "", (W[0], B[0]), (W[1], B[1]), (5.01, -2.46), 0.01, ("w", "b")
            ),
            LogRange("c", "limit", "c", 0.05, 12.8, 0.1, math.log10(2) / 6),
            LogRange("eta", "rate", "η", 0.1, 3.0, 1.0, 0.05),
        ),
        view=Wall(
            x=W,
            y=B,
            wall=(START, -FIXED),
            low=lines(1, 0.02, 0.04, 0.06, 0.08),
            high=lines(-1, 0.3, 0.35, 0.4),
            edge=EDGE,
            target=TARGET,
        ),
        title="Twelve steps at a wall in the loss",
        look="Drag the start along the wall and away from it, or the places where the first steps land.",
        sentences=(
            "No gradient is larger than c = {c:.3~g}, so both descents are the same.",
            "The first plain step is {stride:.3~g} long and none is longer than {longest:.3~g}; "
            + _CLIPPED,
            "The first plain step is a leap of {stride:.3~g}; " + _CLIPPED,
            "Plain step {when} is a leap of {longest:.3~g}; " + _CLIPPED,
            "At this limit and rate, even a clipped step is {largest:.3~g} long.",
            "The first plain step is the longest, {longest:.3~g}; " + _CLIPPED,
        ),
        labels={
            "wall": "the wall",
            "plain": "plain step {told}: {told_long:.3~g}",
            "clipped": "clipped: ≤ {largest:.3~g}",
            "both": "both: ≤ {largest:.3~g}",
            "start": "start",
            "high": "high loss",
            "low": "low loss",
        },
        table=Table(
            columns=(
                ("first gradient", "norm"),
                ("first step", "stride"),
                ("first step, clipped", "stride_clipped"),
                ("longest step", "longest"),
                ("longest step, clipped", "largest"),
                ("gradients shortened", "shortened"),
            ),
            rows="length",
            general=True,
        ),
        presets=(
            Preset("a harmless leap", {"start": (5.25, -2.768), "c": 0.1, "eta": 1.0}),
            Preset("far from the wall", {"start": (6.0, -2.0), "c": 0.1, "eta": 1.0}),
        ),
        stages=((("c", "eta"), ("start",)),),
        stills=({}, {"start": (5.25, -2.768)}, {"start": (6.0, -2.0)}),
        parts={
            "plain": Part(
                "longest", "The longest plain step is {longest:.3~g} long. It is step {when}."
            ),
            "clipped": Part("largest", "The longest clipped step is {largest:.3~g} long."),
        },
        equation=(
            r"$x_t = w \cdot \sigma(x_{t-1}) + b$, $\ell = (\sigma(x_{50}) - 0.7)^2$",
            r"the first step: $\class{plain}{\eta \|g\| = \live{eta:.3~g} \cdot \live{norm:.3~g}}$",
            r"clipped: $\class{clipped}{\eta \cdot \min(\|g\|, c) = \live{stride_clipped:.3~g}}$",
        ),
        prediction=Prediction(
            "From w = 5.25, b = −2.768, at the edge of the wall, the first plain step is 1.22 long. Start 0.01 further "
            "back, at b = −2.778: how long is the first plain step there?",
            answer="stride",
            settings={"start": (5.25, -2.778), "c": 0.1, "eta": 1.0},
            guess=LogRange("guess", "length", "", 0.01, 100.0, 1.0, 0.05),
            reveal="It is {stride:.3~g} long: the wall is so thin that 0.01 behind its edge almost nothing of it can be felt.",
        ),
        note=(
            "Thin lines are lines of equal loss, every 0.02 on the low side and every 0.05 on the high one; the ground is "
            "drawn where the state has settled. Both descents take twelve steps; the short line where a leap lands is the steps after it. Each gradient is rounded to six significant figures, so that your page and JAX take the "
            "same way: at a wall, rounding errors grow too. A hand on the face of the wall puts the "
            "start at the edge of its high side, where the gradient is between one and two long."
        ),
    )
