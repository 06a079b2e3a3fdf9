"""The token board: one training step as a loop of six places, and a token on one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from gradlab.figure.controls import Choice, Control, Range
from gradlab.figure.equation import when
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views.fixed import FixedView
from gradlab.figure.widget import Figure
from gradlab.figures._training_step import (
    OF_EXAMPLES,
    PLACES,
    STATIONS,
    TOKENS,
    WEIGHTS,
    apply,
    length,
    manner,
    moved,
    muzero,
    training_step,
    turn,
)


def three_places(
    token: Array, station: Array, scale: Array, limit: Array, optimizer: Array
) -> dict[str, Array]:
    """One training step, without and with a token at one of its six places.

    Args:
      token, station: int ``[]``.
      scale: float ``[]``; s.
      limit: float ``[]``; c, of the clip and of the cap.
      optimizer: int ``[]``; 0 is SGD, 1 Adam.

    Returns:
      ``before``, ``after`` ``[6, 2, 2]``, vectors as rows, at every place; their lengths by
      place, ``[4]``, the two after and the two before; and what the rows below the board say.
    """
    step = partial(training_step, token, scale=scale, limit=limit, adam=optimizer == 1)
    both, losses = jax.lax.map(lambda s: step(s), jnp.stack([jnp.full_like(station, -1), station]))
    before, after = both
    put = partial(apply, token, station, scale, limit)
    acts, sees = manner(put, before[station], station == 1)
    weights = jnp.asarray(WEIGHTS)
    rows = jnp.concatenate([both[:, :3], jnp.swapaxes(both[:, 3:], 2, 3)], axis=1)
    lengths = jnp.linalg.norm(rows, axis=-1)
    steps = before[5] - weights, after[5] - weights
    per_arrow = ((token == 1) & (station < OF_EXAMPLES)) | ((token == 2) & (station >= OF_EXAMPLES))
    return {
        "before": rows[0],
        "after": rows[1],
        "ring": jnp.where(per_arrow, limit, 0.0),
        **{name: jnp.concatenate([lengths[1, i], lengths[0, i]]) for i, name in enumerate(PLACES)},
        "loss_before": losses[0],
        "loss_after": losses[1],
        "loss_changes": jnp.abs(losses[1] - losses[0]) > 1e-9,
        "turn": turn(before[3], after[3]),
        "length": length(after[3]) / length(before[3]),
        "gradient_moves": moved(before[3], after[3]),
        "step_turn": turn(*steps),
        "step_length": length(steps[1]) / length(steps[0]),
        "step_moves": moved(*steps),
        "acts_small": acts,
        "reads": sees + jnp.where(station < OF_EXAMPLES, 0, 5),
        "muzero": muzero(),
        "case": token * len(PLACES) + station,
    }


@dataclass(frozen=True)
class Board(FixedView):
    """Six places in a loop, two arrows at each, before and after a token that is put on one."""

    kind: ClassVar[str] = "board"
    results: ClassVar[tuple[str, ...]] = ("before", "after", "ring", "loss_changes")
    controls: ClassVar[tuple[str, ...]] = ("token", "station", "optimizer")


LABELS = {
    "x": "x",
    "h": "h",
    "cotangent": "h̄",
    "gradient": "w̄",
    "update": "Δw",
    "w": "w",
    "x name": "inputs",
    "h name": "state",
    "cotangent name": "cotangent",
    "gradient name": "gradient",
    "update name": "update",
    "w name": "weights",
    "scale": "× {scale}",
    "clip": "clip {limit}",
    "cap": "cap {limit}",
    "stop": "stop",
    "batch_norm": "batch norm",
    "application": "f",
    "loss": "loss {loss_before:,.2f}",
    "loss after": "now {loss_after:,.2f}",
    "through": "through h",
    "direct": "directly",
    "sgd": "SGD",
    "adam": "Adam",
    "tray": "tokens to drag",
}

SENTENCES = (
    # × s
    "Multiplying the inputs: x itself shrinks, so the state, the loss and every gradient are "
    "others. No gradient was scaled.",
    "Multiplying the state: the next application starts from another h, so the loss changes. "
    "MuZero’s line names the state, but its value stays.",
    "MuZero’s place: state and loss stay. What comes back through h is multiplied by {scale}, "
    "what comes back directly is not, and so w̄ turns by {turn:,.0f}°.",
    "Multiplying the gradient of w: every path is scaled alike, so w̄ keeps its direction. With "
    "SGD this is another learning rate; Adam undoes it.",
    "Multiplying the update: another learning rate, whatever the optimizer.",
    "Multiplying the weights after the step: they shrink, whatever the gradient was. This is a "
    "decay of the weights.",
    # clip
    "Clipping the inputs: an x longer than {limit} is shortened, and the network sees other data. "
    "No gradient was clipped.",
    "Clipping the state: an h longer than {limit} is shortened, and the loss changes. Nothing "
    "bounds what comes back.",
    "Clipping at the state: each example’s cotangent is cut to {limit} where it is longer, and "
    "left alone where it is shorter. MuZero’s line halves both.",
    "The optimizer’s clipnorm: both paths are in the sum already. It is cut to {limit} where it is "
    "longer, and keeps its direction.",
    "Clipping the update: the step is bounded, after the optimizer; the gradient is not.",
    "Clipping the weights after the step: one norm for all of w. This is a constraint, though "
    "not MaxNorm, which takes each column by itself.",
    # cap
    "MaxNorm on the inputs: with axis 0 it caps each feature over the batch. The examples shorten "
    "each other, and the network sees other data.",
    "MaxNorm on the state, as the asker was told: with axis 0 it caps each feature over the "
    "batch. The loss changes, and one example’s state depends on the other’s.",
    "MaxNorm on the cotangent: with axis 0 it caps each feature over the batch. This is a clip that "
    "mixes the examples.",
    "MaxNorm on the gradient: each column of w̄ is clipped by itself, which can turn the whole. "
    "The weights have no bound.",
    "MaxNorm on the update: each column of the step is bounded. Many steps still add up to "
    "weights of any size.",
    "MaxNorm’s own place: after the step, each column of w longer than {limit} is cut to it. Loss, "
    "gradient and update stay.",
    # stop
    "Stopping at the inputs: nobody asks for their gradient, so nothing changes.",
    "Stopping at the state: its value passes and nothing comes back, so w̄ keeps its direct path "
    "alone.",
    "Stopping at the cotangent: the same as stopping at the state, and as × 0.",
    "Stopping at the gradient of w: the weights are frozen, by both paths.",
    "Stopping at the update: the weights are frozen, though a gradient was computed.",
    "Stopping at the weights: no gradient goes from one step to the next anyway, so nothing "
    "changes.",
    # batch norm
    "Normalising the inputs over a batch of two: each number becomes 1 or −1, all but for ε. The "
    "network sees other data.",
    "Normalising the state over a batch of two: each number becomes 1 or −1, all but for ε. The "
    "loss changes, and almost nothing comes back through h.",
    "Normalising the cotangents over a batch of two: each number becomes 1 or −1, so the long "
    "and the short one are equally long. All sizes are lost.",
    "Batch normalisation finds no batch here: the gradient is summed over the examples. Nothing "
    "changes.",
    "Batch normalisation finds no batch here: an update has no examples. Nothing changes.",
    "Batch normalisation finds no batch here: weights have no examples. Nothing changes.",
)

PARTS = {
    "x": Part("x", "Inputs of example {n}: {value:,.2f} long."),
    "h": Part("h", "State of example {n}: {value:,.2f} long."),
    "cotangent": Part("cotangent", "Cotangent at h of example {n}: {value:,.2f} long."),
    "gradient": Part("gradient", "Gradient of w, column {n}: {value:,.2f} long."),
    "update": Part("update", "Update, column {n}: {value:,.2f} long."),
    "w": Part("w", "Weights after the step, column {n}: {value:,.2f} long."),
}


def _row(question: str, *answers: tuple[str, str]) -> str:
    """A question, and an answer that is shown on its condition."""
    said = "".join(when(condition, words) for condition, words in answers)
    return f'<span class="gl-asked">{question}</span> <b>{said}</b>'


def _moved(what: str, turn: str, length: str) -> tuple[tuple[str, str], ...]:
    return (
        (f"{what}=0", "No."),
        (f"{what}=1", f"Its length alone: × {{{length}:,.2f}}."),
        (f"{what}=2", f"It turns by {{{turn}:,.0f}}°, and is {{{length}:,.2f}} times as long."),
        (f"{what}=3", "Nothing is left of it."),
    )


ROWS = (
    _row(
        "Does this step’s loss change?",
        ("!loss_changes", "No: {loss_after:,.2f}."),
        ("loss_changes", "From {loss_before:,.2f} to {loss_after:,.2f}."),
    ),
    _row("The gradient of w?", *_moved("gradient_moves", "turn", "length")),
    _row("The change of w, in the end?", *_moved("step_moves", "step_turn", "step_length")),
    _row("Does it act when everything is small?", ("acts_small", "Yes."), ("!acts_small", "No.")),
    _row(
        "What must it see?",
        *(
            (f"reads={n}", words)
            for n, words in enumerate(
                (
                    "Nothing.",
                    "One number at a time.",
                    "One example’s vector.",
                    "The whole batch.",
                    "The whole batch.",
                    "Nothing.",
                    "One number at a time.",
                    "One row.",
                    "One column of w.",
                    "All of it at once.",
                )
            )
        ),
    ),
)


CONTROLS: tuple[Control, ...] = (
    Choice("token", "token", options=TOKENS),
    Choice("station", "put it on", options=STATIONS),
    Range("scale", "scale", "s", 0.05, 0.95, 0.5, 0.05),
    Range("limit", "limit of clip and cap", "c", 0.25, 1.0, 1.0, 0.05),
    Choice("optimizer", "optimizer", options=(("sgd", "SGD"), ("adam", "Adam"))),
)
ALL = tuple(control.name for control in CONTROLS)

SPEC = FigureSpec(
    function=three_places,
    controls=CONTROLS,
    view=Board(),
    title="One training step, six places, five tokens",
    look=(
        "Drag the token to another place, or another token from below. An outline is what was "
        "there without the token; a place with a bold frame has changed."
    ),
    sentences=SENTENCES,
    table=Table(
        columns=tuple((LABELS[name], name) for name in PLACES),
        rows=("1, with", "2, with", "1, without", "2, without"),
        count=4,
        caption="Lengths of both arrows at every place, with the token and without it",
    ),
    labels=LABELS,
    parts=PARTS,
    stages=((ALL[:2], ALL[2:]),),
    presets=(
        Preset("MuZero’s line", {"token": "scale", "station": "cotangent"}),
        Preset("clipnorm", {"token": "clip", "station": "gradient"}),
        Preset("MaxNorm", {"token": "cap", "station": "w"}),
    ),
    stills=(
        {"token": "scale", "station": "cotangent"},
        {"token": "clip", "station": "gradient"},
        {"token": "cap", "station": "w"},
    ),
    equation=ROWS,
    prediction=Prediction(
        "MuZero’s line reads hidden_state = scale_gradient(hidden_state, 0.5). On which place of "
        "the board is that token?",
        answer="muzero",
        how="choice",
        options=tuple(words for _, words in STATIONS),
        settings={"token": "scale", "station": "cotangent", "scale": 0.5, "optimizer": "sgd"},
        conceals=("case",),
        waiting="Put the token where you think it is, and read below what changes there.",
        reveal=(
            "The line names the state, but the state stays. What comes back to it is halved, and "
            "the gradient of w turns by {turn:,.0f}°."
        ),
    ),
    note=(
        r"The model: a batch of two examples, $h = xw$, and w used a second time, in the loss "
        r"$\frac{1}{2} |hw - y|^2$. The arrows are the two "
        "examples or, from the gradient on, the two columns of w. With a token on the cotangent, "
        "what follows is a surrogate: the gradient of no loss."
    ),
    source=training_step,
)


class ThreePlaces(Figure):
    """One training step as a loop of six places, and a token on one of them.

    Args:
      token: ``"scale"``, ``"clip"``, ``"cap"``, ``"stop"`` or ``"batch_norm"``.
      station: ``"x"``, ``"h"``, ``"cotangent"``, ``"gradient"``, ``"update"`` or ``"w"``.
      scale: s in [0.05, 0.95], default 0.5.
      limit: c in [0.25, 1], default 1, of the clip and of the cap: something is longer.
      optimizer: ``"sgd"`` or ``"adam"``, before its first step.
    """

    spec = SPEC
