"""The token board: one training step as a loop of six places, and a token on one of them."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

from gradlab.figure.controls import Choice, Control, Range
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Preset, Table
from gradlab.figure.views import Board
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
from gradlab.figures.three_places_words import LABELS, PARTS, ROWS, SENTENCES


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
