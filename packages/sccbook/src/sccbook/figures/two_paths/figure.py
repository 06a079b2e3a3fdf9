"""Two descents from one start: down the loss, and along what is reported with a scale between steps."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Part, Point, Prediction, Preset, Range, Table, Toggle
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Dot, Plane, Profile, Series, Threshold, Trail, View
from scaleclip.ops.scaling import scale_gradient
from sccbook.figures._views import DIST

TARGETS = (0.0, 1.0, 2.0, 2.0, 2.0, 2.0)
"""Those of the chapter: no line meets them all."""
LINES = np.stack([np.ones(len(TARGETS)), np.arange(1.0, len(TARGETS) + 1)])
"""The states are (h_0, theta) times these."""
RATE, UPDATES = 0.1, 1000
SHOWN = np.unique(np.rint(np.geomspace(1, UPDATES, 64)).astype(int))
"""The updates after which a run is drawn, close together where it moves fast."""


def resting(s: float) -> np.ndarray:
    """Return h_0 and theta where both gradients reported with the scale s are 0."""
    k = LINES[1]
    factors = np.stack([s ** (k - 1), [np.sum(s ** np.arange(n)) for n in k]])
    return np.linalg.solve(factors @ LINES.T, factors @ TARGETS)


BEST = tuple(resting(1.0).tolist())
LEAST = float(np.mean((BEST @ LINES - TARGETS) ** 2) / 2)
"""The least-squares line, and its loss: the minimum."""


def total(p: Array, scale: Array | float) -> Array:
    """The chapter's loss: an unroll h_k = h_{k-1} + theta, with a scale after each step.

    Args:
      p: float ``[2]``; h_0 and theta.
      scale: float ``[]``; s.
    """
    h, theta = p
    loss = jnp.zeros(())
    for target in TARGETS:
        h = h + theta
        loss += (h - target) ** 2 / 2 / len(TARGETS)
        h = scale_gradient(h, scale)
    return loss


def two_paths(scale: Array, both: Array, start: Array) -> dict[str, Array]:
    """Make a thousand updates down the loss of ``total``, and along what is reported with a scale.

    Args:
      scale: float ``[]``; s.
      both: bool ``[]``; whether s multiplies the whole gradient, and not what passes between steps.
      start: float ``[2]``; h_0 and theta before the first update.

    Returns:
      ``plain``, ``scaled`` ``[n, 2]``, both runs at the start and after the updates in ``SHOWN``, and
      ``early``, ``some``, parts of them beside which they are named, the first one if it ``leaves`` the start;
      ``plain_loss``, ``scaled_loss`` ``[n - 1]``, their losses after these ``updates``;
      ``low`` and ``turn``, how low the scaled run comes, and after which update, ``turning`` ``[2]``, its place
      then, and ``climbs``, whether it climbs from there; ``last`` ``[2]`` and
      ``end``, its last place and loss; ``above``, by how many per cent that is above the minimum, and
      ``apart``, whether by more than 0.5, or it comes there with ``all`` of the gradient scaled; ``two``, whether
      the runs differ; ``case``, for the words.
    """
    gradient = jax.grad(total)

    def update(runs: tuple[Array, Array], _: None) -> tuple[tuple[Array, Array], Array]:
        plain, scaled = runs
        reported = jnp.where(both, scale * gradient(scaled, 1.0), gradient(scaled, scale))
        new = plain - RATE * gradient(plain, 1.0), scaled - RATE * reported
        return new, jnp.stack(runs)

    runs = jax.lax.scan(update, (start, start), None, length=UPDATES + 1)[1]
    losses = jax.vmap(jax.vmap(lambda p: total(p, 1.0)))(runs)
    turn = jnp.argmin(jnp.round(losses[:, 1], 8))  # rounding errors don't decide it
    low, end = losses[turn, 1], losses[-1, 1]
    above = 100.0 * (end / LEAST - 1.0)
    climbs = end > low + 1e-5
    between = jnp.where(climbs, jnp.where(turn < 3, 3, 1), 2)
    whole = jnp.where(scale == 0, 6, jnp.where(above < 0.5, 4, 5))
    inside = (runs[1:10, 0] < np.array([1.2, 0.8])) & (runs[1:10, 0] > np.array([-0.8, -0.1]))
    within = jnp.argmax(jnp.all(inside, axis=1))
    shown = np.append(0, SHOWN)
    return {
        "early": jax.lax.dynamic_slice_in_dim(runs[:, 0], within, 2),
        "leaves": jnp.sum((runs[1, 0] - start) ** 2) > 1e-3,
        "some": runs[:12, 1],
        "plain": runs[shown, 0],
        "scaled": runs[shown, 1],
        "plain_loss": losses[SHOWN, 0],
        "scaled_loss": losses[SHOWN, 1],
        "updates": jnp.asarray(SHOWN, float),
        "last": runs[-1, 1],
        "low": low,
        "turn": turn,
        "turning": runs[turn, 1],
        "climbs": climbs & (turn > 2),
        "end": end,
        "above": above,
        "apart": above > 0.5,
        "two": scale != 1,
        "all": both & (above < 0.5) & (scale < 1),
        "case": jnp.where(scale == 1, 0, jnp.where(both, whole, between)),
    }


@dataclass(frozen=True)
class Valley(View):
    """A quadratic loss as rings of equal loss with marks over them, and losses by update beside it.

    Attributes:
      land: the marks; its axes have units of their own.
      losses: the losses.
      bottom: where the loss is least.
      rings: each ring's matrix, by which a circle about the bottom becomes the ring.
      rests: where the run ends for each value of the scale, from 0 to 1.
    """

    land: Plane
    losses: Profile
    bottom: tuple[float, float]
    rings: tuple[tuple[float, ...], ...]
    rests: tuple[tuple[float, float], ...]
    kind = "valley"
    script = DIST / "valley.js"
    style = DIST / "valley.css"
    reads = ("scale", "both")


def rings(*above: float) -> tuple[tuple[float, ...], ...]:
    """Return the rings on which the loss is so many per cent above the minimum."""
    unit = np.linalg.inv(np.linalg.cholesky(LINES @ LINES.T / len(TARGETS)).T)
    return tuple(tuple((unit * np.sqrt(0.02 * LEAST * each)).ravel().tolist()) for each in above)


_RESTS = "{end:.4f}, {above:.2~g} % above the bottom."


class TwoPaths(Figure):
    """The chapter's descent with a scale between steps, beside plain descent from the same start.

    Args:
      scale: s in [0, 1], default 0.5.
      both: whether s multiplies the whole gradient, default False.
      start: h_0 and theta, in [-0.8, 1.2] and [-0.1, 0.8], default (1, 0).
    """

    spec = FigureSpec(
        function=two_paths,
        controls=(
            Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.01),
            Toggle("both", "s on the whole gradient"),
            Point("start", "start", "", (-0.8, -0.1), (1.2, 0.8), (1.0, 0.0), 0.001, ("h₀", "θ")),
        ),
        view=Valley(
            land=Plane(
                (
                    Trail("early", "s = 1", "ink", dots=False, when="leaves"),
                    Trail("plain", role="ink", dots=False),
                    Trail("scaled", role="parameter", dots=False, when="two"),
                    Trail("some", "s = {scale}, all", "parameter", dots=False, when="all"),
                    Dot(
                        "turning",
                        "turns here",
                        "parameter",
                        True,
                        towards=(1.0, 0.8),
                        when="climbs",
                    ),
                    Dot(BEST, "bottom: 0.0905", "loss", towards=(-0.3, -1.0)),
                    Dot("last", "end: {end:.4f}", "parameter", when="apart"),
                    Dot("start", "start", "ink", drag="start"),
                ),
                x=(-0.8, 1.2),
                y=(-0.1, 0.8),
                x_label="h₀, the first state",
                y_label="θ, added at each step",
            ),
            losses=Profile(
                (
                    Series("plain_loss", "s = 1", "ink", "line"),
                    Series("scaled_loss", "s = {scale}", "parameter", "line", when="two"),
                ),
                y=Axis((0.06, 0.18), label="loss"),
                x=Axis((1.0, 1000.0), "log", label="updates"),
                at="updates",
                thresholds=(Threshold(LEAST, role="loss"),),
            ),
            bottom=BEST,
            rings=rings(5, 10, 20, 50, 100, 200, 400, 800, 1600, 3200),
            rests=tuple(tuple(resting(s).round(4).tolist()) for s in np.linspace(0, 1, 101)),
        ),
        title="Past the bottom, and up",
        look="Drag the start to the bottom. With s = 1 the run stays there; with any smaller s it leaves.",
        sentences=(
            "With s = 1 there is one run, plain gradient descent. It ends at the bottom, 0.0905.",
            "With s = {scale} the loss falls to {low:.4f} in {turn} updates, then climbs. It ends at "
            + _RESTS,
            "From this start, with s = {scale}, the last loss is the lowest. Yet it is " + _RESTS,
            "From this start the loss climbs: with s = {scale} the run ends at " + _RESTS,
            "With s = {scale} on the whole gradient, the updates are smaller and the run ends at the bottom, {end:.4f}.",
            "With s = {scale} on the whole gradient, the updates are so small that after 1,000 the loss is still "
            + _RESTS,
            "With s = 0 on the whole gradient, nothing moves.",
        ),
        table=Table(
            columns=(
                ("lowest loss", "low"),
                ("updates to it", "turn"),
                ("last loss", "end"),
                ("% above the bottom", "above"),
            ),
            rows="s = {scale}",
            general=True,
        ),
        labels={
            "plain": "s = 1: 0.0905",
            "scaled": "s = {scale}",
            "whole": "s = {scale}, all",
            "end": "{end:.4f}",
            "land": "pinker: higher loss",
            "rests": "end at s = 0",
            "turn": "{turn} updates: {low:.4f}",
        },
        stages=((("scale", "both"), ("start",)),),
        presets=(
            Preset("start at the bottom", {"scale": 0.5, "both": False, "start": (0.2, 0.371)}),
            Preset("no climb", {"scale": 0.5, "both": False, "start": (-0.6, 0.8)}),
        ),
        stills=({"scale": 1.0}, {"scale": 0.5}, {"scale": 0.0}),
        parts={
            "plain": Part("plain_loss", "With s = 1: the loss is {value:.4f}."),
            "scaled": Part("scaled_loss", "With the scale: the loss is {value:.4f}."),
        },
        equation=(
            r"$h_k = h_{k-1} + \theta, \quad \ell = \frac{1}{6} \sum_k \frac{1}{2} (h_k - t_k)^2$",
            r"bottom: $0.0905$; lowest on the way: $\live{low:.4f}$; at the end: $\class{scaled}{\live{end:.4f}}$",
        ),
        prediction=Prediction(
            "Here s = 0.5 halves the gradient only where it passes back to the step before. Halve the whole gradient instead. "
            "Where does the run end?",
            answer="apart",
            how="choice",
            options=("at the bottom", "above it, as before", "above it, but half as far"),
            settings={"scale": 0.5, "both": True},
            conceals=("scaled", "scaled_loss"),
            reveal="At the bottom. Halving the whole gradient is halving the learning rate: the updates are "
            "smaller, but they point the same way.",
        ),
        note=(
            r"The chapter’s six targets, 0, 1, 2, 2, 2 and 2, and its learning rate, 0.1. The targets and the start are "
            "picked so that the climb can be seen. Along each ring the loss is the same: 5, 10, 20, 50, 100 % above the "
            "bottom, and so on. What the run with s < 1 follows is a surrogate, not the gradient of this loss."
        ),
        source=total,
    )
