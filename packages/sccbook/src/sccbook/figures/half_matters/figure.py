"""What the half does to a MuZero that learns two games: 64 pairs of agents, with it and without."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST
from sccbook.records import load, muzero_half
from sccbook.records.muzero_half import ARMS, COMPARED, COMPARISONS, GAMES, TASKS

MEASURES = ("area", "final")
WHEN = ("over the whole training", "at the end of the training")
HALVES = ("half after the heads", "half before the heads")
SOURCES = ("MuZero’s pseudocode", "several ports")
CORRECTED = 1 - 0.05 / COMPARISONS
MATTERS = 5.0
"""Balls of a hundred, 0.1 of a return: from there on a difference matters, says the protocol."""
VERDICTS = (
    "undecided, as the interval includes 0 but reaches beyond the grey band",
    "too small to matter, as the interval includes 0 and stays in the grey band",
    "a small difference, as the interval excludes 0 and the mean is in the grey band",
    "a difference that matters, as the interval excludes 0 and the mean is outside the grey band",
)
REACH = 60.0
"""No seed differs by more balls of a hundred."""
DRAWN = len(HALVES)
"""Comparisons that are drawn: those with off."""
ENDS = ("", "_low", "_high")


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Balls caught of a hundred ``[tasks, measures, arms, 64]``, mean paired differences and their intervals."""
    caught = np.array(
        [
            [
                [getattr(cell(stage="confirmatory", task=task, arm=arm), m) for arm in ARMS]
                for m in MEASURES
            ]
            for cell in (load("muzero_half").cell,)
            for task in TASKS
        ]
    )
    caught = 50 * (1 + caught)  # a return is 1 or -1
    of = dict(zip(ARMS, np.moveaxis(caught, 2, 0), strict=True))
    pairs = np.stack([of[a] - of[b] for a, b in COMPARED], axis=2)
    low, high = np.moveaxis(np.apply_along_axis(muzero_half.interval, -1, pairs, CORRECTED), -1, 0)
    found = {"apart": pairs.mean(axis=-1), "apart_low": low, "apart_high": high}
    return {
        "caught": np.round(caught, 1),
        **{name: np.round(array, 2) for name, array in found.items()},
    }


def verdict(mean: float, low: float, high: float) -> str:
    """Judge a difference by its corrected interval, as the protocol says, in balls of a hundred."""
    if low > 0 or high < 0:
        return VERDICTS[3 if abs(mean) >= MATTERS else 2]
    return VERDICTS[1 if low > -MATTERS and high < MATTERS else 0]


def half_matters(seed: Array, task: Array, measure: Array) -> dict[str, Array]:
    """Look up what the agents caught, and the paired differences between the three arms.

    Args:
      seed: int ``[]``; the pair, 1 to 64.
      task: int ``[]``; a place in ``TASKS``.
      measure: int ``[]``; a place in ``MEASURES``.

    Returns:
      ``seeds [2, 64]``: of ``COMPARED``'s first two, what the first arm catches more than the second,
      in balls of a hundred, seed by seed; ``caught [3]``, by the arms with that seed; ``apart``,
      ``apart_low``, ``apart_high [3]``: all three means, with intervals corrected for six comparisons;
      ``answer``, the first mean; ``case``.
    """
    found = {name: jnp.asarray(array)[task, measure] for name, array in _data().items()}
    caught = found.pop("caught")
    return {
        **found,
        "seeds": caught[1:] - caught[0],
        "caught": caught[:, seed - 1],
        "answer": found["apart"][0],
        "case": 2 * task + measure,
    }


def _sentence(task: int, measure: int) -> str:
    """Say the differences and the protocol's verdicts on them: which words, the data decide."""
    data = _data()
    found = np.stack([data[f"apart{end}"][task, measure, :DRAWN] for end in ENDS], axis=1)
    judged = [
        f"{'+' if mean > 0 else ''}{{apart.{n}:.1f}} ({{apart_low.{n}:.1f}} to {{apart_high.{n}:.1f}}): "
        + verdict(mean, *ends)
        for n, (mean, *ends) in enumerate(found)
    ]
    return (
        f"Out of 100 balls in {GAMES[task]}, {WHEN[measure]}, the {HALVES[0]} changes the catch by {judged[0]}. "
        f"The {HALVES[1]} changes it by {judged[1]}."
    )


@dataclass(frozen=True)
class Paired(View):
    """Dots for differences, piled up, with their means and intervals; and the zone that is too small to matter.

    Attributes:
      names: of each row: its name, and templates of what was found on average and of the chosen pair.
      span: the ends of the axis.
      small: how far the zone reaches on both sides of 0.
      chosen: the control that chooses a pair, from 1.
    """

    names: Sequence[tuple[str, str, str]]
    span: tuple[float, float]
    small: float
    chosen: str
    kind = "paired"
    script = DIST / "paired.js"
    reads = ("seeds", "apart", "apart_low", "apart_high")


class HalfMatters(Figure):
    """What the half does to a MuZero that learns two games.

    Args:
      seed: the pair that is picked out, 1 (the default) to 64.
      task: ``"catch"`` (the default) or ``"long"``.
      measure: ``"area"`` (the default), over the whole training; or ``"final"``.
    """

    spec = FigureSpec(
        function=half_matters,
        controls=(
            Integer("seed", "pair", "", 1, 64, 1),
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice("measure", "caught", options=tuple(zip(MEASURES, WHEN, strict=True))),
        ),
        view=Paired(
            tuple(
                (
                    f"{half} ({source})",
                    f"{{apart.{n}:.1f}} ({{apart_low.{n}:.1f}} to {{apart_high.{n}:.1f}})",
                    f"pair {{seed}}: {{caught.{n + 1}:.0f}} caught with it, {{caught.0:.0f}} without",
                )
                for n, (half, source) in enumerate(zip(HALVES, SOURCES, strict=True))
            ),
            (-REACH, REACH),
            MATTERS,
            "seed",
        ),
        title="Does the half help? 64 pairs of agents, with it and without",
        look="Drag a ring, or tap a dot, to see another pair: two agents that began with the same networks and met "
        "the same balls.",
        labels={
            "less": "← better without",
            "more": "better with the half →",
            "axis": "difference, in balls caught of 100",
            "pair": "one pair",
            "mean": f"mean, {100 * CORRECTED:.0f} % interval",
            "small": f"less than {MATTERS:.0f}: too small to matter",
        },
        sentences=[_sentence(task, measure) for task in range(2) for measure in range(2)],
        table=Table(
            columns=(("mean", "apart"), ("from", "apart_low"), ("to", "apart_high")),
            rows=("after − without", "before − without", "after − before"),
            count=len(COMPARED),
            general=True,
        ),
        stills=tuple({"task": task, "measure": measure} for task in TASKS for measure in MEASURES),
        parts={
            "seeds": Part(
                "apart", "Each dot is one pair: the catch with the half, minus the catch without."
            ),
            "apart": Part("apart", "The mean difference is {value:.1f} balls of 100."),
        },
        prediction=Prediction(
            "In Catch, agents with the half after the heads catch 3.2 balls of 100 more on average. How many more do "
            "they catch in long Catch?",
            answer="answer",
            guess=Range("guess", "balls more", "", -10.0, 10.0, 5.0, 0.1),
            settings={"task": "long", "measure": "area"},
            conceals=("seeds", "apart", "case"),
            reveal="{apart.0:.1f} on average ({apart_low.0:.1f} to {apart_high.0:.1f}), inside the grey band. So the "
            "half makes no difference here that matters, although single pairs differ by up to 33 balls.",
        ),
        note=(
            "Where a pile would be too high, dots overlap. Recorded with Adam and K = 5, by a protocol that was written before the runs: experiments/muzero_half. The two "
            "agents of a pair began with the same networks and met the same balls. Each of the three ways to train has a "
            "learning rate tuned for it. By the protocol, a difference matters if it is at least 5 balls of 100. With "
            "99 % intervals, all six comparisons together are as sure as one with a 95 % interval. At the end of the training, each agent plays one "
            "game from every start. In long Catch the ball falls 13 rows, drifts and bounces, and the paddle obeys only the "
            "first three moves."
        ),
    )
