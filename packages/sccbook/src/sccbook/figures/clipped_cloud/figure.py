"""Two hundred minibatch gradients, each clipped by itself, and what becomes of their mean."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Preset, Range, Table
from explorax.figure.equation import when
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Arc, Cloud, Dot, Plane, Ring, Trail, Vector
from scaleclip.ops.clipping import clip_by_value, clip_per_example

BATCHES, EXAMPLES, RARE = 200, 4, 0.25
X, Y = (-1.1, 3.6), (-1.65, 1.75)


@cache
def minibatch_gradients(seed: int = 10) -> np.ndarray:
    """Gradients of 200 minibatches of four examples, about one in four with a rare example.

    The model is y = w . x at w = 0, the loss half the mean squared error. A common example has
    features near (-0.3, 0.7) and a label near -1; a rare one has features near (2, -0.7) and a
    label near -6. A minibatch has one of these with the probability 0.25, and never two.

    Args:
      seed: of the data.

    Returns:
      float64 ``[200, 2]``, by ``jax.grad``, rounded to two decimals, which the page loads sooner.
    """
    # also while a figure is traced: the gradients are data, not part of its program
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        return np.round(np.asarray(jax.jit(_gradients)(jax.random.key(seed))), 2)


def _gradients(key: Array) -> Array:
    features, labels, kinds = jax.random.split(key, 3)
    with_rare = jax.random.uniform(kinds, (BATCHES,)) < RARE
    rare = with_rare[:, None] & (jnp.arange(EXAMPLES) == 0)
    center = jnp.where(rare[..., None], jnp.array([2.0, -0.7]), jnp.array([-0.3, 0.7]))
    spread = jnp.where(rare, 0.15, 0.4)[..., None]
    x = center + spread * jax.random.normal(features, (BATCHES, EXAMPLES, 2))
    noise = jax.random.normal(labels, (BATCHES, EXAMPLES))
    y = -jnp.where(rare, 5.8 * (1 + 0.1 * noise), 1 + 0.4 * noise)

    def loss(w: Array, x: Array, y: Array) -> Array:
        return jnp.mean((x @ w - y) ** 2) / 2

    gradients: Array = jax.vmap(jax.grad(loss), (None, 0, 0))(jnp.zeros(2), x, y)
    return gradients


def rare_first() -> np.ndarray:
    """The same, those with a rare example first: they alone are beyond 1 along w₁."""
    found = minibatch_gradients()
    return found[np.argsort(found[:, 0] <= 1, kind="stable")]


def means(gradients: Array) -> tuple[Array, Array]:
    """The mean of all, ``[2]``, and of the rare ones and of the common ones, ``[2, 2]``."""
    rare = int(np.sum(minibatch_gradients()[:, 0] > 1))  # so many, and they come first
    kinds = jnp.stack([jnp.mean(kind, axis=0) for kind in (gradients[:rare], gradients[rare:])])
    return (rare * kinds[0] + (BATCHES - rare) * kinds[1]) / BATCHES, kinds


def clipped_cloud(c: Array, by: Array) -> dict[str, Array]:
    """The gradients before and after each is clipped, and both means.

    Args:
      c: float ``[]``; the limit, at least 0.
      by: int ``[]``; 0 to clip by norm, 1 by value.

    Returns:
      ``gradients``, ``clipped`` ``[200, 2]``; ``before`` and ``mean`` ``[2]``, their means; ``aside`` ``[2]``, where
      the name of the second is;
      ``kinds_before``, ``kinds`` ``[2, 2]``, the means of the rare ones and of the common ones,
      and ``kinds_kept`` ``[2]``, the percentages of their lengths that are left;
      ``turn``, the degrees between the means; ``kept``, the percentage of the mean's length that
      is left; ``box``, 1 where the limit is a box, by value; ``case``, 0 by norm, 1 by value, 2 where nothing is clipped, 3 where
      nothing is left.
    """
    gradients = jnp.asarray(rare_first())
    by_norm = clip_per_example(gradients, c)
    clipped = jnp.where(by == 0, by_norm, clip_by_value(gradients, -c, c))
    with jax.ensure_compile_time_eval():
        before, kinds_before = means(gradients)
    mean, kinds = means(clipped)
    across = before[0] * mean[1] - before[1] * mean[0]
    case = jnp.where(c == 0, 3, jnp.where(jnp.all(clipped == gradients), 2, by))
    return {
        "gradients": gradients,
        "clipped": clipped,
        "before": before,
        "mean": mean,
        "aside": jnp.array([-0.7, -1.0]),
        "kinds_before": kinds_before,
        "kinds": kinds,
        "kinds_kept": 100 * jnp.linalg.norm(kinds, axis=1) / jnp.linalg.norm(kinds_before, axis=1),
        "turn": jnp.degrees(jnp.abs(jnp.arctan2(across, jnp.dot(before, mean)))),
        "kept": 100 * jnp.linalg.norm(mean) / jnp.linalg.norm(before),
        "box": by,
        "case": case,
    }


_DONE = (
    " leaves the rare gradients’ mean {kinds_kept.0:,.0f} % of its norm, and the common ones’ mean "
    "{kinds_kept.1:,.0f} %. So the mean of all turns by {turn:,.0f}°, away from the rare ones, and keeps "
    "{kept:,.0f} % of its norm."
)


class ClippedCloud(Figure):
    """Minibatch gradients, a limit that each of them is clipped to, and their mean.

    Args:
      c: the limit, in [0, 20], default 1; the slider goes from 0.3 to 3.6.
      by: ``"norm"`` (the default) or ``"value"``.
    """

    spec = FigureSpec(
        function=clipped_cloud,
        controls=(
            Range("c", "limit", "c", 0.3, 3.6, 1.0, 0.01, allowed=(0.0, 20.0)),
            Choice("by", "clip", options=(("norm", "by norm"), ("value", "by value"))),
        ),
        view=Plane(
            (
                Cloud(
                    "gradients",
                    "tips",
                    "ink",
                    "before the clip",
                    label="57 rare",
                    at=(2.65, -1.27),
                ),
                Cloud(
                    "clipped",
                    key="after the clip",
                    tails="gradients",
                    label="143 common",
                    at=(1.3, 1.2),
                ),
                Ring("c", label="limit {c}", drag="c", at=-25.0, square="box"),
                Trail("kinds_before", role="muted", key="mean of each kind, before"),
                Trail("kinds", role="parameter", dots=False, key="mean of each kind, after"),
                Dot("kinds", role="parameter", small=True),
                Vector(
                    "before", "mean before", "ink", towards="before", before=True, unless="mean"
                ),
                Vector("mean", "mean after", "parameter", towards="aside", at=0.0),
                Arc("mean", "before", 0.8, label="{turn:,.0f}°"),
            ),
            x=X,
            y=Y,
            x_label="gradient in weight 1",
            y_label="gradient in weight 2",
        ),
        title="Clip each of 200 gradients, and their mean turns",
        look=(
            "Drag the limit: gradients beyond it are pulled back to it. Each line joins two means, one for each kind of "
            "gradient, rare and common; the mean of all lies on the line."
        ),
        sentences=(
            "Clipping by norm" + _DONE,
            "Clipping by value" + _DONE,
            "At c = {c} no gradient is clipped, so the mean stays as it was.",
            "At c = 0 nothing is left of any gradient.",
        ),
        table=Table(
            columns=(("mean before", "before"), ("mean after", "mean")), rows="along w_{n}", count=2
        ),
        presets=(
            Preset("nearly all clipped", {"c": 0.5, "by": "norm"}),
            Preset("only the rare ones clipped", {"c": 2.3, "by": "norm"}),
        ),
        stills=({"c": 3.6}, {"c": 1.0}, {"c": 1.0, "by": "value"}),
        parts={
            "before": Part("before", "Without a clip the mean is {before}."),
            "mean": Part("mean", "The mean of the clipped gradients is {mean}."),
            "kinds_before": Part(
                "kinds_before",
                "The means of the rare gradients and of the common ones, before clipping.",
            ),
            "kinds": Part("kinds", "Clipping" + _DONE),
        },
        equation=(
            "".join(
                when(f"by={by}", rule)
                for by, rule in {
                    "norm": r"$k_b = g_b \cdot \min(1, \class{c}{\live{c}} / \|g_b\|)$",
                    "value": r"$k_b = \min(\max(g_b, -\class{c}{\live{c}}), \class{c}{\live{c}})$",
                }.items()
            ),
            r"the means: $\class{before}{\bar g = (\live{before.0:,.2f}, \live{before.1:,.2f})}$ "
            r"and $\class{mean}{\bar k = (\live{mean.0:,.2f}, \live{mean.1:,.2f})}$",
        ),
        prediction=Prediction(
            "At c = 1 the mean turns by 46°. By how many degrees does it turn at c = 0.3, which clips nearly "
            "all gradients?",
            answer="turn",
            settings={"c": 0.3, "by": "norm"},
            conceals=("mean",),
            guess=Range("guess", "turned by", "", 0.0, 120.0, 90.0, 1.0),
            unit="°",
            reveal="It turns by {turn:,.0f}°, hardly more. Below c = 0.5 nearly every gradient is clipped to norm c, so "
            "a smaller limit scales them all down alike: their mean shrinks, but keeps its direction.",
        ),
        note=(
            "Each dot is the tip of an arrow from 0: the gradient of half the mean squared error of "
            "<code>y = w · x</code> at <code>w = 0</code>, over a minibatch of four examples, by "
            "<code>jax.grad</code>. About one minibatch in four holds an example of a rare kind, with "
            "other features and an error six times as large."
        ),
    )
