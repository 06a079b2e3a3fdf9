"""What the half does to a MuZero that learns two games: what you expect, and what 64 seeds say."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Multiples, Panels, Profile, Series, Threshold
from sccbook.records import load, muzero_half
from sccbook.records.muzero_half import ARMS, COMPARED, COMPARISONS, GAMES, RANDOM, TASKS

MEASURES = ("area", "final")
WHEN = ("over the whole training", "at its end")
APART = tuple(name.replace(" ", "\N{NO-BREAK SPACE}") for name in ("P − off", "R − off", "P − R"))
CORRECTED = 1 - 0.05 / COMPARISONS
WORTH = 5.0
"""Points of a hundred, 0.1 of a return: from there on a difference is worth speaking of."""
VERDICTS = (
    "open at this size",
    "no effect worth speaking of",
    "an effect, with a mean not worth speaking of",
    "an effect worth speaking of",
)
ENDS = ("", "_low", "_high")
DRAWN = tuple(f"apart_drawn{end}" for end in ENDS)
ROWS = tuple(f"rows{end}" for end in (*ENDS, "_return"))


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Means, paired differences and their intervals, in per cent caught: ``[tasks, measures, 3]``."""

    def found(task: str, measure: str) -> np.ndarray:
        of = {
            cell.arm: 50 * (1 + np.asarray(getattr(cell, measure)))  # a return is 1 or -1
            for cell in load("muzero_half").cells(stage="confirmatory", task=task)
        }
        means = [(of[arm].mean(), *muzero_half.interval(of[arm])) for arm in ARMS]
        pairs = [of[first] - of[second] for first, second in COMPARED]
        apart = [(pair.mean(), *muzero_half.interval(pair, CORRECTED)) for pair in pairs]
        return np.round([*np.transpose(means), *np.transpose(apart)], 2)

    every = np.array([[found(task, measure) for measure in MEASURES] for task in TASKS])
    names = [f"{name}{end}" for name in ("means", "apart") for end in ENDS]
    return dict(zip(names, np.moveaxis(every, 2, 0), strict=True))


def verdict(mean: float, low: float, high: float) -> str:
    """Judge a difference by its corrected interval, as the protocol says, in points of a hundred."""
    if low > 0 or high < 0:
        return VERDICTS[3 if abs(mean) >= WORTH else 2]
    return VERDICTS[1 if low > -WORTH and high < WORTH else 0]


def half_matters(task: Array, measure: Array) -> dict[str, Array]:
    """Look up what the three arms catch, and their paired differences.

    Args:
      task: int ``[]``; a place in ``TASKS``.
      measure: int ``[]``; a place in ``MEASURES``.

    Returns:
      ``means``, ``means_low``, ``means_high`` ``[3]``: per cent of the balls that each of ``ARMS`` catches,
      and the 95 % interval; ``apart``, ``apart_low``, ``apart_high`` ``[3]``: ``COMPARED``, in points of a
      hundred, with intervals corrected for six comparisons; ``DRAWN`` ``[1, 3]``, the same for a picture of
      its own; ``ROWS`` ``[6]``, both for the table, and as returns; ``random`` ``[3]``, what random play
      catches; ``case``.
    """
    found = {name: jnp.asarray(array)[task, measure] for name, array in _data().items()}
    both = [jnp.concatenate([found[f"means{end}"], found[f"apart{end}"]]) for end in ENDS]
    returned = both[0] / 50 - jnp.array([1, 1, 1, 0, 0, 0])
    return {
        **found,
        **{name: found[f"apart{end}"][None] for name, end in zip(DRAWN, ENDS, strict=True)},
        **dict(zip(ROWS, [*both, returned], strict=True)),
        "random": jnp.broadcast_to(jnp.asarray(RANDOM)[task], (3,)),
        "case": 2 * task + measure,
    }


def _sentence(task: int, measure: int) -> str:
    """Say the differences and the protocol's verdicts on them: which words, the data decide."""
    data = _data()
    judged = [
        f"{name} = {{apart.{n}:.1f}} ({{apart_low.{n}:.1f}} to {{apart_high.{n}:.1f}}), "
        + verdict(*(data[f"apart{end}"][task, measure, n] for end in ENDS))
        for n, name in enumerate(APART)
    ]
    return f"{GAMES[task]}, {WHEN[measure]}, in points of a hundred: {'; '.join(judged)}."


def _spec() -> FigureSpec:
    data = _data()
    reach = 5.0 * np.ceil(
        max(max(np.abs(data[f"apart{end}"]).max() for end in ENDS), 2 * WORTH) / 5
    )
    apart = Profile(
        (Series(DRAWN[0], "", "parameter", "points", DRAWN[1], DRAWN[2]),),
        y=Axis((-reach, reach)),
        names=APART,
        thresholds=(Threshold(WORTH), Threshold(-WORTH)),
        plot=180,
    )
    return FigureSpec(
        function=half_matters,
        controls=(
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice("measure", "measured", options=tuple(zip(MEASURES, WHEN, strict=True))),
        ),
        view=Panels(
            (
                (
                    "",
                    Profile(
                        (
                            Series("means", "", "state", low="means_low", high="means_high"),
                            Series("random", "random play", "ink", "outline"),
                        ),
                        y=Axis((0.0, 100.0), label="balls caught, %"),
                        names=ARMS,
                        plot=180,
                    ),
                ),
                # one of one, for a picture upon which nothing is sketched
                ("", Multiples(apart, over=DRAWN, titles="difference, in points of 100")),
            ),
            wide="beside",
        ),
        title="With the half, and without it",
        look=f"The differences are paired by seed. One whose whole interval lies between the lines at −{WORTH:.0f} and "
        f"{WORTH:.0f} isn’t worth speaking of.",
        sentences=[_sentence(task, measure) for task in range(2) for measure in range(2)],
        table=Table(
            columns=tuple(
                zip(("% caught, or points", "from", "to", "as a return"), ROWS, strict=True)
            ),
            rows=(*ARMS, *APART),
            count=6,
            general=True,
        ),
        stills=tuple({"task": task, "measure": measure} for task in TASKS for measure in MEASURES),
        parts={
            "means": Part("means", "Of 100 balls it catches {value:.1f}."),
            "random": Part("random", "Of 100 balls random play catches {value:.0f}."),
            DRAWN[0]: Part("apart", "The difference is {value:.1f} points."),
        },
        prediction=Prediction(
            "A small MuZero learns Catch, with 64 seeds: without the half (off), with it after the heads (P), and "
            "before them (R). How many of 100 balls does each catch over the whole training? Drag the bars.",
            answer="means",
            how="sketch",
            settings={"task": "catch", "measure": "area"},
            conceals=(*data, *DRAWN, *ROWS, "case"),
            guess=Range("guess", "your guess", "", 0.0, 100.0, 50.0, 1.0),
            reveal="It’s {means.0:.1f} % for off, {means.1:.1f} % for P and {means.2:.1f} % for R.",
        ),
        note=(
            "Recorded with Adam and K = 5, by a protocol that was written before the runs: experiments/muzero_half. Each arm has a learning rate "
            "tuned for it, and all have the same 64 seeds. A ball caught is a return of 1, one missed of −1, so "
            f"{WORTH:.0f} points are 0.1 of the mean return, from which on an effect is worth speaking of. Bars "
            "have 95 % intervals; those of the differences are corrected for six comparisons. In long Catch the ball "
            "falls 13 rows, drifts and bounces, and the paddle obeys only the first three moves."
        ),
    )


class HalfMatters(Figure):
    """What the half does to a MuZero that learns two games.

    Args:
      task: ``"catch"`` (the default) or ``"long"``.
      measure: ``"area"`` (the default), over the whole training; or ``"final"``.
    """

    spec = _spec()
