"""One training step as a loop of six places, and one operation that is put at one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from gradlab.explorables.controls import Choice, Control, Range
from gradlab.explorables.figure import Explorable, Figure, Preset, Table
from gradlab.explorables.prediction import Prediction
from gradlab.explorables.three_places_words import LABELS, PARTS, ROWS, SENTENCES
from gradlab.explorables.views import Board
from gradlab.ops import clip_by_norm, max_norm, scale_gradient

INPUTS = ((0.9, -0.8), (0.3, 0.7))
TARGETS = ((1.5, 0.7), (-0.3, 1.6))
WEIGHTS = ((-0.6, 0.3), (0.9, 0.5))
SMALL = 1e-6
"""By which a vector is multiplied to see whether a token leaves small ones alone."""

TOKENS = (
    ("scale", "multiply by s"),
    ("clip", "clip to c"),
    ("cap", "cap at c (MaxNorm)"),
    ("stop", "stop the gradient"),
    ("batch_norm", "batch normalisation"),
)
STATIONS = (
    ("x", "the inputs, x"),
    ("h", "the state, h"),
    ("cotangent", "the cotangent at h"),
    ("gradient", "the gradient of w"),
    ("update", "the update"),
    ("w", "the weights, w"),
)
PLACES = tuple(name for name, _ in STATIONS)
FORWARD, OF_EXAMPLES, LAST = 2, 3, 5  # values up to here, examples up to here, the weights


def batch_norm(v: Array, epsilon: float = 1e-5) -> Array:
    """The batch, feature by feature, less its mean and over its standard deviation: ``[B, D]``."""
    return (v - jnp.mean(v, axis=0)) / jnp.sqrt(jnp.var(v, axis=0) + epsilon)


def apply(token: Array, station: Any, scale: Array, limit: Array, v: Array) -> Array:
    """What a token makes of the two vectors at a station.

    Args:
      token, station: int ``[]``; the place in ``TOKENS`` and in ``STATIONS``.
      scale, limit: float ``[]``.
      v: float ``[2, 2]``: examples by features or, from the gradient on, ``[in, out]``.
    """
    batch = station < OF_EXAMPLES
    back = (station >= FORWARD) & (station < LAST)
    made = (
        lambda v: scale * v,
        lambda v: jnp.where(batch, clip_by_norm(v, limit, axis=-1), clip_by_norm(v, limit)),
        lambda v: max_norm(v, limit, axis=0),
        lambda v: jnp.where(back, 0.0, jax.lax.stop_gradient(v)),
        lambda v: jnp.where(batch, batch_norm(v), v),
    )
    moved: Array = jax.lax.switch(token, made, v)
    return moved


def loss(w: Array, h: Array) -> Array:
    """Half the squared distance of the next state, ``h w``, to what it should be."""
    return 0.5 * jnp.sum((h @ w - jnp.asarray(TARGETS)) ** 2)


def first_update(gradient: Array, adam: Array) -> Array:
    """The optimizer's first update: of SGD with the rate 0.5, or of Adam with 0.3."""

    def of(optimizer: optax.GradientTransformation) -> Any:
        return optimizer.update(gradient, optimizer.init(gradient))[0]

    return jnp.where(adam, of(optax.adam(0.3)), of(optax.sgd(0.5)))


def training_step(
    token: Array, station: Array, scale: Array, limit: Array, adam: Array
) -> tuple[Array, Array]:
    """One training step with a token at a station; at none where ``station`` is -1.

    w is used twice, ``h = x w`` and ``loss(w, h)``, so it reaches the loss through h and directly.

    Returns:
      What is at the six places, float ``[6, 2, 2]``, and the loss.
    """

    def at(name: str, v: Array) -> Array:
        here = PLACES.index(name)
        put = jax.lax.cond(
            station == here, lambda v: apply(token, here, scale, limit, v), lambda v: v, v
        )
        return jnp.asarray(put)

    w = jnp.asarray(WEIGHTS)
    x = at("x", jnp.asarray(INPUTS))
    made, back_to_w = jax.vjp(lambda w: x @ w, w)
    h, back_past_token = jax.vjp(lambda h: at("h", h), made)
    value, (direct, from_loss) = jax.value_and_grad(loss, (0, 1))(w, h)
    cotangent = at("cotangent", *back_past_token(from_loss))
    gradient = at("gradient", back_to_w(cotangent)[0] + direct)
    update = at("update", first_update(gradient, adam))
    weights = at("w", w + update)
    return jnp.stack([x, h, cotangent, gradient, update, weights]), value


def reads(put: Callable[[Array], Array], v: Array) -> Array:
    """How much ``put`` must see: 0 nothing, 1 a number, 2 its row, 3 its column, 4 all of v.

    It is asked by changing one entry of a large v and looking at the first result.
    """
    large = 10.0 * v
    nudges = jnp.eye(5, 4, -1).reshape(5, 2, 2)  # none, and one at each entry
    found = jax.lax.map(lambda nudge: put(large + nudge), nudges)
    hears = found[1:, 0, 0] != found[0, 0, 0]
    row, column, corner = hears[1], hears[2], hears[3]
    most = jnp.where(corner, 4, jnp.where(column, 3, jnp.where(row, 2, jnp.where(hears[0], 1, 0))))
    return jnp.where(jnp.all(found[0] == large), 0, most)


def length(v: Array) -> Array:
    """The Euclidean norm of all entries together."""
    return jnp.sqrt(jnp.sum(v**2))


def muzero() -> Array:
    """The first of x, h and the cotangent at h that MuZero's line changes."""
    x, w = jnp.asarray(INPUTS), jnp.asarray(WEIGHTS)
    h, line = jax.vjp(lambda h: scale_gradient(h, 0.5), x @ w)
    cotangent = jax.grad(loss, 1)(w, h)
    changed = [jnp.any(x != jnp.asarray(INPUTS)), jnp.any(h != x @ w)]
    return jnp.argmax(jnp.stack([*changed, jnp.any(line(cotangent)[0] != cotangent)]))


def turn(a: Array, b: Array) -> Array:
    """The angle between two gradients in degrees; 0 where one is 0."""
    one, other = (v / jnp.where(jnp.any(v != 0), length(v), 1.0) for v in (a, b))
    angle = 2.0 * jnp.arctan2(length(one - other), length(one + other))
    return jnp.where(jnp.any(a != 0) & jnp.any(b != 0), jnp.degrees(angle), 0.0)


def moved(before: Array, after: Array) -> Array:
    """0 as it was, 1 another length alone, 2 turned, 3 nothing left."""
    same = length(after - before) < 1e-9
    turned = turn(before, after) > 1e-3
    gone = jnp.logical_not(jnp.any(after != 0))
    return jnp.where(same, 0, jnp.where(gone, 3, jnp.where(turned, 2, 1)))


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
    small = SMALL * before[station]
    value, back = jax.vjp(put, small)
    forward = (station == 1) & (length(back(before[2])[0] - before[2]) > 1e-9)
    acts = (length(value - small) > 1e-9 * SMALL) | forward
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
        "reads": reads(put, before[station]) + jnp.where(station < OF_EXAMPLES, 0, 5),
        "muzero": muzero(),
        "case": token * len(PLACES) + station,
    }


CONTROLS: tuple[Control, ...] = (
    Choice("token", "token", options=TOKENS),
    Choice("station", "put it on", options=STATIONS),
    Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.05),
    Range("limit", "limit of clip and cap", "c", 0.25, 2.0, 1.0, 0.05),
    Choice("optimizer", "optimizer", options=(("sgd", "SGD"), ("adam", "Adam"))),
)
ALL = tuple(control.name for control in CONTROLS)

EXPLORABLE = Explorable(
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
        rows="{n}",
        count=4,
        caption="Lengths of the arrows: rows 1 and 2 with the token, rows 3 and 4 without it",
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
            "the gradient of w turns by {turn:0}°."
        ),
    ),
    note=(
        "The model: a batch of two examples, <math><mi>h</mi><mo>=</mo><mi>x</mi><mi>w</mi></math>, "
        "and w used a second time, in the loss "
        "<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mrow><mo>|</mo><mi>h</mi><mi>w</mi>"
        "<mo>−</mo><mi>y</mi><mo>|</mo></mrow><mn>2</mn></msup></math>. The arrows are the two "
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
      scale: s in [0, 1], default 0.5.
      limit: c in [0.25, 2], default 1, of the clip and of the cap.
      optimizer: ``"sgd"`` or ``"adam"``, before its first step.

    Raises:
      TypeError: for a control that does not exist.
      ValueError: for a value that is not allowed.
    """

    explorable = EXPLORABLE
