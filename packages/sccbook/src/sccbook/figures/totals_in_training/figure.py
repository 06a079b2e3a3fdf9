"""The gradient of a MuZero's dynamics while it learns: a long unroll's beside one step's, and the bound."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from sccbook.records import load
from sccbook.records.muzero_half import GAMES, LENGTHS, TASKS

MEASURED = (2, 10, 25, 50, 100)
"""Per cent of the training after which the ledgers were made."""
UNROLLS = LENGTHS[:0:-1]
ARMS = (
    ("off", "without the half"),
    ("P 1/2", "with the half after the heads"),
    ("R 1/2", "with the half before the heads"),
)
TRAINED = tuple(name for name, _ in ARMS)
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


def totals_in_training(part: Array, arm: Array, task: Array, length: Array) -> dict[str, Array]:
    """Look up what the dynamics' gradient comes to in the course of the training.

    Args:
      part: float ``[]``; per cent of the training, 2 to 100.
      arm: int ``[]``; a place in ``TRAINED``.
      task: int ``[]``; a place in ``TASKS``.
      length: int ``[]``; a place in ``UNROLLS``, which gives K.

    Returns:
      Of T(K), in parts of T(1), at ``measured [5]``: ``totals_half`` with a scale of one half after the
      heads and ``totals`` without, medians with their quartiles; ``half`` and ``whole`` ``[]``, at
      ``part``, on the lines between them; ``gain``, per step, at the end; ``case``.
    """
    found = {name: jnp.asarray(array)[task, arm] for name, array in _data().items()}
    totals = {name: found[name][:, len(UNROLLS) - length] for name in TOTALS}
    measured = jnp.asarray(MEASURED, float)
    passed = jnp.clip((part - measured[:-1]) / jnp.diff(measured), 0.0, 1.0)
    half, whole = (
        totals[name][0] + jnp.sum(passed * jnp.diff(totals[name]))
        for name in ("totals_half", "totals")
    )
    return {
        **totals,
        "measured": measured,
        "half": half,
        "whole": whole,
        "gain": found["gain"][-1, 0],
        "case": len(ARMS) * (len(TASKS) * jnp.all(part != measured) + task) + arm,
    }


class TotalsInTraining(Figure):
    """The gradient of a MuZero's dynamics with a long unroll, in the course of the training.

    Args:
      part: per cent of the training, 2 to 100, default 100.
      arm: with what it was trained, ``"off"`` (the default), ``"P 1/2"`` or ``"R 1/2"``.
      task: ``"catch"`` (the default) or ``"long"``.
      length: of the unroll, ``"10"`` (the default), ``"5"`` or ``"2"``.
    """

    spec = FigureSpec(
        function=totals_in_training,
        controls=(
            Range("part", "training done, in %", "", 2.0, 100.0, 100.0, 1.0),
            Choice(
                "arm",
                "agents were trained",
                options=ARMS,
            ),
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice("length", "unroll", options=tuple((str(k), f"{k} steps") for k in UNROLLS)),
        ),
        stages=((("part", "arm"), ("task", "length")),),
        view=Profile(
            (
                Series(
                    "totals_half_high",
                    "middle 50 % of 64 agents, with the half",
                    "parameter",
                    "band",
                    low="totals_half_low",
                ),
                Series("totals", "no half (s = 1)", "ink", "line"),
                Series("totals", "", "ink", "points"),
                Series("totals_half", "half (s = ½)", "parameter", "line"),
                Series("totals_half", "", "parameter", "points"),
            ),
            y=Axis((0.0, MOST + 1.0), label="gradient of a long unroll ÷ gradient of one step"),
            x=Axis((0.0, 104.0), label="training done, in %"),
            at="measured",
            thresholds=(
                Threshold(BOUND, "bound 2", beside=True),
                Threshold(
                    "part",
                    "{part:.0f} %",
                    "muted",
                    drag="part",
                    axis="x",
                    dots=(("whole", "ink"), ("half", "parameter")),
                ),
            ),
            level=True,
            ends=True,
            guess_label="guess",
            data=("arm", "task", "length"),
            plot=240,
        ),
        title="Does the half keep a long unroll’s gradient small while agents learn?",
        look="Five times in the training, the gradient of a long unroll was measured with the half (s = ½) and without (s = 1). "
        "Drag the upright line to read off both.",
        sentences=[
            f"In {game}, these agents were trained {how}. After {{part:.0f}} % of the training{read}, their gradient of {{length}} steps is "
            "{half:.1f} times as large as that of one step with the half (s = ½), and {whole:.1f} times without it (s = 1).".replace(
                " %", "\N{NO-BREAK SPACE}%"
            ).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
            for read in ("", ", read off between two measurements")
            for game in GAMES
            for _, how in ARMS
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
            rows=tuple(f"{part} % of the training" for part in MEASURED),
            count=len(MEASURED),
            general=True,
        ),
        parts={
            "totals": Part("totals", "At s = 1: {value:.2f} times the gradient of one step."),
            "totals_half": Part(
                "totals_half", "At s = ½: {value:.2f} times the gradient of one step."
            ),
        },
        stills=({}, {"arm": "P 1/2"}),
        prediction=Prediction(
            "Agents trained without the half end at 3.1, measured with s = 1. Where do agents trained with the "
            "half after the heads end, also measured with s = 1?",
            answer="whole",
            guess=Range("guess", "times", "", 0.0, MOST, 4.0, 0.1),
            settings={"part": 100.0, "arm": "P 1/2", "task": "catch", "length": "10"},
            conceals=("totals",),
            reveal="Their median is {whole:.1f}: trained with the half, their gain grew to {gain:.2f}. Measured with s = ½ it is "
            "{half:.1f}, below 2 because much of the gradient cancels.",
        ),
        note=(
            "The lines are medians of 64 agents. The bound of 2 is chapter 06’s, for a gain of 1. Each loss is weighted 1/K, and the gradient is that of all the dynamics’ parameters. It was measured on 64 positions of each "
            "agent’s replay, at the marks; between them the lines are straight. All agents were trained with K = 5. The gain is the factor by "
            "which a loss’s gradient changes from one application of the dynamics to the one before. A game of Catch has 8 moves, so an unroll "
            "of 10 steps reaches past its end, where rewards and values are 0."
        ),
    )
