"""Three cotangents meet at a hidden state: a clip on one of them, on each, or on their sum."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.controls import Choice, Control, Range
from gradlab.figure.equation import part, when
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Plane, Ring, Vector
from gradlab.figure.widget import Figure
from gradlab.ops import clip_gradient_norm

STATE = np.array([0.2, 0.1])
"""The hidden state h at which the three streams meet."""
VALUE, REWARD = np.array([0.9, 0.6]), np.array([-0.7, 0.8])
"""The two heads: linear, v = VALUE · h and r = REWARD · h."""
DYNAMICS = np.array([[0.4, 0.6], [2.4, -2.0]])
"""The next step: h' = tanh(DYNAMICS h)."""

PLACES = (
    ("next", "the next step"),
    ("sum", "the sum (a hook)"),
    ("value", "the value head"),
    ("reward", "the reward head"),
    ("each", "each of the three"),
)
STANDS = np.array(  # which of value, reward, next step and sum a clip stands on, place by place
    [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]], bool
)
HOOK, EACH = 1, 4


def tape(limits: Array, later: Array) -> tuple[Array, Array]:
    """Cotangents that arrive at four clips in a small network, and those that leave them.

    Args:
      limits: float ``[4]``; of the clips on the streams of value, reward and next step, and of
        the one on h, before anything uses it. inf lets everything through.
      later: float ``[]``; the weight of the next step's loss.

    Returns:
      Two arrays ``[4, 2]``: the cotangents that arrive at the clips, and those that leave.
    """

    def loss(arrives: Array, leaves: Array) -> Array:
        # zeros after and before each clip: their gradients are what arrives and what leaves
        def clip(h: Array, n: int) -> Array:
            clipped: Array = clip_gradient_norm(h + leaves[n], limits[n])
            return clipped + arrives[n]

        h = clip(jnp.asarray(STATE), 3)
        value, reward = jnp.dot(VALUE, clip(h, 0)), jnp.dot(REWARD, clip(h, 1))
        following = jnp.dot(VALUE, jnp.tanh(jnp.dot(DYNAMICS, clip(h, 2))))
        return 0.5 * ((value + 0.6) ** 2 + (reward + 0.9) ** 2 + later * (following + 0.95) ** 2)

    arrived, left = jax.grad(loss, (0, 1))(jnp.zeros((4, 2)), jnp.zeros((4, 2)))
    return arrived, left


def meeting(where: Array, c: Array, later: Array) -> dict[str, Array]:
    """The streams at h, what a clip leaves of them, and what a hook would.

    Args:
      where: int ``[]``; the place of the clip, one of ``PLACES``.
      c: float ``[]``, above 0; its limit.
      later: float ``[]``; the weight of the next step's loss.

    Returns:
      ``value``, ``reward``, ``next`` ``[2]``, the streams that arrive, ``heads`` the sum of the
      first two, ``whole`` that of all; the same names with ``_left`` for what the clips leave,
      and ``handed``, what h hands on; ``hook``, what it hands on where the clip is on the sum;
      lengths, angles, and where the rings are.
    """
    stands, none = jnp.asarray(STANDS), jnp.zeros(4, bool)
    # without a clip, with the one that is chosen, with a hook; and, to drag along, at weight 1
    limits = jnp.where(jnp.stack([none, stands[where], stands[HOOK], none]), c, jnp.inf)
    weights = jnp.stack([later, later, later, jnp.ones_like(later)])
    arrives, leaves = jax.vmap(tape)(limits, weights)
    free, left, hooked, at_one = leaves
    whole, handed, hook = free[3], left[3], hooked[3]
    lengths = jnp.linalg.norm(leaves[:2], axis=2)
    clipped = jnp.any(lengths[1] < jnp.linalg.norm(arrives[1], axis=1) - 1e-12)
    heads_left = left[0] + left[1]
    same = jnp.linalg.norm(handed - hook) < 1e-9
    parallel = jnp.abs(handed[0] * hook[1] - handed[1] * hook[0]) < 1e-9
    tails = jnp.stack([heads_left, jnp.zeros(2), jnp.zeros(2), left[0], jnp.zeros(2)])
    return {
        "value": free[0],
        "reward": free[1],
        "next": free[2],
        "heads": free[0] + free[1],
        "whole": whole,
        "value_left": left[0],
        "reward_left": left[1],
        "next_left": left[2],
        "heads_left": heads_left,
        "handed": handed,
        "hook": hook,
        "next_at_one": at_one[2],
        "value_lengths": lengths[:, 0],
        "reward_lengths": lengths[:, 1],
        "next_lengths": lengths[:, 2],
        "sum_lengths": lengths[:, 3],
        "length": jnp.linalg.norm(handed),
        "apart": _degrees(handed, hook),
        "answer": jnp.where(same, 0, jnp.where(parallel, 1, 2)),
        "ring": tails[where],
        "other_rings": jnp.where(where == EACH, c, 0.0),
        "clips_value": limits[1, 0] < jnp.inf,
        "clips_reward": limits[1, 1] < jnp.inf,
        "clips_next": limits[1, 2] < jnp.inf,
        "clips_sum": limits[1, 3] < jnp.inf,
        "case": jnp.where(clipped, where + 1, 0),
    }


def _degrees(a: Array, b: Array) -> Array:
    """The angle between two vectors."""
    return jnp.degrees(jnp.abs(jnp.arctan2(a[0] * b[1] - a[1] * b[0], a @ b)))


def _clipped_where(condition: str, tex: str) -> str:
    """Put a term of the equation within a clip, while one stands on it."""
    return rf"\class{{?{condition}}}{{\operatorname{{clip}}(}}{tex}\class{{?{condition}}}{{)}}"


STREAMS = {"value": "value", "reward": "reward", "next": "next step"}
TERMS = "+".join(
    _clipped_where(f"clips_{name}", rf"\class{{{name}_left}}{{\text{{{words}}}}}")
    for name, words in STREAMS.items()
)
NUMBERS = " + ".join(part(f"{name}_left", f"{{{name}_left:,.2f}}") for name in STREAMS)
_STANDS = "With c = {c} on "
_HANDS = "h hands on {handed:,.2f}, {length:,.2f} long"
_HOOK = "; a hook hands on {hook:,.2f}, {apart:,.0f} degrees away."

CONTROLS: tuple[Control, ...] = (
    Choice("where", "the clip stands on", "", options=PLACES),
    Range("c", "limit", "c", 0.1, 2.5, 1.0, 0.01),
    Range("later", "weight of the next step’s loss", "λ", 0.0, 1.5, 1.0, 0.01),
)

SPEC = FigureSpec(
    function=meeting,
    controls=CONTROLS,
    view=Plane(
        marks=(
            Ring("c", center="ring", label="c = {c}", drag="c", at=125, filled=True),
            Ring("other_rings", center="value_left"),
            Ring("other_rings", center="heads_left"),
            Vector("value", role="own", before=True, unless="value_left"),
            Vector("reward", role="own", tail="value", before=True, unless="reward_left"),
            Vector(
                "next",
                role="cotangent",
                tail="heads",
                before=True,
                unless="next_left",
                drag="later",
                along="next_at_one",
            ),
            Vector("whole", role="ink", before=True, unless="handed", key="h̄ without a clip"),
            Vector("value_left", "value", "own"),
            Vector("reward_left", "reward", "own", tail="value_left"),
            Vector("next_left", "next step", "cotangent", tail="heads_left"),
            Vector(
                "hook",
                role="muted",
                unless="handed",
                key="h̄ from a hook that clips at c",
            ),
            Vector("handed", "h̄", "ink", key="h̄, as h hands it on"),
        ),
        x=(-1.0, 3.4),
        y=(-1.0, 2.3),
    ),
    title="Three streams meet at h",
    look="Move the clip. Drag the ring, or the head of the next step’s outlined arrow.",
    sentences=(
        "Nothing is longer than c = {c} where the clip stands: h hands on {handed:,.2f}, as without it.",
        _STANDS + "the next step’s stream, " + _HANDS + _HOOK,
        _STANDS + "the sum, as a hook does, " + _HANDS + ": shorter, and not turned.",
        _STANDS + "the value head’s stream, " + _HANDS + _HOOK,
        _STANDS + "the reward head’s stream, " + _HANDS + _HOOK,
        _STANDS + "each stream, " + _HANDS + _HOOK,
    ),
    table=Table(
        columns=(
            ("value", "value_lengths"),
            ("reward", "reward_lengths"),
            ("next step", "next_lengths"),
            ("h̄", "sum_lengths"),
        ),
        rows="{n}",
        count=2,
        caption="Lengths: 1 without a clip, 2 with it",
    ),
    presets=(
        Preset("on the next step, c = 1", {"where": "next", "c": 1.0, "later": 1.0}),
        Preset("a hook, c = 1", {"where": "sum", "c": 1.0, "later": 1.0}),
        Preset("on each, c = 0.5", {"where": "each", "c": 0.5, "later": 1.0}),
    ),
    stages=((("where", "c"), ("later",)),),
    stills=({"where": "next"}, {"where": "sum"}, {"where": "each"}),
    parts={
        "value_left": Part(
            "value_left", "The value head’s stream is {value:,.2f}; {value_left:,.2f} is left."
        ),
        "reward_left": Part(
            "reward_left", "The reward head’s is {reward:,.2f}; {reward_left:,.2f} is left."
        ),
        "next_left": Part("next_left", "The next step’s is {next:,.2f}; {next_left:,.2f} is left."),
        "whole": Part("whole", "Without a clip, the three add up to {whole:,.2f}."),
        "handed": Part("handed", "Without a clip h̄ is {whole:,.2f}; h hands on {handed:,.2f}."),
        "hook": Part("hook", "A hook that clips the sum at {c} hands on {hook:,.2f}."),
    },
    equation=(
        rf"$\class{{handed}}{{\bar h}} = {_clipped_where('clips_sum', TERMS)}$",
        f"= {when('clips_sum', 'clip( ')}{NUMBERS}{when('clips_sum', ' )')}"
        f" = {part('handed', '{handed:,.2f}')}",
    ),
    prediction=Prediction(
        "Here a hook clips the sum of the three streams at c = 1. Now the clip moves to the next step’s stream, "
        "before it joins the others, with the same limit. Does h hand on the same?",
        answer="answer",
        how="choice",
        options=(
            "the same",
            "the same direction, another length",
            "another direction",
        ),
        settings={"where": "next", "c": 1.0, "later": 1.0},
        holds={"where": "sum"},
        reveal="The branch clip gives {handed:,.2f}, the hook {hook:,.2f}: they are {apart:,.0f} degrees apart.",
    ),
    note=(
        "One real network with numbers small enough to draw: h = (0.2, 0.1), two linear heads, a next "
        r"step $h' = \tanh(W h)$ with a head of its own, and squared errors. MuZero’s policy head "
        "would be a fourth stream. Every arrow is <code>jax.grad</code>’s, through "
        "<code>clip_gradient_norm</code>."
    ),
)


class MeetingStreams(Figure):
    """The cotangents of value head, reward head and next step at h, and a clip among them.

    Args:
      where: the place of the clip: ``"next"`` (default), ``"sum"``, ``"value"``, ``"reward"`` or
        ``"each"``.
      c: its limit, in [0.1, 2.5], default 1.
      later: the weight of the next step's loss, in [0, 1.5], default 1.
    """

    spec = SPEC
