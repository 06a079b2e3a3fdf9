"""Four gradients on their way back through twenty steps, with a clip at every state."""

from __future__ import annotations

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.controls import Control, Range
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Axis, Profile, Series, Threshold
from gradlab.figure.widget import Figure
from gradlab.ops import clip_gradient_norm
from gradlab.unroll import recall
from gradlab.unroll.recurrent import Params, cross_entropy, readout, tanh_step

MOST = 10.0
"""The highest limit: no gradient is as long."""
SYMBOLS = range(1, recall.SYMBOLS + 1)
ROLES = ("own", "state", "cotangent", "parameter")


@cache
def untrained(seed: int = 7) -> dict[str, np.ndarray]:
    """Parameters of ``gradlab.unroll.recall``'s network as they are drawn, rounded to two decimals."""
    # also while a figure is traced: the parameters are data, not part of its program
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        drawn = jax.jit(recall.init)(jax.random.key(seed))
        return {name: np.asarray(value).round(2) for name, value in drawn.items()}


def lengths(params: Params, limit: Array) -> Array:
    """How long the gradient of each symbol's loss is after each crossing, with a clip at every state.

    Args:
      params: of ``gradlab.unroll.recall.init``.
      limit: float ``[]``; of the clip; inf for none.

    Returns:
      float ``[STEPS, SYMBOLS]``, the last step's first. The inputs are without noise.
    """
    symbols = jnp.eye(recall.SYMBOLS)

    def loss(zeros: Array) -> Array:
        def step(h: Array, at: tuple[Array, Array]) -> tuple[Array, None]:
            x, zero = at
            h = clip_gradient_norm(h + zero, limit, axis=-1)
            return tanh_step(params, h, x), None

        inputs = jnp.concatenate([symbols[None], jnp.zeros((recall.STEPS - 1, *symbols.shape))])
        h, _ = jax.lax.scan(step, jnp.zeros(zeros.shape[1:]), (inputs, zeros))
        return jnp.sum(cross_entropy(readout(params, h), jnp.arange(recall.SYMBOLS)))

    zeros = jnp.zeros((recall.STEPS, recall.SYMBOLS, recall.UNITS))
    found: Array = jnp.linalg.norm(jax.grad(loss)(zeros), axis=-1)[::-1]
    return found


def growth_on_the_way(c: Array) -> dict[str, Array]:
    """How long four gradients are on their way back, without a clip and with one at every state.

    Args:
      c: float ``[]``, above 0; the limit.

    Returns:
      ``cut1`` to ``cut4`` ``[20]``: each symbol's; ``free3``, the third's without the clip; ``before``, ``after``, the longest at the end of its way; ``apart``, ``nearer``, how many
      times as long as the shortest it is there; ``case``, how many of the four are clipped
      somewhere.
    """
    params = {name: jnp.asarray(value) for name, value in untrained().items()}
    free, cut = lengths(params, jnp.asarray(jnp.inf)), lengths(params, c)
    before, after = free[-1], cut[-1]
    return {
        "free3": free[:, 2],
        **{f"cut{n}": cut[:, n - 1] for n in SYMBOLS},
        "before": jnp.max(before),
        "after": jnp.max(after),
        "apart": jnp.max(before) / jnp.min(before),
        "nearer": jnp.max(after) / jnp.min(after),
        "case": jnp.sum(jnp.any(cut < free - 1e-9, axis=0)),
    }


CONTROLS: tuple[Control, ...] = (Range("c", "limit", "c", 0.2, MOST, MOST, 0.1),)
_LONGEST = "After 20 steps the longest is {after:,.2f} long, not {before:,.2f}, and {nearer:,.1f} times the shortest, not {apart:,.0f}."

SPEC = FigureSpec(
    function=growth_on_the_way,
    controls=CONTROLS,
    view=Profile(
        (
            Series("free3", "symbol 3, no clip", "muted", "line"),
            *(
                Series(f"cut{n}", f"symbol {n}", role, "line")
                for n, role in zip(SYMBOLS, ROLES, strict=True)
            ),
        ),
        y=Axis((0.08, 12.0), "log", label="length of the gradient"),
        x=Axis(label="steps back"),
        thresholds=(Threshold("c", "c = {c}", drag="c", beside=True),),
    ),
    title="Gradients on their way back",
    look="Drag the dashed line, c, down.",
    sentences=(
        "None is longer than c = {c}. After 20 steps the longest is {before:,.2f} long, {apart:,.0f} times the shortest.",
        "With c = {c} one of the four is clipped. " + _LONGEST,
        "With c = {c} two of the four are clipped. " + _LONGEST,
        "With c = {c} three of the four are clipped. " + _LONGEST,
        "With c = {c} all four are clipped. " + _LONGEST,
    ),
    table=Table(
        columns=tuple((f"symbol {n}", f"cut{n}") for n in SYMBOLS),
        rows="{n} back",
        count=recall.STEPS,
    ),
    presets=(Preset("c = 1.6", {"c": 1.6}), Preset("c = 0.4", {"c": 0.4})),
    stills=({"c": MOST}, {"c": 1.6}, {"c": 0.4}),
    parts={f"cut{n}": Part(f"cut{n}", f"Symbol {n}: {{value:,.2f}} after {{n}} steps.") for n in SYMBOLS},
    equation=(
        r"$\bar h \to \bar h\,\min(1, \class{c}{\live{c}} / \lVert \bar h \rVert)$",
    ),
    note=(
        "The network of this chapter before training, with weights rounded to two decimals, is shown each of the four "
        "symbols once, without noise. Each line is the gradient of one symbol’s loss with respect to the state, after the clip "
        "there. The losses are not averaged: in a mean over 16 the limit 1.6 would be 0.1."
    ),
)  # fmt: skip


class GrowthOnTheWay(Figure):
    """The lengths of four gradients on their way back through a tanh RNN, clipped at every state.

    Args:
      c: the limit, in [0.2, 10], default 10, which clips none.
    """

    spec = SPEC
