"""A small recurrent network that fails to train, trained in the page, with one remedy or none."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, LogRange, Part, Prediction, Table
from explorax.figure.runs import Run
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, History, Level, Panels, Series, View
from sccbook.figures._views import DIST
from sccbook.models import recall, remedies
from sccbook.models.recurrent import readout, run, tanh_state, tanh_step

STEPS = 400
FRAMES = 150
"""Of the screen, at least: two and a half seconds at sixty a second."""
SEED = 4
LEARNT, STUCK = 0.9, 0.4
"""Shares named right above which the network has learnt the task, and below which it has not begun to."""
OUTCOMES = ("It still guesses", "It learns some of it", "It learns the task")

REMEDIES = dict(
    zip(
        remedies.REMEDIES,
        (
            "no remedy",
            "half at each state",
            "clip at each state",
            "clip the gradient",
            "MaxNorm on W",
            "cap singular values",
            "normalise the gradient",
        ),
        strict=True,
    )
)
OF_GRADIENTS = ("clip", "normalise")
"""Remedies whose limit is a length of the gradient that is drawn."""
SYMBOLS = "ABCD"
LOOKED = (1, 2, 4, 7, 10, 13, 16, 20)
"""Steps of a sequence at which the states of the four symbols are compared."""
NOISE = np.round(recall.NOISE * np.random.default_rng(0).normal(size=(20, 4)), 2)
"""What the four sequences have in common that the figure shows the network."""


def remembered(params: Any) -> dict[str, Array]:
    """What the network keeps of each symbol, and what it answers, on four sequences with the same noise.

    Returns:
      For each symbol ``apart_a``, ... ``[8]``: how far its state is from the nearest of the other three,
      at the steps ``LOOKED``; and ``named_a``, ... ``[4]``: with which probabilities it names each.
    """

    def states(symbol: Array) -> Array:
        found: Array = run(
            tanh_step, params, tanh_state(params), jnp.asarray(NOISE).at[0].add(symbol)
        )
        return found

    h = jax.vmap(states)(jnp.eye(len(SYMBOLS)))
    seen = h[:, jnp.array(LOOKED) - 1]
    apart = jnp.sqrt(jnp.sum((seen[:, None] - seen[None]) ** 2, axis=-1))
    nearest = jnp.min(apart + 1e3 * jnp.eye(len(SYMBOLS))[:, :, None], axis=1)
    named = jax.nn.softmax(jax.vmap(lambda last: readout(params, last))(h[:, -1]))
    return {
        f"{what}_{symbol.lower()}": each[i]
        for i, symbol in enumerate(SYMBOLS)
        for what, each in (("apart", nearest), ("named", named))
    }


def train_step(carry: Any, remedy: Any, limit: Any, rate: Any, optimizer: Any) -> Any:
    """One step of training; what it records besides is the longest so far, its step, and how it ends."""
    training, longest, peak, farthest = carry
    training, record = remedies.step(training, remedy, optimizer, rate, limit)
    peak = jnp.where(record["norm"] > longest, training.taken, peak)
    longest = jnp.maximum(longest, record["norm"])
    farthest = jnp.maximum(farthest, record["stride"])
    right = record["right"]
    outcome = (right > STUCK).astype(int) + (right > LEARNT).astype(int)
    record |= {"right": 100 * right, "longest": longest, "peak": peak}
    record |= {"farthest": farthest, "outcome": outcome}
    record |= remembered(remedies.unflatten(training.params))
    return (training, longest, peak, farthest), record


def start(seed: Any) -> Any:
    """The first carry of ``train_step``."""
    return remedies.start(seed), jnp.zeros(()), jnp.zeros((), "int32"), jnp.zeros(())


def _asks(remedy: str, question: str, why: str) -> Prediction:
    return Prediction(
        question,
        answer="last_outcome",
        how="choice",
        options=OUTCOMES,
        settings={
            "remedy": remedy,
            "limit": remedies.LIMITS[remedies.REMEDIES.index(remedy)],
            "rate": recall.RATE,
            "optimizer": "sgd",
        },
        reveal=tuple(
            f"{outcome}: the recorded run identifies {{last_right:.0f}} % in the end. {why}"
            for outcome in OUTCOMES
        ),
    )


_SAID = (
    "After {steps} updates it identifies {last_right:.0f} % of the symbols. The largest gradient norm was "
    "{last_longest:.3~g}, at update {last_peak} (dashed)."
)
RUN: Any = Run(
    train_step, start, STEPS, frames=FRAMES, before=({"remedy": "nothing", "limit": 1.0},)
)


@dataclass(frozen=True)
class Remembered(View):
    """What the network keeps of each symbol over the steps of a sequence, and what it names."""

    symbols: str
    steps: tuple[int, ...]
    kind = "remembered"
    script = DIST / "remembered.js"
    reads = tuple(
        f"last_{what}_{symbol.lower()}_{n + 1}"
        for symbol in SYMBOLS
        for what, count in (("apart", len(LOOKED)), ("named", len(SYMBOLS)))
        for n in range(count)
    )


class TrainItHere(Figure):
    """The recall network, trained in the page; earlier runs stay behind the present one.

    Args:
      stage: 1 for the remedy alone; 2 for its limit and the rate too and, behind "more", the optimizer
        and the seed.
      remedy: one of ``sccbook.models.remedies.REMEDIES``, default ``"nothing"``.
      limit: its scale, limit or length, in [0.01, 10]; default 1. The page sets the remedy's own
        when a remedy is chosen; Python does not.
      rate: the learning rate, in [0.01, 1], default 0.1.
      optimizer: ``"sgd"``, ``"momentum"`` or ``"adam"``.
      seed: of the parameters and the data, 0 to 15.
    """

    spec = FigureSpec(
        function=RUN,
        controls=(
            Choice(
                "remedy",
                "remedy",
                options=tuple(REMEDIES.items()),
                sets=(("limit", remedies.LIMITS),),
                idles=(("limit", ("nothing",)),),
            ),
            LogRange("limit", "limit or scale", "c", 0.01, 10.0, 1.0, 0.05),
            LogRange("rate", "learning rate", "η", 0.01, 1.0, recall.RATE, 0.1),
            Choice(
                "optimizer",
                "optimizer",
                options=(("sgd", "SGD"), ("momentum", "momentum 0.9"), ("adam", "Adam")),
            ),
            Integer("seed", "seed", "", 0, 15, SEED),
        ),
        view=Panels(
            (
                ("", Remembered(SYMBOLS, LOOKED)),
                (
                    "",
                    History(
                        (Series("right", "", "state", "line"),),
                        Axis((0.0, 100.0), label="symbols identified, in %"),
                        label="",
                        levels=(Level(25.0, "guessing: 25 %", role="muted"),),
                        plot=80,
                        at="last_peak",
                    ),
                ),
                (
                    "",
                    History(
                        (Series("norm", "", "cotangent", "line"),),
                        Axis((0.01, 1000.0), "log", label="gradient norm, unclipped (log)"),
                        label="update",
                        levels=(
                            Level(
                                "limit",
                                "c = {limit:.3~g}",
                                drag="limit",
                                where=("remedy", OF_GRADIENTS),
                            ),
                        ),
                        plot=72,
                        fine=True,
                        at="last_peak",
                    ),
                ),
            )
        ),
        title="Train it to remember a symbol",
        look="A run named “recorded” was trained by JAX: your machine rounds differently, so what fails here fails "
        "in another way. Earlier runs remain, in grey.",
        sentences=(
            "Press Train: the network takes 400 updates, right here in the page.",
            _SAID,
            f"{_SAID} A run of yours may come out differently.",
            "It stops after {steps} of 400 updates: the next numbers are not finite.",
        ),
        table=Table(
            columns=(
                ("update", "step_at"),
                ("loss", "loss_at"),
                ("% identified", "right_at"),
                ("gradient norm", "norm_at"),
                ("step size", "stride_at"),
                ("share of gradients reduced", "shortened_at"),
            ),
            count="reached",
            general=True,
        ),
        labels={
            "run": "Train",
            "shown": "shown",
            "kept": "what it remembers",
            "before": "the last run’s memory",
            "thin": "thin: forgotten",
            "named": "its answer, in %",
            "boxed": "boxed: correct",
            "first": "step 1",
            "noise": "then 19 steps of noise",
            "last": "step 20",
        },
        stages=(
            (("remedy",), ()),
            (("remedy", "limit", "rate"), ("optimizer", "seed")),
        ),
        stills=(
            {},
            {"remedy": "clip", "limit": 1.0},
        ),
        parts={
            **{
                f"symbol_{symbol.lower()}": Part(
                    f"last_named_{symbol.lower()}_{i}",
                    f"Shown {symbol}, it answers {symbol} with probability {{value:.2f}}.",
                )
                for i, symbol in enumerate(SYMBOLS, 1)
            },
            "right": Part(
                "last_right",
                "It identifies {last_right:.0f} % of the symbols in the last 25 minibatches.",
            ),
            "norm": Part("last_norm", "The last gradient norm is {last_norm:.3~g}."),
        },
        prediction=_asks(
            "clip",
            "With no remedy it learns until one gradient has norm 97; after that it only guesses. Clip every "
            "gradient at norm 1: what happens to the network?",
            "No step is longer than {last_farthest:.2~g} now; without the clip, one was 9.7 long.",
        ),
        questions={
            "columns": _asks(
                "columns",
                "On its way back a gradient passes W at every step. Cap the norms of W’s columns at 1.4, where "
                "they start. What happens to the network?",
                "The cap doesn’t bound the gradient, whose norm reached {last_longest:.3~g}.",
            ),
            "normalise": _asks(
                "normalise",
                "Now give every gradient norm 0.3, whether it was larger or smaller. What happens to the network?",
                "Every step is 0.03 long, so no single one does damage.",
            ),
        },
        note=(
            "A tanh RNN of 16 units is shown one of four symbols, then noise, and asked for the symbol after 20 "
            "steps. The picture has four sequences with the same noise; a trace is as thick as its state is far from "
            "the nearest of the other three, so where it is thin the symbol is forgotten. For “half at each state”, c "
            "is a scale; else it is the longest that each example’s gradient at every state, the whole gradient, W’s "
            "columns or its singular values may be, and with “normalise the gradient” every gradient is c long. The page takes the steps that JAX traced, with Optax’s momentum "
            "and Adam; both see the gradient after the remedy, and the caps on W act after the update. Where "
            "training fails it is chaotic: the rounding errors of another machine grow until its run is another one."
        ),
        source=remedies.step,
    )
