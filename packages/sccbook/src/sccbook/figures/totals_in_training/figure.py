"""The gradient of a MuZero's dynamics while it learns: what unrolls of 1 to 10 steps come to, beside the bound."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from sccbook.records import load
from sccbook.records.muzero_half import GAMES, LENGTHS, TASKS

MEASURED = (2, 10, 25, 50, 100)
"""Per cent of the training after which the ledgers were made."""
TRAINED = ("off", "P 1/2", "R 1/2")
TOTALS = (
    *("totals_half", "totals_half_low", "totals_half_high"),
    *("totals", "totals_low", "totals_high"),
)
BOUND = 2.0
MOST = 8.0
"""No median is above it."""


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Return what is recorded, ``[tasks, arms, measured, ...]``."""
    cells = load("muzero_half_accounts").cells
    runs = [
        sorted(cells(stage="confirmatory", task=task, arm=arm), key=lambda cell: cell.part)
        for task in TASKS
        for arm in TRAINED
    ]
    shape = len(TASKS), len(TRAINED), len(MEASURED), -1
    return {
        name: np.round([[getattr(cell, name) for cell in run] for run in runs], 3).reshape(shape)
        for name in (*TOTALS, "gain")
    }


def totals_in_training(when: Array, task: Array, arm: Array) -> dict[str, Array]:
    """Look up what the dynamics' gradient comes to after a part of the training.

    Args:
      when: int ``[]``; the measurement, 1 to 5.
      task: int ``[]``; a place in ``TASKS``.
      arm: int ``[]``; a place in ``TRAINED``.

    Returns:
      Of T(K), in parts of T(1), at ``lengths [4]``: ``totals_half`` with a scale of one half after the
      heads and ``totals`` without, medians with their quartiles; ``half``, ``whole`` ``[]``, at K = 10;
      ``gain``, per step; ``part``, per cent of the training; ``case``.
    """
    found = {name: jnp.asarray(array)[task, arm, when - 1] for name, array in _data().items()}
    half, whole = found["totals_half"][-1], found["totals"][-1]
    return {
        **found,
        "lengths": jnp.asarray(LENGTHS),
        "gain": found["gain"][0],
        "half": half,
        "whole": whole,
        "part": jnp.asarray(MEASURED)[when - 1],
        "case": 3 * task + (half > BOUND).astype(int) + (whole > BOUND).astype(int),
    }


class TotalsInTraining(Figure):
    """The gradient of a MuZero's dynamics by the length of the unroll, at a time of the training.

    Args:
      when: the measurement, from 1 to 5 (default): after 2, 10, 25, 50 or 100 per cent of the training.
      task: ``"catch"`` (the default) or ``"long"``.
      arm: with what it was trained, ``"off"`` (the default), ``"P 1/2"`` or ``"R 1/2"``.
    """

    spec = FigureSpec(
        function=totals_in_training,
        controls=(
            Integer("when", "stage of training", "", 1, len(MEASURED), len(MEASURED), plays=True),
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice(
                "arm",
                "trained",
                options=tuple(
                    zip(
                        TRAINED,
                        (
                            "without the half",
                            "with it after the heads",
                            "with it before the heads",
                        ),
                        strict=True,
                    )
                ),
            ),
        ),
        view=Profile(
            (
                Series("totals_half_high", "", "parameter", "band", low="totals_half_low"),
                Series("totals", "s = 1", "ink", "line"),
                Series("totals", "", "ink", "points"),
                Series("totals_half", "s = ½", "parameter", "line"),
                Series("totals_half", "", "parameter", "points"),
            ),
            y=Axis((0.0, MOST), label="T(K), in units of T(1)"),
            x=Axis((0.8, 10.2), label="K, after {part:.0f} % of the training"),
            at="lengths",
            thresholds=(Threshold(BOUND, "bound 2", beside=True),),
            level=True,
            guess_label="guess",
            ends=True,
            plot=260,
        ),
        title="Does the half keep the total bounded while the agent learns?",
        look="A line is the median of 64 seeds. Half the seeds with s = ½ lie on the green ground. The bound is chapter 06’s, for a gain of 1.",
        sentences=[
            f"In {game}, after {{part:.0f}} % of the training, ten steps give {{half:.1f}} times the gradient of one with s = ½, "
            f"{said}, and {{whole:.1f}} times without a scale. The gain is {{gain:.2f}}.".replace(
                " %", "\N{NO-BREAK SPACE}%"
            )
            for game in GAMES
            for said in ("below 2", "below 2", "above 2")
        ],
        table=Table(
            columns=tuple(
                (f"{s}{end}", f"{name}{tail}")
                for s, name in (("s = ½", "totals_half"), ("s = 1", "totals"))
                for end, tail in (
                    ("", ""),
                    (", lower quartile", "_low"),
                    (", upper quartile", "_high"),
                )
            ),
            rows=tuple(f"K = {length}" for length in LENGTHS),
            count=len(LENGTHS),
            general=True,
        ),
        parts={
            "totals": Part("totals", "Without a scale: {value:.2f} times T(1)."),
            "totals_half": Part("totals_half", "With s = ½: {value:.2f} times T(1)."),
        },
        stills=({"when": 1}, {}, {"arm": "P 1/2"}),
        prediction=Prediction(
            "Trained with the half after the heads, the agent ends with a larger gain, 1.45. With s = ½, how many times as large is "
            "its gradient with ten steps as with one, in Catch at the end?",
            answer="half",
            guess=Range("guess", "times", "", 0.0, MOST, 4.0, 0.1),
            settings={"when": len(MEASURED), "task": "catch", "arm": "P 1/2"},
            conceals=("totals_half", "totals_half_low", "totals_half_high", "case"),
            reveal="It’s {half:.1f} times, in the median, still below 2, because much of it cancels. Without a scale, the "
            "same agent’s is {whole:.1f} times.",
        ),
        note=(
            "T(K) is the norm of the dynamics’ whole gradient, each loss weighted 1/K. Measured on 64 positions of each run’s "
            "replay; lines are medians over 64 seeds, the ground about that of s = ½ lies between its quartiles. All agents were trained with "
            "K = 5. The gain is by how much what a loss sends changes from its own application to the one before. The bound is chapter 06’s, "
            "for a gain of 1. A game of Catch has 8 moves: K = 10 reaches past its end, where "
            "rewards and values are 0."
        ),
    )
