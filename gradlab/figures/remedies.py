"""Recorded runs of every remedy: what each learns, over the rate and over the length of its steps."""

from __future__ import annotations

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure import Choice, Prediction, Range
from gradlab.figure.spec import FigureSpec, Part, Table
from gradlab.figure.views import Axis, Profile, Series
from gradlab.figure.widget import Figure
from gradlab.figures.train_it_here import REMEDIES as WORDS
from gradlab.unroll import recorded, remedies

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
AT = RATES.index(0.1)
LEARNT = 90
"""Percent named right, above which a run has learnt the task."""
ACROSS = ("median step", "longest step", "learning rate")
SPAN = (1e-3, 1e3)
SHOWN = ("clip", "normalise", "clip_state", "half", "columns", "spectral")
NORMALISE = remedies.REMEDIES.index("normalise")
EVERY = remedies.LIMITS[NORMALISE] * RATES[AT + 1]
"""The length that ``normalise`` gives to every step at the rate 0.3: that of the median step of nothing at 0.1."""


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """What is drawn of the runs of plain SGD, ``[remedies, rates]`` and, of ``runs`` and ``runs_at``, seeds.

    Places have a leading axis of the steps in ``ACROSS``. Two digits are kept, so that the page is light.
    """
    every = [
        [
            recorded.cells(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)[0]
            for rate in RATES
        ]
        for remedy, limit in zip(remedies.REMEDIES, remedies.LIMITS, strict=True)
    ]

    def gathered(name: str) -> np.ndarray:
        return np.array([[getattr(cell, name) for cell in row] for row in every])

    right, places = gathered("right"), np.stack([gathered("median_step"), gathered("longest_step")])
    return {
        "runs": np.round(100 * right).astype(np.int32),
        "runs_at": np.vectorize(_short)(np.minimum(places, SPAN[1])),
        "middle": np.round(100 * np.median(right, axis=-1)).astype(np.int32),
        "middle_at": np.vectorize(_short)(np.minimum(np.median(places, axis=-1), SPAN[1])),
        "learnt": np.sum(100 * right > LEARNT, axis=-1).astype(np.int32),
    }


def _short(number: float) -> float:
    return float(f"{number:.2g}")


def compared(across: Array, remedy: Array) -> dict[str, Array]:
    """The runs with one remedy, those with none, and the medians of both.

    Args:
      across: int ``[]``, the place in ``ACROSS``.
      remedy: int ``[]``, the place in ``SHOWN``.

    Returns:
      Of both kinds the percent named right and where it stands: of each run ``[80]``, and medians at
      each rate ``[5]``; at the rate 0.1 how many seeds of 16 learn, and the medians of their steps;
      and how many learn where every step is ``EVERY`` long.
    """
    data = {name: jnp.asarray(array) for name, array in _data().items()}
    rates = jnp.asarray(RATES)
    by_rate = across == ACROSS.index("learning rate")
    steps = jnp.minimum(across, 1)
    rows = jnp.asarray([remedies.REMEDIES.index(name) for name in SHOWN])
    found = {"matched": data["learnt"][NORMALISE, AT + 1]}
    for name, row in (("plain", 0), ("helped", rows[remedy])):
        runs_at, middle_at = data["runs_at"][steps, row], data["middle_at"][steps, row]
        found |= {
            f"{name}_runs": data["runs"][row].reshape(-1),
            f"{name}_runs_at": jnp.where(by_rate, rates[:, None], runs_at).reshape(-1),
            name: data["middle"][row],
            f"{name}_at": jnp.where(by_rate, rates, middle_at),
            f"{name}_learnt": data["learnt"][row, AT],
            f"{name}_longest": data["middle_at"][1, row, AT],
            f"{name}_middle": data["middle_at"][0, row, AT],
        }
    return found


@functools.cache
def _spec() -> FigureSpec:
    return FigureSpec(
        function=compared,
        controls=(
            Choice("across", "across", options=tuple((name, f"the {name}") for name in ACROSS)),
            Choice("remedy", "remedy", options=tuple((name, WORDS[name]) for name in SHOWN)),
        ),
        view=Profile(
            (
                Series("plain_runs", "", "muted", "points", at="plain_runs_at"),
                Series("helped_runs", "", "cotangent", "points", at="helped_runs_at"),
                Series("plain", "nothing", "ink", "line", at="plain_at"),
                Series("helped", "the remedy", "cotangent", "line", at="helped_at"),
            ),
            y=Axis((0.0, 100.0), label="% named right at the end"),
            x=Axis(SPAN, "log", label="{across}"),
            at="plain_at",
        ),
        title="Which runs learn?",
        look="Each dot is a run, each line goes through the medians at five rates. Choose what is drawn across.",
        sentences=(
            "At the rate 0.1, {plain_learnt} of 16 seeds learn with nothing done: their median step is "
            "{plain_middle:.2~g} long, the longest {plain_longest:.2~g}. With the remedy {helped_learnt} of 16 "
            "learn: median {helped_middle:.2~g}, longest {helped_longest:.2~g}.",
        ),
        table=Table(
            columns=(
                ("nothing: place", "plain_at"),
                ("% right", "plain"),
                ("remedy: place", "helped_at"),
                ("% right", "helped"),
            ),
            rows=tuple(f"rate {rate:g}" for rate in RATES),
            count=len(RATES),
            general=True,
        ),
        stills=(
            {"remedy": "clip", "across": "median step"},
            {"remedy": "clip", "across": "longest step"},
            {"remedy": "columns", "across": "longest step"},
        ),
        parts={
            "plain": Part(
                "plain_learnt", "At the rate 0.1, {value} of 16 learn with nothing done."
            ),
            "helped": Part(
                "helped_learnt", "At the rate 0.1, {value} of 16 learn with the remedy."
            ),
        },
        prediction=Prediction(
            "At the rate 0.1 and with nothing done, half of the steps are shorter than 0.1, and no run of 16 "
            f"learns the task. Now every step is made {EVERY:.2g} long. How many of 16 learn it?",
            answer="matched",
            settings={"remedy": "normalise", "across": "median step"},
            conceals=("helped", "helped_at", "helped_runs", "helped_runs_at", "helped_learnt"),
            waiting="At the rate 0.1, {plain_learnt} of 16 seeds learn with nothing done: their median step is "
            "{plain_middle:.2~g} long, the longest {plain_longest:.2~g}.",
            guess=Range("guess", "your guess", "", 0, 16, 8, 1),
            reveal="{matched} of 16 learn it: the middle step is about as long as before, and none is longer.",
        ),
        note=(
            "Recorded, not computed here: SGD, 400 steps, seeds 0 to 15, float64; a run has learnt the task if it "
            "names more than 90 % right over its last 50 minibatches. A step longer than 1,000 stands at the "
            "edge. Limits: half; 0.1 at each state; 1 for "
            "the whole gradient; 1.4 for both caps; 0.3 for the one length. The protocol is in "
            "experiments/remedies."
        ),
    )


class Remedies(Figure):
    """Recorded runs of every remedy, over the length of their steps or the rate.

    Args:
      across: ``"median step"``, ``"longest step"`` or ``"learning rate"``.
      remedy: one of ``gradlab.unroll.remedies.REMEDIES`` but ``"nothing"``, default ``"clip"``.
    """

    @property
    def spec(self) -> FigureSpec:  # type: ignore[override]  # the others' are made on import
        return _spec()
