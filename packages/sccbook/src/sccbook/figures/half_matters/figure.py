"""What the half does to a MuZero that learns two games: 64 seeds with it, each less the same seed without."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST
from sccbook.records import load, muzero_half
from sccbook.records.muzero_half import COMPARED, COMPARISONS, GAMES, TASKS

MEASURES = ("area", "final")
WHEN = ("over the whole training", "by the last networks")
APART = tuple(name.replace(" ", "\N{NO-BREAK SPACE}") for name in ("P − off", "R − off", "P − R"))
CORRECTED = 1 - 0.05 / COMPARISONS
MATTERS = 5.0
"""Balls of a hundred, 0.1 of a return: from there on a difference matters, says the protocol."""
VERDICTS = (
    "undecided",
    "too small to matter",
    "a difference, but a small one on average",
    "a difference that matters",
)
REACH = 60.0
"""No seed differs by more balls of a hundred."""
DRAWN = 2
"""Comparisons that are drawn: those with off."""
ENDS = ("", "_low", "_high")


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Paired differences ``[tasks, measures, 3, 64]``, in balls of a hundred, their means and intervals."""
    cells = load("muzero_half").cells
    of = {
        (task, cell.arm, measure): 50 * np.asarray(getattr(cell, measure))  # a return is 1 or -1
        for task in TASKS
        for cell in cells(stage="confirmatory", task=task)
        for measure in MEASURES
    }
    pairs = np.array(
        [
            [[of[task, a, m] - of[task, b, m] for a, b in COMPARED] for m in MEASURES]
            for task in TASKS
        ]
    )
    low, high = np.moveaxis(np.apply_along_axis(muzero_half.interval, -1, pairs, CORRECTED), -1, 0)
    found = {"apart": pairs.mean(axis=-1), "apart_low": low, "apart_high": high}
    return {
        "seeds": np.round(pairs[:, :, :DRAWN], 1),
        **{name: np.round(array, 2) for name, array in found.items()},
    }


def verdict(mean: float, low: float, high: float) -> str:
    """Judge a difference by its corrected interval, as the protocol says, in balls of a hundred."""
    if low > 0 or high < 0:
        return VERDICTS[3 if abs(mean) >= MATTERS else 2]
    return VERDICTS[1 if low > -MATTERS and high < MATTERS else 0]


def half_matters(task: Array, measure: Array) -> dict[str, Array]:
    """Look up the paired differences between the three arms.

    Args:
      task: int ``[]``; a place in ``TASKS``.
      measure: int ``[]``; a place in ``MEASURES``.

    Returns:
      ``seeds [2, 64]``: of ``COMPARED``'s first two, what the first arm catches more than the second,
      in balls of a hundred, seed by seed; ``apart``, ``apart_low``, ``apart_high [3]``: all three means,
      with intervals corrected for six comparisons; ``answer``, P's; ``case``.
    """
    found = {name: jnp.asarray(array)[task, measure] for name, array in _data().items()}
    return {**found, "answer": found["apart"][0], "case": 2 * task + measure}


def _sentence(task: int, measure: int) -> str:
    """Say the differences and the protocol's verdicts on them: which words, the data decide."""
    data = _data()
    judged = [
        f"{name} is {{apart.{n}:.1f}} balls of 100 ({{apart_low.{n}:.1f}} to {{apart_high.{n}:.1f}}), "
        + verdict(*(data[f"apart{end}"][task, measure, n] for end in ENDS))
        for n, name in enumerate(APART[:DRAWN])
    ]
    return f"In {GAMES[task]}, {WHEN[measure]}: {'; '.join(judged)}."


@dataclass(frozen=True)
class Paired(View):
    """Dots for differences, piled up, with their means and intervals; and the zone that is too small to matter.

    Attributes:
      names: of each row: its name, more words where there is room, and a template of what was found.
      span: the ends of the axis.
      small: how far the zone reaches on both sides of 0.
    """

    names: Sequence[tuple[str, str, str]]
    span: tuple[float, float]
    small: float
    kind = "paired"
    script = DIST / "paired.js"
    reads = ("seeds", "apart", "apart_low", "apart_high")


class HalfMatters(Figure):
    """What the half does to a MuZero that learns two games.

    Args:
      task: ``"catch"`` (the default) or ``"long"``.
      measure: ``"area"`` (the default), over the whole training; or ``"final"``.
    """

    spec = FigureSpec(
        function=half_matters,
        controls=(
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice("measure", "caught", options=tuple(zip(MEASURES, WHEN, strict=True))),
        ),
        view=Paired(
            tuple(
                (
                    name,
                    f": the half {where} the heads",
                    f"{{apart.{n}:.1f}} ({{apart_low.{n}:.1f}} to {{apart_high.{n}:.1f}})",
                )
                for n, (name, where) in enumerate(zip(APART, ("after", "before"), strict=False))
            ),
            (-REACH, REACH),
            MATTERS,
        ),
        title="64 seeds with the half, each less the same seed without",
        look="A dot is a seed, a diamond the mean of its row, with its corrected interval.",
        labels={
            "less": "← better without",
            "more": "better with the half →",
            "small": "too small to matter",
            "axis": "difference, in balls of 100",
            "guess": "your guess",
        },
        sentences=[_sentence(task, measure) for task in range(2) for measure in range(2)],
        table=Table(
            columns=(("mean", "apart"), ("from", "apart_low"), ("to", "apart_high")),
            rows=APART,
            count=len(APART),
            general=True,
        ),
        stills=tuple({"task": task, "measure": measure} for task in TASKS for measure in MEASURES),
        parts={
            "seeds": Part("apart", "A dot is a seed: with the half, less without it."),
            "apart": Part("apart", "On average the arm with the half catches {value:.1f} more."),
        },
        prediction=Prediction(
            "In Catch, P catches 3.2 balls of 100 more than off. How many more does it catch in long Catch, over the "
            "whole training?",
            answer="answer",
            settings={"task": "long", "measure": "area"},
            conceals=("seeds", "apart", "case"),
            guess=Range("guess", "balls of 100", "", -20.0, 20.0, 10.0, 0.5),
            reveal="It’s {apart.0:.1f}, and the whole interval, {apart_low.0:.1f} to {apart_high.0:.1f}, lies within 5 "
            "of 0: in this game, no difference that matters.",
        ),
        note=(
            "Recorded with Adam and K = 5, by a protocol that was written before the runs: experiments/muzero_half. "
            "Off is without the half. Each arm has a learning rate tuned for it, and all have the same 64 seeds: the same first networks and balls. A ball caught "
            "is a return of 1, one missed of −1, so 5 balls of 100 are 0.1 of the mean return, from which on the protocol says that a "
            "difference matters. Intervals are corrected for six comparisons. In long Catch the ball "
            "falls 13 rows, drifts and bounces, and the paddle obeys only the first three moves."
        ),
    )
