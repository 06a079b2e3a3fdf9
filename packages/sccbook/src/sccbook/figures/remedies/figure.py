"""Recorded runs of every remedy: what each learns, over the rate and over the length of its steps."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Multiples, Profile, Series, Threshold
from sccbook.figures.train_it_here.figure import REMEDIES as WORDS
from sccbook.models import remedies
from sccbook.records import load

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
AT = RATES.index(0.1)
LEARNT, FALLEN = 90, 60
"""Percent named right, above which a run has learnt the task; and below which a line has fallen."""
ACROSS = ("learning rate", "median step", "longest step")
SPAN = (3e-3, 10.0)
SHOWN = ("clip", "normalise", "clip_state", "half", "columns", "spectral")
LINES = tuple(f"line_{name}" for name in remedies.REMEDIES)


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """What is drawn of the runs of plain SGD, ``[remedies, rates]``.

    Places have a leading axis of the steps in ``ACROSS``. Two digits are kept, so that the page is light.
    """
    record = load("remedies")
    every = [
        [
            record.cell(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
            for rate in RATES
        ]
        for remedy, limit in zip(remedies.REMEDIES, remedies.LIMITS, strict=True)
    ]

    def gathered(name: str) -> np.ndarray:
        return np.array([[getattr(cell, name) for cell in row] for row in every])

    right, places = gathered("right"), np.stack([gathered("median_step"), gathered("longest_step")])
    return {
        "middle": np.round(100 * np.median(right, axis=-1)).astype(np.int32),
        "middle_at": np.vectorize(_short)(np.clip(np.median(places, axis=-1), *SPAN)),
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


def compared(remedy: Array, way: Array) -> dict[str, Array]:
    """The runs with one remedy, and the medians of all, over each of ``ACROSS``.

    Args:
      remedy: int ``[]``, the place in ``SHOWN``.
      way: float ``[]``: how far the lines have come from where they stand over the learning rate to where
        they stand over the lengths of their steps; at 0 they stand over the learning rate alone.

    Returns:
      Of each remedy the medians of the percent named right ``[5]``, and where they stand ``[ACROSS, 5]``; of
      the chosen one its steps, and how many seeds of 16 learn at the rate 0.1.
      ``first`` and ``last``: between which places the lines fall, ``[ACROSS]``; ``by_rate``, ``by_median``
      and ``by_longest``: how far apart these are; ``agrees``: over which length they are nearest.
    """
    data = {name: jnp.asarray(array) for name, array in _data().items()}
    rates = jnp.asarray(RATES)

    def moved(rate: Array, steps: Array) -> Array:
        placed = jnp.where(
            way > 0, jnp.exp(jnp.log(rate) * (1 - way) + jnp.log(steps) * way), jnp.nan
        )
        return jnp.concatenate([jnp.broadcast_to(rate, steps.shape[1:])[None], placed])

    row = jnp.asarray([remedies.REMEDIES.index(name) for name in SHOWN])[remedy]
    falls = jnp.asarray(_falls())
    factors = falls[:, 1] / falls[:, 0]
    found = {
        "first": moved(falls[0, 0], falls[1:, 0]),
        "last": moved(falls[0, 1], falls[1:, 1]),
        "by_rate": factors[0],
        "by_median": factors[1],
        "by_longest": factors[2],
        "agrees": jnp.argmin(factors[1:]),
        "helped": data["middle"][row],
        "helped_at": moved(rates, data["middle_at"][:, row]),
        "helped_median": data["middle_at"][0, row],
        "helped_longest": data["middle_at"][1, row],
        "helped_learnt": data["learnt"][row, AT],
        "plain_learnt": data["learnt"][0, AT],
    }
    for n, name in enumerate(LINES):
        found |= {name: data["middle"][n], f"{name}_at": moved(rates, data["middle_at"][:, n])}
    return found


_FALL = f"The lines that rise above {LEARNT} % and then fall below {FALLEN} % do so within a factor of {{by_rate:.0f}}"


class Remedies(Figure):
    """Recorded runs of every remedy, over the learning rate and over the lengths of their steps.

    Args:
      remedy: as the figure names it, default ``"clip the gradient"``.
    """

    spec = FigureSpec(
        function=compared,
        controls=(
            Choice("remedy", "remedy", options=tuple((WORDS[name], WORDS[name]) for name in SHOWN)),
            Range("way", "way", default=1.0),
        ),
        stages=((("remedy",), ()),),
        view=Multiples(
            Profile(
                (
                    *(
                        Series(
                            name,
                            "" if n else "other remedies",
                            "muted",
                            "line",
                            at=f"{name}_at",
                            behind=True,
                        )
                        for n, name in enumerate(LINES[1:])
                    ),
                    Series("line_nothing", "nothing", "ink", "line", at="line_nothing_at"),
                    Series("helped", "{remedy}", "cotangent", "line", at="helped_at"),
                    Series("helped", "", "cotangent", "points", at="helped_at"),
                ),
                y=Axis((0.0, 100.0), label="% named right"),
                x=Axis(SPAN, "log"),
                at="line_nothing_at",
                plot=160,
                thresholds=(
                    Threshold("first", axis="x", to="last"),
                    Threshold("last", axis="x"),
                    Threshold(float(FALLEN), role="muted"),
                ),
            ),
            over=("first", "last", "helped_at", *(f"{name}_at" for name in LINES)),
            titles=(
                "learning rate: falls within ×{by_rate:.0f}",
                "median step: falls within ×{by_median:.0f}",
                "longest step: falls within ×{by_longest:.0f}",
            ),
            across=3,
            across_narrow=1,
            plot_narrow=120,
        ),
        title="Which runs learn?",
        look="Point at a thin line to see which remedy it is. Each line goes through the medians of 16 runs at five "
        "learning rates.",
        sentences=(
            _FALL
            + " in the learning rate, {by_median:.0f} in the median step, {by_longest:.0f} in the longest. At the "
            "rate 0.1, {plain_learnt} of 16 runs learn with “nothing”, and {helped_learnt} with “{remedy}”.",
        ),
        table=Table(
            columns=(
                ("nothing: % right", "line_nothing"),
                ("remedy: % right", "helped"),
                ("its median step", "helped_median"),
                ("its longest step", "helped_longest"),
            ),
            rows=tuple(f"rate {rate:g}" for rate in RATES),
            count=len(RATES),
            general=True,
        ),
        stills=({}, {"remedy": WORDS["normalise"]}, {"remedy": WORDS["spectral"]}),
        parts={
            **{name: Part(name, WORDS[name[5:]]) for name in LINES},
            "helped": Part(
                "helped_learnt", "At the rate 0.1, {value} of 16 learn with “{remedy}”."
            ),
            "first": Part("first", "The first line falls at {value:.2~g}."),
            "last": Part("last", "The last line falls at {value:.2~g}."),
        },
        prediction=Prediction(
            "Against the learning rate the lines fall far apart. Plot the same runs against the length of their "
            "steps. Against which length do the drops lie closest together?",
            answer="agrees",
            how="choice",
            options=("the median step", "the longest step", "both alike"),
            settings={"way": 1.0},
            conceals=("by_median", "by_longest", "helped_median", "helped_longest"),
            reveal="It is the longest step: there the lines fall within a factor of {by_longest:.0f}.",
        ),
        note=(
            "Recorded, not computed here: SGD, 400 steps, seeds 0 to 15, float64; a run has learnt the task if it "
            "names more than 90 % right over its last 50 minibatches. A step longer than 10 stands at the "
            "edge. Limits: half; 0.1 at each state; 1 for the gradient; 1.4 for both caps; 0.3 for the one "
            "length. The protocol is in experiments/remedies."
        ),
    )
