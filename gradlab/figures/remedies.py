"""Recorded runs of every remedy: what each learns, over the rate and over the length of its steps."""

from __future__ import annotations

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure import Choice, Prediction
from gradlab.figure.spec import FigureSpec, Part, Table
from gradlab.figure.views import Axis, Profile, Series, Threshold
from gradlab.figure.widget import Figure
from gradlab.figures.train_it_here import REMEDIES as WORDS
from gradlab.unroll import recorded, remedies

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
AT = RATES.index(0.1)
LEARNT, FALLEN = 90, 60
"""Percent named right, above which a run has learnt the task; and below which a line has fallen."""
ACROSS = ("learning rate", "median step", "longest step")
SPAN = (2e-3, 500.0)
SHOWN = ("clip", "normalise", "clip_state", "half", "columns", "spectral")
LINES = tuple(f"line_{name}" for name in remedies.REMEDIES[1:])


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


def _falls() -> np.ndarray:
    """Where the first and the last line fall, ``[ACROSS, 2]``, among those that learn the task and forget it."""
    data = _data()
    places = [np.broadcast_to(RATES, data["middle"].shape), *data["middle_at"]]
    found = []
    for at in places:
        falls = [
            np.exp(np.interp(-FALLEN, -line[top:], np.log(each[top:])))
            for line, each in zip(data["middle"], at, strict=True)
            for top in [int(np.argmax(line))]
            if line.max() > LEARNT and line[-1] < FALLEN
        ]
        found.append((min(falls), max(falls)))
    return np.array(found)


def compared(across: Array, remedy: Array) -> dict[str, Array]:
    """The runs with one remedy, those with none, and the medians of all.

    Args:
      across: int ``[]``, the place in ``ACROSS``.
      remedy: int ``[]``, the place in ``SHOWN``.

    Returns:
      Of one remedy and of none the percent named right and where it stands: of each run ``[80]``,
      medians at each rate ``[5]`` and at the rate 0.1 ``[1]``; there also how many seeds of 16 learn. Of every remedy the medians. ``first`` and ``last``: between
      which places the lines fall; ``factor``: how far apart these are; ``agrees``: over which length they
      are nearest to each other.
    """
    data = {name: jnp.asarray(array) for name, array in _data().items()}
    by_rate = across == ACROSS.index("learning rate")
    steps = jnp.maximum(across - 1, 0)
    middle_at = jnp.where(by_rate, jnp.asarray(RATES), data["middle_at"][steps])
    rows = jnp.asarray([remedies.REMEDIES.index(name) for name in SHOWN])
    falls = _falls()
    found = {
        "first": jnp.asarray(falls)[across, 0],
        "last": jnp.asarray(falls)[across, 1],
        "factor": jnp.asarray(falls[:, 1] / falls[:, 0])[across],
        "agrees": jnp.asarray(np.argmin(falls[1:, 1] / falls[1:, 0])),
    }
    for name, row in (("plain", 0), ("helped", rows[remedy])):
        runs_at = jnp.where(by_rate, jnp.asarray(RATES)[:, None], data["runs_at"][steps, row])
        found |= {
            f"{name}_runs": data["runs"][row].reshape(-1),
            f"{name}_runs_at": runs_at.reshape(-1),
            name: data["middle"][row],
            f"{name}_at": middle_at[row],
            f"{name}_here": data["middle"][row, AT : AT + 1],
            f"{name}_here_at": middle_at[row, AT : AT + 1],
            f"{name}_learnt": data["learnt"][row, AT],
        }
    for row, name in enumerate(LINES, 1):
        found |= {name: data["middle"][row], f"{name}_at": middle_at[row]}
    return found


@functools.cache
def _spec() -> FigureSpec:
    return FigureSpec(
        function=compared,
        controls=(
            Choice("across", "across", options=tuple((name, f"the {name}") for name in ACROSS)),
            Choice("remedy", "remedy", options=tuple((WORDS[name], WORDS[name]) for name in SHOWN)),
        ),
        view=Profile(
            (
                *(
                    Series(name, "", "muted", "line", at=f"{name}_at", behind=True)
                    for name in LINES
                ),
                Series("plain_runs", "", "ink", "points", at="plain_runs_at"),
                Series("helped_runs", "", "cotangent", "points", at="helped_runs_at"),
                Series("plain", "nothing", "ink", "line", at="plain_at"),
                Series("helped", "{remedy}", "cotangent", "line", at="helped_at"),
                Series("plain_here", "", "ink", "points", at="plain_here_at"),
                Series("helped_here", "", "cotangent", "points", at="helped_here_at"),
            ),
            y=Axis((0.0, 100.0), label="% named right at the end"),
            x=Axis(SPAN, "log", label="{across}"),
            at="plain_at",
            thresholds=(Threshold("first", axis="x"), Threshold("last", axis="x")),
        ),
        title="Which runs learn?",
        look="Each dot is a run, each line goes through the medians at five rates: the large marks are those at 0.1.",
        sentences=(
            f"Across the {{across}}, the lines fall below {FALLEN} % between {{first:.2~g}} and {{last:.2~g}}, a factor of "
            "{factor:.0f}. At the rate 0.1, {plain_learnt} of 16 runs learn with nothing done, and {helped_learnt} with "
            "this remedy: {remedy}.",
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
        stills=tuple({"across": across} for across in ACROSS),
        parts={
            "plain": Part(
                "plain_learnt", "At the rate 0.1, {value} of 16 learn with nothing done."
            ),
            "helped": Part(
                "helped_learnt", "At the rate 0.1, {value} of 16 learn with the remedy."
            ),
            "first": Part("first", "The first line falls at {value:.2~g}."),
            "last": Part("last", "The last line falls at {value:.2~g}."),
            **{line: Part(line, f"Medians: {WORDS[line[5:]]}.") for line in LINES},
        },
        prediction=Prediction(
            "Across the learning rate, the lines fall at very different places. Draw the same runs across the length of "
            "their steps instead: which length makes the lines fall at nearly the same place?",
            answer="agrees",
            how="choice",
            options=("the median step", "the longest step"),
            settings={"across": "longest step"},
            holds={"across": "learning rate"},
            reveal="It is the longest step: across it, the lines fall between {first:.2~g} and {last:.2~g}.",
        ),
        note=(
            "Recorded, not computed here: SGD, 400 steps, seeds 0 to 15, float64; a run has learnt the task if it "
            "names more than 90 % right over its last 50 minibatches. A step longer than 500 stands at the "
            "edge. Limits: half; 0.1 at each state; 1 for the gradient; 1.4 for both caps; 0.3 for the one "
            "length. The sentence counts the lines that rise above 90 % and fall. The protocol is in "
            "experiments/remedies."
        ),
    )


class Remedies(Figure):
    """Recorded runs of every remedy, over the learning rate or the length of their steps.

    Args:
      across: ``"learning rate"``, ``"median step"`` or ``"longest step"``.
      remedy: as the figure names it, default ``"clip the gradient"``.
    """

    @property
    def spec(self) -> FigureSpec:  # type: ignore[override]  # the others' are made on import
        return _spec()
