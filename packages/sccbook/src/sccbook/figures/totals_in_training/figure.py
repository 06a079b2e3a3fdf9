"""The ledger of a MuZero while it learns: how far back a loss reaches, and what all losses come to."""

import functools

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Panels, Profile, Series, Threshold
from sccbook.records import load
from sccbook.records.muzero_half import GAMES, LENGTHS, TASKS

MEASURED = (2, 10, 25, 50, 100)
"""Per cent of the training after which the ledgers were made."""
LAGS = np.arange(10)
TRAINED = ("P 1/2", "off", "R 1/2")
SCALES = ("half", "one")
TOTALS = ("predicted", "sums", "totals", "totals_low", "totals_high")
TINY = 1e-6
"""What is smaller than this is as good as this: nothing drawn is below 1e-3."""
CONSTANT = (0.5, 2.0)
"""T(10) within these parts of T(1) counts as constant."""
OFFERED = (1.0, 1.8, 2.5, 5.5)


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Decimal logarithms of the record, ``[tasks, arms, measured, ...]``; totals by scale and K too."""
    runs = [
        sorted(
            load("muzero_half_accounts").cells(stage="confirmatory", task=task, arm=arm),
            key=lambda cell: cell.part,
        )
        for task in TASKS
        for arm in TRAINED
    ]

    def of(*names: str) -> np.ndarray:
        found = [[[getattr(cell, name) for name in names] for cell in run] for run in runs]
        array = np.round(np.log10(np.maximum(found, TINY)), 3)
        return array.reshape(len(TASKS), len(TRAINED), len(MEASURED), len(names), -1)

    half = ("predicted_half", "sums_half", "totals_half", "totals_half_low", "totals_half_high")
    return {
        "by_lag": of("by_lag")[..., 0, :],
        "left": of("left_half", "left")[..., -1],
        "totals": np.stack([of(*half), of(*TOTALS)], axis=3),
    }


def totals_in_training(part: Array, task: Array, arm: Array, scale: Array) -> dict[str, Array]:
    """Look up a ledger of the dynamics at a time of the training; between measurements, between them.

    Args:
      part: float ``[]``; per cent of the training, 2 to 100.
      task: int ``[]``; a place in ``TASKS``.
      arm: int ``[]``; a place in ``TRAINED``.
      scale: int ``[]``; a place in ``SCALES``: that of the ledger, not of the training.

    Returns:
      ``by_lag`` ``[10]``: what a loss sends through the application so many before its own, in parts of
      what it sends through its own; ``geometric``, the powers of the ``gain``; ``at_0`` ... ``[10]``,
      the five that are measured; of T(K), in parts of T(1), at ``lengths`` ``[4]``: ``predicted`` from
      the gain, ``sums`` of the norms, and ``totals``, the norms of the sum, with their quartiles;
      ``other``, at the other scale; ``total``, ``sum``, ``left`` ``[]``, at K = 10; ``answer``; ``case``.
    """
    data = {name: jnp.asarray(array)[task, arm] for name, array in _data().items()}
    times = np.log(MEASURED)
    gone = jnp.clip((jnp.log(part) - times[:-1]) / np.diff(times), 0, 1).sum()
    weights = jnp.clip(1 - jnp.abs(gone - np.arange(len(MEASURED))), 0, 1)
    now = {name: 10 ** jnp.tensordot(weights, array, 1) for name, array in data.items()}
    by_lag, totals = now["by_lag"], now["totals"][scale]
    total = totals[2, -1]
    low, high = CONSTANT
    return {
        "lags": jnp.asarray(LAGS),
        "by_lag": by_lag,
        "geometric": by_lag[1] ** LAGS,
        **{f"at_{n}": 10 ** data["by_lag"][n] for n in range(len(MEASURED))},
        "lengths": jnp.asarray(LENGTHS),
        **dict(zip(TOTALS, totals, strict=True)),
        "other": now["totals"][1 - scale, 2],
        "gain": by_lag[1],
        "total": total,
        "sum": totals[1, -1],
        "left": 100 * now["left"][scale],
        "answer": jnp.argmin(jnp.abs(jnp.log(total / jnp.asarray(OFFERED)))),
        "case": 3 * task + (total >= low).astype(int) + (total > high),
    }


_NOW = (
    "{}, {{arm}}, after {{part:.0f}} % of the training: the gain is {{gain:.2f}}. At K = 10 the norm of the sum is "
    "{{total:.2f}} times that at K = 1, {}; the sum of the norms, {{sum:.2f}} times. The entries cancel to "
    "{{left:.0f}} % of the sum of their norms."
).replace(" %", "\N{NO-BREAK SPACE}%")


def _spec() -> FigureSpec:
    data = _data()
    least, most = 10.0 ** min(data["totals"].min(), -0.5), 10.0 ** max(data["totals"].max(), 1.0)
    return FigureSpec(
        function=totals_in_training,
        controls=(
            LogRange("part", "training done, %", "", 2.0, 100.0, 100.0, 0.01),
            Choice("task", "game", options=tuple(zip(TASKS, GAMES, strict=True))),
            Choice("arm", "trained", options=tuple((arm, arm) for arm in TRAINED)),
            Choice("scale", "ledger with", options=(("half", "s = ½"), ("one", "s = 1"))),
        ),
        stages=((("part", "scale"), ("task", "arm")),),
        view=Panels(
            (
                (
                    "",
                    Profile(
                        (
                            *(
                                Series(f"at_{n}", "", "muted", "line", behind=True)
                                for n in range(len(MEASURED))
                            ),
                            Series("geometric", "from the gain", "state", "line", behind=True),
                            Series("by_lag", "measured", "cotangent", "line"),
                            Series("by_lag", "", "cotangent", "points"),
                        ),
                        y=Axis(
                            (1e-3, 10.0 ** np.ceil(max(data["by_lag"].max(), 0.5))),
                            "log",
                            label="what arrives, in parts of lag 0",
                        ),
                        x=Axis((-0.3, 9.3), label="lag"),
                        at="lags",
                        plot=155,
                    ),
                ),
                (
                    "",
                    Profile(
                        (
                            Series("other", "other s", "muted", "line", behind=True),
                            Series("predicted", "from the gain", "state", "line"),
                            Series("sums", "sum of norms", "ink", "line"),
                            Series("totals", "norm of sum", "cotangent", "line"),
                            Series(
                                "totals", "", "cotangent", "points", "totals_low", "totals_high"
                            ),
                        ),
                        y=Axis((least, most), "log", label="T(K), in parts of T(1)"),
                        x=Axis((0.9, 11.0), "log", label="K"),
                        at="lengths",
                        thresholds=tuple(Threshold(end, role="muted") for end in CONSTANT),
                        plot=155,
                    ),
                ),
            ),
            wide="beside",
        ),
        title="The ledger while it learns",
        look="Drag the time of the training. Thin lines on the left are all five measurements; on the right, "
        "a total between the dashed lines counts as constant.",
        sentences=[
            _NOW.format(game, judged)
            for game in GAMES
            for judged in ("less than half", "within 0.5 and 2", "more than twice")
        ],
        table=Table(
            columns=(
                ("predicted from the gain", "predicted"),
                ("sum of the norms", "sums"),
                ("norm of the sum", "totals"),
                ("its lower quartile", "totals_low"),
                ("its upper quartile", "totals_high"),
            ),
            rows=tuple(f"K = {length}" for length in LENGTHS),
            count=len(LENGTHS),
            general=True,
        ),
        parts={
            **{
                f"at_{n}": Part(f"at_{n}", f"Measured after {part} % of the training.")
                for n, part in enumerate(MEASURED)
            },
            "by_lag": Part("by_lag", "At lag {m}: {value:.2~g}."),
            "totals": Part("totals", "The norm of the sum is {value:.2f} times that at K = 1."),
            "sums": Part("sums", "The sum of the norms is {value:.2f} times that at K = 1."),
            "predicted": Part("predicted", "The gain predicts {value:.2f} times that at K = 1."),
        },
        presets=tuple(
            Preset(f"{part}\N{NO-BREAK SPACE}%", {"part": float(part)}) for part in (2, 25, 100)
        ),
        stills=({}, {"scale": "one"}, {"part": 2.0}),
        prediction=Prediction(
            "MuZero learns Catch with the half. At the end of its training the dynamics’ gradient is measured with ten "
            "losses, each weighted 1/10, and with one, both with the half. How many times as long is it with ten?",
            answer="answer",
            how="choice",
            options=tuple(f"about {offered:g}" for offered in OFFERED),
            settings={"part": 100.0, "task": "catch", "arm": "P 1/2", "scale": "half"},
            conceals=(*TOTALS, "other", "total", "sum", "left", "answer", "case"),
            reveal="The norm of the sum is {total:.2f} times that at K = 1. With a gain of 1 and no cancellation it "
            f"would be {2 - (2 - 0.5**9) / 10:.1f} times.",
        ),
        note=(
            "Medians over 64 seeds, and quartiles as whiskers, on 64 positions of each run’s replay, after 2, 10, 25, 50 "
            "and 100 % of the training; between these times the picture interpolates. All is of the "
            "dynamics’ parameters. At lag i stands the mean norm of what a loss sends through the application i before "
            "its own, with s = 1. The gain is lag 1’s; predicted is T(K) from each seed’s losses and its gain over "
            "five lags, so it knows no cancellation. Training used K = 5, the ledger goes on to 10. A game of Catch has 8 "
            "moves: the longest lags reach past its end, where rewards and values are 0."
        ),
    )


class TotalsInTraining(Figure):
    """The ledger of a MuZero's dynamics, at a time of its training.

    Args:
      part: per cent of the training, in [2, 100], default 100.
      task: ``"catch"`` (the default) or ``"long"``.
      arm: with what it was trained, ``"P 1/2"`` (the default), ``"off"`` or ``"R 1/2"``.
      scale: of the ledger: ``"half"`` (the default) or ``"one"``.
    """

    spec = _spec()
