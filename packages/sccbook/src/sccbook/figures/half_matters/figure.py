"""What the half changes in a MuZero, by how far it is unrolled in training: pairs of agents, with it and without."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array
from scipy import stats

from explorax import Choice, Integer, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from sccbook.records import half_by_depth

OPTIMIZERS = (("adam", "Adam"), ("sgd", "SGD, momentum"))
MEASURES = (
    ("late", "in the last fifth of training"),
    ("area", "in all of training"),
    ("final", "by the final networks"),
)
VERDICTS = (
    "So it grows with K",
    "So it falls with K",
    "So these pairs don’t show whether it changes with K",
    "So it grows with K, but by too little to matter",
    "So it falls with K, but by too little to matter",
    "So any change with K is too small to matter",
)
DOUBLINGS = np.log2(half_by_depth.LENGTHS) - np.mean(np.log2(half_by_depth.LENGTHS))
REACH = (-20.0, 40.0)
"""The ends of the axis, in balls caught in 100."""
LEAST = 8
"""The fewest pairs: with fewer, intervals run off the axis."""


@functools.cache
def _data() -> np.ndarray:
    """Return how many more balls in 100 P catches than off: ``[optimizers, measures, lengths, seeds]``."""
    return np.round(
        [
            [half_by_depth.apart(optimizer, measure) for measure, _ in MEASURES]
            for optimizer, _ in OPTIMIZERS
        ],
        2,
    )


SEEDS = _data().shape[-1]


def half_matters(seeds: Array, optimizer: Array, measure: Array) -> dict[str, Array]:
    """Compute what the half changes at each K, from the first ``seeds`` recorded pairs.

    Args:
      seeds: int ``[]``; how many pairs to use, from 8 to all.
      optimizer: int ``[]``; an index into ``OPTIMIZERS``.
      measure: int ``[]``; an index into ``MEASURES``.

    Returns:
      ``lengths [4]``, K; ``apart``, ``low``, ``high [4]``: how many more balls in 100 agents with
      the half catch, and the 95 % interval; ``line [4]``, the least-squares line on log2 K;
      ``slope``, per doubling, with its 97.5 % interval ``slope_low`` to ``slope_high``; ``case``, an index into ``VERDICTS``.
    """
    data = jnp.asarray(_data())[optimizer, measure]
    used = jnp.arange(SEEDS) < seeds
    each = jnp.concatenate([data, (DOUBLINGS @ data / (DOUBLINGS @ DOUBLINGS))[None]])
    mean = jnp.sum(used * each, axis=1) / seeds
    error = jnp.sqrt(jnp.sum(used * (each - mean[:, None]) ** 2, axis=1) / (seeds - 1) / seeds)
    at_95 = _quantiles(0.95)[seeds] * error
    reach = at_95.at[4].set(_quantiles(0.975)[seeds] * error[4])
    low, high = mean - reach, mean + reach
    small = jnp.abs(mean[4]) + at_95[4] < half_by_depth.MATTERS
    return {
        "lengths": jnp.asarray(half_by_depth.LENGTHS, float),
        "apart": mean[:4],
        "low": low[:4],
        "high": high[:4],
        "line": jnp.mean(mean[:4]) + mean[4] * DOUBLINGS,
        "slope": mean[4],
        "slope_low": low[4],
        "slope_high": high[4],
        "last": mean[3],
        "case": jnp.where(low[4] > 0, 0, jnp.where(high[4] < 0, 1, 2)) + 3 * small,
    }


def _quantiles(level: float) -> Array:
    """Return Student's t for the interval of a mean of n numbers, at index n."""
    found = stats.t.ppf((1 + level) / 2, np.maximum(np.arange(SEEDS + 1) - 1, 1))
    return jnp.asarray(np.round(found, 4))


_ADAM = float(_data()[0, 0, -1].mean())


class HalfMatters(Figure):
    """What the half changes in a MuZero, plotted against K.

    Args:
      seeds: how many of the recorded pairs to use, 8 to 96 (the default).
      optimizer: ``"adam"`` (the default) or ``"sgd"``.
      measure: ``"late"`` (the default), ``"area"`` or ``"final"``.
    """

    spec = FigureSpec(
        function=half_matters,
        controls=(
            Integer("seeds", "pairs of agents used", "n", LEAST, SEEDS, SEEDS, plays=True),
            Choice("optimizer", "optimizer", options=OPTIMIZERS),
            Choice("measure", "caught", options=MEASURES),
        ),
        view=Profile(
            (
                Series("line", "", "muted", "line", behind=True),
                Series(
                    "apart", "mean, 95 % interval", "parameter", "points", low="low", high="high"
                ),
            ),
            y=Axis(REACH, label="extra balls in 100 caught with the half"),
            x=Axis((1.7, 24.0), "log", label="K, unroll steps in training"),
            at="lengths",
            thresholds=(Threshold(0.0, role="muted"),),
            level=True,
            data=("optimizer", "measure"),
            plot=240,
        ),
        title="Does the half help more in longer unrolls?",
        look="Each point is the mean difference over pairs of agents: one with the half, one without. Drag n to use fewer "
        "pairs, and watch how far the points and their intervals move.",
        sentences=[
            f"Over these {{seeds}} pairs, the half’s effect changes by {{slope:.1f}} balls in 100 each time K doubles ({{slope_low:.1f}} to {{slope_high:.1f}}, "
            f"97.5\N{NO-BREAK SPACE}% interval). {verdict}."
            for verdict in VERDICTS
        ],
        table=Table(
            columns=(("with the half − without", "apart"), ("from", "low"), ("to", "high")),
            rows=tuple(f"K = {steps}" for steps in half_by_depth.LENGTHS),
            count=len(half_by_depth.LENGTHS),
            general=True,
        ),
        parts={
            "apart": Part("apart", "With the half, agents catch {value:.1f} more balls in 100.")
        },
        stills=({}, {"optimizer": "sgd"}),
        prediction=Prediction(
            f"With Adam and K = 20, agents with the half catch {_ADAM:.1f} balls of 100 more. How many more do they catch with SGD and K = 20?",
            answer="last",
            guess=Range("guess", "more balls", "", *REACH, 0.0, 0.1),
            settings={"seeds": SEEDS, "optimizer": "sgd", "measure": "late"},
            conceals=("apart", "line", "last", "case"),
            reveal="{last:.1f} ({low.3:.1f} to {high.3:.1f}, 95\N{NO-BREAK SPACE}%).",
        ),
        note=(
            "The protocol was written before the runs: experiments/half_by_depth. The two agents of a pair began with the same "
            "networks and the same games. Each was trained three times, at its best learning rate, at half and at twice that, and the three results are "
            "averaged. The best rates were chosen on other agents. For each agent, the last fifth of training is 7,680 games over the three rates, and "
            "the final networks played another 1,536. The line is fitted to the four means. "
            "A change is too little to matter if its 95\N{NO-BREAK SPACE}% interval lies between −3 and 3 balls each time K doubles."
        ),
    )
