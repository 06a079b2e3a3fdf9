"""The cliff: descent on the loss of a recurrence with a wall in it, plain and clipped."""

from __future__ import annotations

from functools import cache

import jax
import jax.numpy as jnp
from jax import Array

from gradlab.figure.controls import Control, LogRange, Point
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Dot, Surface, Trail, record
from gradlab.figure.widget import Figure
from gradlab.unroll.cliff import B, W, cliff_loss, cliff_surface

STEPS = 30
DIGITS = 6
"""Significant figures of a gradient that are kept: a descent at a wall multiplies its rounding errors
again and again, and without this the page and JAX would part after some twenty steps."""

GRID = 101
FAR = 1.0
"""From how far on a step counts as a throw; the picture is 3 wide."""


def cliff(start: Array, c: Array, eta: Array) -> dict[str, Array]:
    """Thirty steps of gradient descent on ``cliff_loss``, plain and clipped.

    Args:
      start: float ``[2]``; the first w and b.
      c: float ``[]``, above 0; the norm to which the second descent clips its gradients.
      eta: float ``[]``, above 0; the learning rate of both.

    Returns:
      ``plain``, ``clipped`` ``[31, 2]``, the places before each step and after the last;
      ``first``, ``first_clipped`` ``[2]``, those after one step; ``norm``, the length of the first
      gradient; ``stride``, ``stride_clipped``, that of the first steps; ``steepest``, the longest
      gradient of the plain descent, ``longest`` its longest step and ``when`` its number, from 1;
      ``largest``, the longest step of the clipped one; ``shortened``, how many of its gradients are;
      ``ends``, ``[2]``, both losses in the end; ``case``, 0 where no step is a throw, 1 where
      the first one is, 2 where a later one is, 3 where the clipped descent is thrown, too.
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
    when = jnp.argmax(norms) + 1
    later = jnp.where(eta * norms[0] > FAR, 1, 2)
    return {
        "plain": plain,
        "clipped": clipped,
        "first": plain[1],
        "first_clipped": clipped[1],
        "norm": norms[0],
        "stride": eta * norms[0],
        "stride_clipped": eta * jnp.minimum(c, norms[0]),
        "steepest": jnp.max(norms),
        "longest": longest,
        "when": when,
        "largest": largest,
        "shortened": jnp.sum(others > c),
        "ends": jnp.stack([cliff_loss(plain[-1]), cliff_loss(clipped[-1])]),
        "case": jnp.where(largest > FAR, 3, jnp.where(longest > FAR, later, 0)),
    }


def rounded(g: Array) -> Array:
    """A gradient to ``DIGITS`` significant figures of its norm."""
    size = jnp.maximum(jnp.linalg.norm(g), 1e-30)
    unit = 10.0 ** (jnp.floor(jnp.log10(size)) + 1 - DIGITS)
    return jnp.round(g / unit) * unit


CONTROLS: tuple[Control, ...] = (
    Point("start", "start", "", (W[0], B[0]), (W[1], B[1]), (5.25, -2.768), 0.01, ("w", "b")),
    LogRange("c", "clip at the norm", "c", 0.01, 10.0, 0.1, 0.05),
    LogRange("eta", "learning rate", "η", 0.1, 3.0, 1.0, 0.05),
)

_FROM = "From w = {start.0:,.2f}, b = {start.1:,.4f}, "
_CLIPPED_ENDS = "The clipped descent never goes farther than {largest:.3~g} in a step."


@cache
def _spec() -> FigureSpec:
    """The figure; its surface is recorded when it is first asked for, not on import."""
    return FigureSpec(
        function=cliff,
        controls=CONTROLS,
        view=Surface(
            field=record(
                cliff_surface(GRID)[0],
                f"{GRID} × {GRID} losses, by jax.vmap. The descents are computed as you drag.",
                log=True,
            ),
            x=W,
            y=B,
            span=(0.003, 0.5),
            log=True,
            contours=5,
            marks=(
                Trail("plain", "", "ink", key="30 plain steps"),
                Trail("clipped", "", "cotangent", key="30 steps, clipped at {c:.3~g}"),
                Dot("first", "", "ink", key="after one plain step"),
                Dot("first_clipped", "", "cotangent", key="after one clipped step"),
                Dot("start", "", "state", drag="start"),
            ),
            x_label="w",
            y_label="b",
            legend="loss",
            guess_label="your guess",
        ),
        title="A wall in the loss",
        look="Drag the start. Watch what the plain descent does at the wall, and what the clipped one does.",
        sentences=(
            _FROM
            + "no plain step is longer than {longest:.3~g}: nothing is thrown this time. "
            + _CLIPPED_ENDS,
            _FROM + "the first gradient is {norm:.3~g} long, and throws the plain descent "
            "{stride:.3~g} away. " + _CLIPPED_ENDS,
            _FROM + "step {when} of the plain descent meets a gradient {steepest:.3~g} long, which "
            "throws it {longest:.3~g} away. " + _CLIPPED_ENDS,
            _FROM
            + "with c = {c:.3~g} the clipped descent, too, takes a step of {largest:.3~g}. The "
            "picture is 3 wide: this limit is too high.",
        ),
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
            Preset("0.01 farther down", {"start": (5.25, -2.778), "c": 0.1, "eta": 1.0}),
            Preset("from lower down", {"start": (5.2, -3.1), "c": 0.1, "eta": 1.0}),
            Preset("on the plain", {"start": (7.0, -2.5), "c": 0.1, "eta": 1.0}),
        ),
        stages=((("start", "c"), ("eta",)),),
        stills=({}, {"start": (5.2, -3.1)}),
        parts={
            "plain": Part(
                "longest", "The longest plain step is {longest:.3~g} long. It is step {when}."
            ),
            "clipped": Part("largest", "The longest clipped step is {largest:.3~g} long."),
            "first": Part("first", "One plain step leads to {first}."),
            "first_clipped": Part("first_clipped", "One clipped step leads to {first_clipped}."),
        },
        equation=(
            r"$x_t = w \cdot \sigma(x_{t-1}) + b$, $\ell = (\sigma(x_{50}) - 0.7)^2$",
            r"the first plain step: $\eta \|g\| = \live{eta:.3~g} \cdot \class{first}{\live{norm:.3~g}}$, "
            r"clipped: $\eta \cdot \min(\|g\|, c) = \class{first_clipped}{\live{stride_clipped:.3~g}}$",
        ),
        prediction=Prediction(
            "The start stands a hair below the wall, and the learning rate is 1. Mark where one plain step "
            "of gradient descent lands.",
            answer="first",
            how="place",
            settings={"start": (5.25, -2.768), "c": 0.1, "eta": 1.0},
            conceals=(
                "plain",
                "clipped",
                "first",
                "first_clipped",
                "norm",
                "stride",
                "stride_clipped",
                "steepest",
                "longest",
                "when",
                "largest",
                "shortened",
            ),
            waiting="Mark a place and commit: then you see both descents, the plain one and the clipped one.",
            guess=Point(
                "guess", "your guess", "", (W[0], B[0]), (W[1], B[1]), (6.5, -3.0), 0.01, ("w", "b")
            ),
            reveal="The gradient is {norm:,.2f} long here. Clipped at 0.1, the step goes 0.1 far, "
            "in the same direction.",
        ),
        note=(
            "The surface is recorded; both descents are computed as you drag, with the gradient that JAX "
            "traced through all fifty steps. The shades are steps of the loss’s logarithm. Each gradient is "
            "rounded to six significant figures, so that your page and JAX take the same way: at a wall, "
            "rounding errors grow as everything else does."
        ),
    )


class Cliff(Figure):
    """Gradient descent at a wall of the loss, with and without a clip.

    Args:
      start: w and b, in [4.5, 7.5] and [-4, -1.5], default (5.25, -2.768).
      c: the norm at which the second descent clips, in [0.01, 10], default 0.1.
      eta: the learning rate, in [0.1, 3], default 1.
    """

    @property
    def spec(self) -> FigureSpec:  # type: ignore[override]  # the others' are made on import
        return _spec()
