"""The token board: one training step as a loop of six places, and a token on one of them."""

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Choice, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._training_step import (
    OF_EXAMPLES,
    PLACES,
    TOKENS,
    WEIGHTS,
    compared,
    training_step,
)
from sccbook.figures._views import DIST

COMPARED = tuple(
    f"{name}_{how}" for how in ("moves", "turn", "length") for name in ("gradient", "update", "w")
)
"""Of the gradient, the update and the change of w: whether they are as they were, and by how much not."""


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
      place, ``[4]``, the two after and the two before; and what the words under each place say.
    """

    def step(station: Array) -> tuple[Array, Array]:
        return training_step(token, station, scale, limit, optimizer == 1)

    both, losses = jax.lax.map(step, jnp.stack([station, jnp.full_like(station, -1)]))
    rows = jnp.concatenate([both[:, :3], jnp.swapaxes(both[:, 3:], 2, 3)], axis=1)
    lengths = jnp.moveaxis(jnp.linalg.norm(rows, axis=-1), 0, 1).reshape(6, 4)
    taken = both[:, 3:].at[:, 2].add(-jnp.asarray(WEIGHTS))
    found = jax.lax.map(lambda of: compared(of[1], of[0]), jnp.swapaxes(taken, 0, 1))
    per_arrow = ((token == 1) & (station < OF_EXAMPLES)) | ((token == 2) & (station >= OF_EXAMPLES))
    return {
        "before": rows[1],
        "after": rows[0],
        "ring": jnp.where(per_arrow, limit, 0.0),
        **dict(zip(PLACES, lengths, strict=True)),
        "loss_before": losses[1],
        "loss_after": losses[0],
        "loss_changes": jnp.abs(losses[0] - losses[1]) > 1e-9,
        **dict(zip(COMPARED, (each[n] for each in found for n in range(3)), strict=True)),
        "case": token * len(PLACES) + station,
    }


class Board(View):
    """Six places in a loop, two arrows at each, before and after a token that is put on one."""

    kind = "board"
    script = DIST / "board.js"
    style = DIST / "board.css"
    reads = (
        "before",
        "after",
        "ring",
        "loss_changes",
        "gradient_moves",
        "update_moves",
        "w_moves",
        "token",
        "station",
        "optimizer",
    )


MOVED = ("as before", "× {of_length:,.2f}", "turned {of_turn:,.0f}°", "nothing left")
"""What becomes of the gradient of w, the update or the change of w, by ``compared``."""
LABELS = {
    **{
        f"{name} {n}": words.replace("of_", f"{name}_")
        for name in ("gradient", "update")
        for n, words in enumerate(MOVED)
    },
    **{f"w {n}": "change " + words.replace("of_", "w_") for n, words in enumerate(MOVED)},
    "x": "x",
    "h": "h",
    "cotangent": "h̄",
    "gradient": "w̄",
    "update": "Δw",
    "w": "w",
    "x name": "two inputs",
    "h name": "two states",
    "cotangent name": "cotangents",
    "gradient name": "gradient",
    "update name": "update",
    "w name": "weights",
    "scale": "× {scale}",
    "clip": "clip {limit}",
    "cap": "cap {limit}",
    "stop": "stop",
    "batch_norm": "batch norm",
    "node": "× w",
    "loss": "loss {loss_before:,.2f}",
    "loss after": "now {loss_after:,.2f}",
    "through": "through h",
    "direct": "straight to w",
    "sgd": "SGD",
    "adam": "Adam",
    "twice": "drawn ×2",
    "kept": "as before",
    "none": "nothing left",
    "next to none": "almost nothing",
    "arrows 1": "one",
    "arrows 2": "both",
    "turned": "turned",
    "and": "and",
    "before": "without",
    "vector": "with",
    "columns": "w̄, Δw, w: two columns each",
    "cut": "two strokes: an arrow goes on",
    "drag": "Drag one into place:",
}

SENTENCES = (
    # × s
    "Multiplying the inputs: x itself shrinks, so the state, the loss and every gradient change. "
    "No gradient was scaled.",
    "Multiplying the state: the next state is computed from another h, so the loss changes. "
    "MuZero’s line names the state, but leaves its value alone.",
    "MuZero’s place: states and loss don’t change. What comes back through h is multiplied by {scale}. "
    "What goes straight to w isn’t, so their sum, w̄, turns by {gradient_turn:,.0f}°.",
    "Multiplying the gradient of w: both paths are scaled alike, so w̄ keeps its direction. With "
    "SGD this is another learning rate. Adam undoes it.",
    "Multiplying the update: this is another learning rate, whatever the optimizer.",
    "Multiplying the weights after the update: they shrink, whatever the gradient was. This is "
    "weight decay.",
    # clip
    "Clipping the inputs: an x longer than {limit} is shortened, so the network trains on altered "
    "data. No gradient was clipped.",
    "Clipping the state: an h longer than {limit} is shortened, so the loss changes. Nothing "
    "bounds what comes back.",
    "Clipping the cotangent at the state: each example’s is cut to {limit} if it’s longer. "
    "MuZero’s line multiplies both by the same number.",
    "The optimizer’s clipnorm, with one norm over all of w̄: both paths are already added up. Their "
    "sum is cut to {limit} if it’s longer, and keeps its direction.",
    "Clipping the update: this bounds what is added to w, but not the gradient.",
    "Clipping the weights after the update: on weights it’s called a cap. This one takes one norm "
    "over all of w, MaxNorm one for each column.",
    # cap
    "MaxNorm on the inputs: with axis 0 it caps each feature over the batch. The examples shorten "
    "each other, and the network trains on altered data.",
    "MaxNorm on the state, as the asker was advised: with axis 0 it caps each feature over the "
    "batch. The loss changes, and one example’s state depends on the other’s.",
    "MaxNorm on the cotangent: with axis 0 each feature has one norm over the batch. On a gradient "
    "it’s called a clip, and this one mixes the examples.",
    "MaxNorm on the gradient: a clip, with one norm for each column of w̄, which can turn the "
    "whole. Nothing bounds the weights.",
    "MaxNorm on the update: each of its columns is bounded, but many updates can still add up to "
    "weights of any size.",
    "MaxNorm’s own place: after the update, each column of w that is longer than {limit} is cut to "
    "it. The loss, the gradient and the update don’t change.",
    # stop
    "Stopping at the inputs: nothing uses their gradient, so nothing changes.",
    "Stopping at the state: its value passes and nothing comes back, so only what goes straight "
    "to w is left in w̄.",
    "Stopping at the cotangent: the same as stopping at the state, and as × 0.",
    "Stopping at the gradient of w: neither path arrives, and the weights are frozen.",
    "Stopping at the update: the weights are frozen, although a gradient was computed.",
    "Stopping at the weights: no gradient goes from one update to the next anyway, so nothing "
    "changes.",
    # batch norm
    "Normalising the inputs over a batch of two: each number becomes 1 or −1, up to ε. The "
    "network trains on altered data.",
    "Normalising the state over a batch of two: each number becomes 1 or −1, up to ε. The loss "
    "changes, and almost nothing comes back through h.",
    "Normalising the cotangents over a batch of two: each number becomes 1 or −1, up to ε, so "
    "the large one and the small one come out equally large.",
    "Batch normalisation has no batch here: the gradient is already a sum over the examples. "
    "Nothing changes.",
    "Batch normalisation has no batch here: an update has no examples. Nothing changes.",
    "Batch normalisation has no batch here: weights have no examples. Nothing changes.",
)


class ThreePlaces(Figure):
    """One training step as a loop of six places, and a token on one of them.

    Args:
      token: ``"scale"``, ``"clip"``, ``"cap"``, ``"stop"`` or ``"batch_norm"``.
      station: ``"x"``, ``"h"``, ``"cotangent"``, ``"gradient"``, ``"update"`` or ``"w"``.
      scale: s in [0.05, 0.95], default 0.5.
      limit: c in [0.25, 1], default 1, of the clip and of the cap: something is longer.
      optimizer: ``"sgd"`` or ``"adam"``, before its first update.
    """

    spec = FigureSpec(
        function=three_places,
        controls=(
            Choice("token", "operation", options=TOKENS),
            Choice(
                "station",
                "put it on",
                options=tuple(
                    (name, f"{n} {LABELS[name]} {LABELS[f'{name} name']}")
                    for n, name in enumerate(PLACES, 1)
                ),
            ),
            Range("scale", "scale", "s", 0.05, 0.95, 0.5, 0.05),
            Range("limit", "limit of clip and cap", "c", 0.25, 1.0, 1.0, 0.05),
            Choice("optimizer", "optimizer", options=(("sgd", "SGD"), ("adam", "Adam"))),
        ),
        view=Board(),
        title="One operation, six places in a training step",
        look="Drag an operation to a place, or take another one from below. A bold frame marks what has changed.",
        sentences=SENTENCES,
        table=Table(
            columns=tuple((LABELS[name], name) for name in PLACES),
            rows=(
                "arrow 1, with the token",
                "arrow 2, with the token",
                "arrow 1, without it",
                "arrow 2, without it",
            ),
            count=4,
            caption="Lengths of both arrows at every place, with the token and without it",
        ),
        labels=LABELS,
        parts={
            "x": Part("x", "Input {n} has length {value:,.2f}."),
            "h": Part("h", "State {n} has length {value:,.2f}."),
            "cotangent": Part("cotangent", "Cotangent {n} has length {value:,.2f}."),
            "gradient": Part("gradient", "Column {n} of the gradient has length {value:,.2f}."),
            "update": Part("update", "Column {n} of the update has length {value:,.2f}."),
            "w": Part("w", "After the update, column {n} of w has length {value:,.2f}."),
        },
        stages=((("token", "station"), ("scale", "limit", "optimizer")),),
        presets=(
            Preset("MuZero", {"token": "scale", "station": "cotangent"}),
            Preset("clipnorm", {"token": "clip", "station": "gradient"}),
            Preset("MaxNorm", {"token": "cap", "station": "w"}),
        ),
        stills=(
            {"token": "scale", "station": "cotangent"},
            {"token": "clip", "station": "gradient"},
            {"token": "cap", "station": "w"},
        ),
        prediction=Prediction(
            "MuZero’s × 0.5 at h̄ turns w̄, the gradient of w. What would a clip of w̄ itself change about it?",
            answer="gradient_moves",
            how="choice",
            options=("nothing", "only its length", "its direction too", "everything: it becomes 0"),
            settings={"token": "clip", "station": "gradient", "limit": 1.0},
            conceals=("case", "after", *COMPARED),
            reveal=(
                "Only its length. w is used twice, and MuZero’s line halves only the path through h. At w̄ both "
                "paths are already added up, and the clip multiplies their sum by one number, {gradient_length:,.2f}."
            ),
        ),
        note=(
            r"The model: a batch of two examples, $h = xw$, and w used a second time, in the loss "
            r"$\frac{1}{2} |hw - y|^2$. The arrows are the two examples or, from the gradient on, the "
            "two columns of w. The clip takes one norm for each example or, from the gradient on, one "
            "for the whole array; the cap takes one for each column everywhere. An angle or a factor is that of both "
            "columns as one vector. The update is what the optimizer adds to w; the change is what w changes by, with the token. With a token on the "
            "cotangent, w̄ is a surrogate, not the gradient of the loss."
        ),
        source=training_step,
    )
