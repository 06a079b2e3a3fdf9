"""Two gradients on their way back through twenty steps, with a clip at every state."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Integer, LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold
from scaleclip.ops import clip_gradient_norm
from sccbook.models import recall
from sccbook.models.recurrent import Params, cross_entropy, readout, tanh_step

MOST = 10.0
"""The highest limit: no gradient is as large."""
SYMBOLS = (2, 3)
"""Those whose gradient ends smallest, B, and largest, A, counted from 1."""
STEPS = np.arange(1, recall.STEPS + 1)
ENDS = (0.5, recall.STEPS + 1.9)
"""Of the axis across."""
BETWEEN = (10.0, 2.4, 1.2)
"""Quotients of their sizes, each between two options of the prediction."""
PLACES = np.stack([STEPS, STEPS + 0.06], axis=1).ravel()
"""Where a gradient arrives at a state, and where it is drawn to go on from there, in steps."""


@cache
def untrained(seed: int = 7) -> dict[str, np.ndarray]:
    """Parameters of ``sccbook.models.recall``'s network as they are drawn, rounded to two decimals."""
    # also while a figure is traced: the parameters are data, not part of its program
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        drawn = jax.jit(recall.init)(jax.random.key(seed))
        return {name: np.asarray(value).round(2) for name, value in drawn.items()}


def lengths(params: Params, limit: Array) -> tuple[Array, Array]:
    """How large the gradients of two symbols' losses are at each state, with a clip there.

    Args:
      params: of ``sccbook.models.recall.init``.
      limit: float ``[]``; of the clip; inf for none.

    Returns:
      What arrives at the state and what the clip lets through, float ``[STEPS, 2]`` each, the last
      step's first. The inputs are without noise.
    """
    shown = jnp.asarray(SYMBOLS) - 1
    symbols = jnp.eye(recall.SYMBOLS)[shown]

    def loss(arriving: Array, leaving: Array) -> Array:
        def step(h: Array, at: tuple[Array, Array, Array]) -> tuple[Array, None]:
            x, before, after = at
            h = clip_gradient_norm(h + after, limit, axis=-1) + before
            return tanh_step(params, h, x), None

        inputs = jnp.concatenate([symbols[None], jnp.zeros((recall.STEPS - 1, *symbols.shape))])
        h, _ = jax.lax.scan(step, jnp.zeros(arriving.shape[1:]), (inputs, arriving, leaving))
        return jnp.sum(cross_entropy(readout(params, h), shown))

    zeros = jnp.zeros((recall.STEPS, len(SYMBOLS), recall.UNITS))
    arriving, leaving = jax.grad(loss, (0, 1))(zeros, zeros)
    return tuple(jnp.linalg.norm(g, axis=-1)[::-1] for g in (arriving, leaving))


@cache
def unclipped() -> np.ndarray:
    """Return the sizes at each state without a clip, ``[STEPS, 2]``: the same for every limit."""
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        return np.asarray(jax.jit(lengths)(untrained(), jnp.inf)[0])


def growth_on_the_way(c: Array, back: Array) -> dict[str, Array]:
    """How large two gradients are on their way back, without a clip and with one at every state.

    Args:
      c: float ``[]``, above 0; the limit.
      back: int ``[]``, from 1; how many steps back they have come. What is farther repeats the last.

    Returns:
      ``steps`` ``[20]``, ``places`` ``[40]``, ``ends``, ``limit`` ``[2]``, c's line;
      ``beyond``, where the names are; for symbols 2 and 3 ``free2`` ``[20]``, their gradient's size without the clip, ``cut2`` ``[20]``, what the clip lets through, ``way2``
      ``[40]``, at each state what arrives and what goes on; ``held2`` ``[]``, at how many states it
      has been clipped, ``parted2``, a place where it is another without the clip, 0 for none;
      now ``after``, symbol 3's with the clip, and ``second``, symbol 2's with it; ``apart``, ``nearer``, how many times as large as
      symbol 2's symbol 3's is in the end, without the clip and with it; ``answer``, the place of the
      option that is right; ``case``, how many of the two are clipped, and 3 more on the way.
    """
    params = {name: jnp.asarray(value) for name, value in untrained().items()}
    free = jnp.asarray(unclipped())
    arriving, cut = lengths(params, c)
    apart, nearer = free[-1, 1] / free[-1, 0], cut[-1, 1] / cut[-1, 0]
    came = jnp.arange(recall.STEPS) < back
    held = jnp.sum((arriving > c) & came[:, None], axis=0)
    here = jnp.minimum(jnp.arange(recall.STEPS), back - 1)
    both = jnp.minimum(jnp.arange(2 * recall.STEPS), 2 * back - 1)
    way = jnp.stack([arriving, cut], axis=1).reshape(-1, len(SYMBOLS))[both]
    free, cut = free[here], cut[here]
    before = jnp.maximum(back - 2, 0)  # at the end alone they part unseen
    places = jnp.stack([jnp.minimum(10.0, back), back - 0.4 * held[1]])
    parted = jnp.where(free[before] - cut[before] > 1e-9, places, 0)
    of_each = {"free": free.T, "cut": cut.T, "way": way.T, "held": held, "parted": parted}
    return {
        "steps": jnp.asarray(STEPS, free.dtype)[here],
        "places": jnp.asarray(PLACES)[both],
        **{f"{name}{n}": of[i] for name, of in of_each.items() for i, n in enumerate(SYMBOLS)},
        "ends": jnp.asarray(ENDS),
        "beyond": back + 0.9,
        "limit": c * jnp.ones(2),
        "after": cut[-1, 1],
        "second": cut[-1, 0],
        "apart": apart,
        "nearer": nearer,
        "answer": jnp.sum(nearer < jnp.asarray(BETWEEN)),
        "case": jnp.sum(held > 0) + jnp.where(back < recall.STEPS, 3, 0),
    }


class GrowthOnTheWay(Figure):
    """The sizes of two gradients on their way back through a tanh RNN, clipped at every state.

    Args:
      c: the limit, in [0.2, 10], default 1.6; 10 clips neither.
      back: how many steps back they have come, 1 to 20, default 20.
    """

    spec = FigureSpec(
        function=growth_on_the_way,
        controls=(
            LogRange("c", "limit", "c", 0.2, MOST, 1.6, 0.02),
            Integer("back", "steps back", "", 1, recall.STEPS, recall.STEPS, plays=True),
        ),
        view=Profile(
            (
                Series("limit", "limit c = {c:.3~g}", "limit", "line", at="ends", named=2.5),
                Series("free3", "A, no clip", "muted", "line", when="parted3", named="parted3"),
                Series("free2", "B, no clip", "muted", "line", when="parted2", named="parted2"),
                Series("way3", "A", "cotangent", "line", at="places", named="beyond"),
                Series("way2", "B", "ink", "line", at="places", named="beyond"),
            ),
            y=Axis((0.03, 12.0), "log", label="size of the gradient"),
            x=Axis(ENDS, label="← steps back from the loss", reverse=True),
            at="steps",
            plot=280,
            thresholds=(
                Threshold("c", drag="c", on=ENDS[0]),
                Threshold("back", "", "ink", drag="back", axis="x", foot=True),
            ),
        ),
        title="Two gradients on their way back",
        look="Drag the dashed line, c. Each tooth is a step: it enlarges the gradient, and the clip cuts it back.",
        sentences=(
            "Neither gradient is above c = {c:.3~g}. After 20 steps A’s is {after:.2f}, {apart:.0f} times as large as B’s.",
            "Example A’s gradient is cut back to {c:.3~g} at {held3} of the 20 states; B’s passes unchanged. At the "
            "end A’s is {nearer:.1f} times as large as B’s; without the clip, {apart:.0f} times.",
            "Example A’s gradient is cut back to {c:.3~g} at {held3} of the 20 states, B’s at {held2}. "
            "At the end A’s is {nearer:.1f} times as large as B’s; without the clip, {apart:.0f} times.",
            "{back} of 20 steps back, A’s gradient is {after:.2f} and B’s {second:.2f}. So far neither has been cut.",
            "{back} of 20 steps back, A’s gradient is {after:.2f} and B’s {second:.2f}. So far A’s has been cut back at "
            "{held3} states, B’s at none.",
            "{back} of 20 steps back, A’s gradient is {after:.2f} and B’s {second:.2f}. So far A’s has been cut back at "
            "{held3} states, B’s at {held2}.",
        ),
        table=Table(columns=(("example A", "cut3"), ("example B", "cut2")), rows="{n} back", count="back"),
        presets=(Preset("c = 10", {"c": MOST}), Preset("c = 1.6", {"c": 1.6})),
        stills=({"c": MOST}, {"c": 1.6}, {"c": 0.4}),
        parts={
            "limit": Part("c", "The limit is {c:.3~g}."),
            "way3": Part("held3", "A’s gradient, cut back at {value} of the 20 states."),
            "way2": Part("held2", "B’s gradient, cut back at {value} of the 20 states."),
            "free3": Part("apart", "Without the clip A’s ends {value:.0f} times as large as B’s."),
        },
        equation=(
            r"at every state: $\bar h \to \bar h\,\min(1, \class{limit}{\live{c:.3~g}} / \lVert \bar h \rVert)$",
        ),
        prediction=Prediction(
            "At c = 1.6 only A’s gradient is clipped, and ends 3.2 times as large as B’s. At c = 0.4 both are clipped. "
            "How many times as large is A’s then?",
            answer="answer",
            how="choice",
            options=(
                "17 times",
                "about 3 times",
                "about 1.6 times",
                "they are equally large",
            ),
            settings={"c": 0.4, "back": recall.STEPS},
            conceals=("nearer", "way2", "way3", "after", "second"),
            reveal="A’s is {nearer:.1f} times as large. B’s is clipped only at the first states: on the rest of its way "
            "back it shrinks, and a clip of the whole norm never enlarges a gradient.",
        ),
        note=(
            "The network of this chapter before training, with weights rounded to two decimals, is shown each "
            "of the four symbols once, without noise. Each line is the gradient of one example’s loss with respect "
            "to the state, before the clip there and after it. A, symbol 3, is the one whose gradient ends largest; "
            "B, symbol 2, the one whose ends smallest. The losses are not averaged: in a mean over 16 the limit "
            "1.6 would be 0.1."
        ),
    )  # fmt: skip
