"""The gradient of a MuZero's dynamics while it learns: how it adds up over an unroll, and its bound."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series
from sccbook.records import half_by_depth, load

MEASURED = (2, 5, 10, 25, 50, 75, 100)
"""When gradients were measured, in per cent of the training."""
UNROLLS = half_by_depth.LENGTHS[::-1]
OPTIMIZERS = (("adam", "Adam"), ("sgd", "SGD, momentum"))
ARMS = (("off", "without the half"), ("P", "with the half"))
LINES = ("bound", "whole", "whole_low", "whole_high", "half", "half_low", "half_high")
PLACES = len(half_by_depth.SHORTER)
SEEDS = len(half_by_depth.caught("adam", "off", UNROLLS[0]))
MOST = 3.5


@functools.cache
def _data() -> np.ndarray:
    """Return the records, ``[optimizers, arms, unrolls, 1 + lines, measured, places]``, with the lengths first.

    A shorter unroll has fewer lengths, so its last one is repeated in the places after it.
    """

    def run(optimizer: str, arm: str, steps: int) -> np.ndarray:
        cells = load("half_by_depth_totals").cells(
            stage="confirmatory", optimizer=optimizer, arm=arm, steps=steps
        )
        cells.sort(key=lambda cell: cell.part)
        rows = np.array([[getattr(c, name) for c in cells] for name in ("lengths", *LINES)])
        return np.pad(rows, ((0, 0), (0, 0), (0, PLACES - rows.shape[2])), mode="edge")

    return np.round(
        [[[run(o, arm, k) for k in UNROLLS] for arm, _ in ARMS] for o, _ in OPTIMIZERS], 2
    )


def totals_in_training(
    part: Array, length: Array, arm: Array, optimizer: Array
) -> dict[str, Array]:
    """Look up how large the dynamics' gradient from the first k losses of an unroll is.

    Args:
      part: int ``[]``; per cent of the training, 2 to 100.
      length: int ``[]``; an index into ``UNROLLS``, which gives K.
      arm: int ``[]``; an index into ``ARMS``: how the agents are trained.
      optimizer: int ``[]``; an index into ``OPTIMIZERS``.

    Returns:
      At ``lengths [12]``, k up to K: the medians and quartiles of T(k) divided by T(1), ``half`` with a
      scale of one half after the heads and ``whole`` without it, and ``bound``, the bound on ``half``.
      Between two measurements they are interpolated linearly. ``half_end``, ``whole_end``, ``bound_end``
      ``[]``: their values at K. ``case``: whether ``part`` is between two measurements.
    """
    rows = jnp.asarray(_data())[optimizer, arm, length]
    measured = jnp.asarray(MEASURED, float)
    passed = jnp.clip((part - measured[:-1]) / jnp.diff(measured), 0.0, 1.0)
    at = rows[:, 0] + jnp.einsum("p,lpk->lk", passed, jnp.diff(rows, axis=1))
    found = dict(zip(("lengths", *LINES), at, strict=True))
    ends = {f"{name}_end": found[name][-1] for name in ("half", "whole", "bound")}
    return {**found, **ends, "case": jnp.all(part != measured).astype(int)}


_WITHOUT = float(_data()[0, 0, 0, 1 + LINES.index("whole"), -1, -1])
_SAID = (
    "After {part}\N{NO-BREAK SPACE}% of the training{read}, {length} losses send the dynamics {whole_end:.2f} times the gradient of "
    "loss 1 without the half, and {half_end:.2f} times with it. With the half, the bound is {bound_end:.2f}."
)


class TotalsInTraining(Figure):
    """The gradient of a MuZero's dynamics over an unroll, as the training goes on.

    Args:
      part: per cent of the training, 2 to 100, default 100.
      length: K, ``"20"`` (the default), ``"10"``, ``"5"`` or ``"2"``.
      arm: how the agents are trained, ``"off"`` (the default) or ``"P"``.
      optimizer: ``"adam"`` (the default) or ``"sgd"``.
    """

    spec = FigureSpec(
        function=totals_in_training,
        controls=(
            Integer("part", "training done, in %", "", 2, 100, 100, plays=True),
            Choice("length", "unroll", options=tuple((str(k), f"K = {k}") for k in UNROLLS)),
            Choice("arm", "agents trained", options=ARMS),
            Choice("optimizer", "optimizer", options=OPTIMIZERS),
        ),
        stages=((("part", "length"), ("arm", "optimizer")),),
        view=Profile(
            (
                Series("whole_high", "", "ink", "band", low="whole_low"),
                Series("half_high", "middle 50 % of agents", "parameter", "band", low="half_low"),
                Series("whole", "no half (s = 1)", "ink", "line"),
                Series("half", "half (s = ½)", "parameter", "line"),
                Series("bound", "bound (s = ½)", "limit", "line"),
            ),
            y=Axis((0.0, MOST), label="gradient of losses 1 to k ÷ gradient of loss 1"),
            x=Axis((0.5, 20.5), label="k"),
            at="lengths",
            ends=True,
            data=("length", "arm", "optimizer"),
            plot=240,
        ),
        title="Does the half keep a long unroll’s gradient small while agents learn?",
        look="Press play, or drag the slider. The same agents were measured seven times during training, each time with the half (s = ½) and without (s = 1).",
        sentences=[
            _SAID.replace("{read}", read) for read in ("", " (read off between two measurements)")
        ],
        table=Table(
            columns=(("k", "lengths"), ("s = ½", "half"), ("bound", "bound"), ("s = 1", "whole")),
            rows=tuple(str(n + 1) for n in range(PLACES)),
            count=PLACES,
            general=True,
        ),
        parts={
            "whole": Part("whole", "At s = 1: {value:.2f} times the gradient of loss 1."),
            "half": Part("half", "At s = ½: {value:.2f} times the gradient of loss 1."),
        },
        stills=({}, {"arm": "P"}),
        prediction=Prediction(
            f"With Adam and K = 20, agents trained without the half end at {_WITHOUT:.2f}, measured with s = 1. Where do agents trained with the half end, "
            "also measured with s = 1?",
            answer="whole_end",
            guess=Range("guess", "times", "", 0.0, MOST, 1.0, 0.1),
            settings={"part": 100, "length": "20", "arm": "P", "optimizer": "adam"},
            conceals=("whole", "whole_end"),
            reveal="{whole_end:.2f}. Measured with s = ½ they end at {half_end:.2f}, and the bound is {bound_end:.2f}.",
        ),
        note=(
            f"The lines are medians of {SEEDS} agents at their best learning rate, in long Catch. Losses 1 to k are weighted 1/k, and the gradient is that of all "
            "the dynamics’ parameters, on 64 positions from each agent’s replay. It was measured after 2, 5, 10, 25, 50, 75 and 100 % of the training; "
            "between two measurements the figure draws a straight line. The bound holds if nothing a loss sends grows on its way back. It’s computed from what each "
            "loss sends through its own step."
        ),
    )
