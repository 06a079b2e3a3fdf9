"""The ledger of an unroll, of the toy or measured: a triangle, its rows' and columns' sums, and their mean T(K)."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Preset, Range
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from scaleclip.figure.triangle import Triangle
from scaleclip.ledger import ledger
from sccbook.figures.unrolled_flow.figure import PLACEMENT, UnrolledFlow, river

MOST = 10
"""Losses: where all cells are 1, the longest bar is so many."""
ALIGNED = (1.0, 1.8, 2.75, 5.5)
"""Predictions of T(10) to choose from."""

CELLS = ("toy", "measured")
TOY = {"gain": 1.0, "cells": "toy", "placement": "after_heads"}
SEED = 1
"""Chapter 06's network: of its 60 draws the first."""
UNIT = 3.813563
"""The mean norm of what a loss sends through its own step, over the network's ten losses."""


def network(gain: Array | float, seed: int = SEED) -> tuple[Any, Array]:
    """Draw the parameters and the state h_0 of chapter 06's network, its recurrent weights times ``gain``."""
    draws = np.random.default_rng(seed)
    w, u, v = (draws.normal(size=shape) for shape in ((8, 8), 8, 8))
    params = {"w": gain * jnp.asarray(0.4 * w), "u": jnp.asarray(u), "v": jnp.asarray(v)}
    return params, jnp.asarray(0.1 * draws.normal(size=8))


def _step(params: Any, h: Array, x: Array) -> Any:
    return jnp.tanh(params["w"] @ h + params["u"] * x[0])


def _head(params: Any, h: Array, x: Array) -> Any:
    return 0.5 * (params["v"] @ h - x[1]) ** 2


def _measure(scale: Array, gain: Array, steps: Array, placement: Array) -> tuple[Array, Array]:
    """Measure the network's ledger, in ``UNIT``: its norms ``[10, 10]``, and the norm of all its vectors' sum."""
    wave = np.sin(np.arange(MOST + 1.0))
    inputs = np.stack([wave[:-1], wave[1:]], axis=1)
    present = jnp.where(jnp.arange(1, MOST + 1) <= steps, 1 / UNIT, 0.0)
    within = jnp.where(placement == 3, 1.0, scale)
    found = ledger(_step, _head, *network(gain), inputs, scale=within, weights=present)
    once = jnp.where(
        placement == 2, scale, 1.0
    )  # before the heads each entry passes one scale more
    return once * found.norms, once * found.sum_norm


def linked(
    scale: Array, gain: Array, steps: Array, cells: Array, placement: Array
) -> dict[str, Array]:
    """The ledger of h_j = gain h_{j-1} + theta, each loss counted 1, or a network's; and the mean of its rows.

    Args:
      scale, gain: float ``[]``; s and rho, a factor of the network's recurrent weights.
      steps: int ``[]``; K, from 1 to ``MOST``.
      cells: int ``[]``; a place in ``CELLS``.
      placement: int ``[]``; an index into ``scaleclip.ledger.PLACEMENTS``.

    Returns:
      ``contributions [10, 10]``, loss k by step j; ``sent [10]``, the sums of rows;
      ``received [10]``, those of columns; ``entries``, the sum of all; ``total``, T(K), and
      ``bound``, what the toy's T(K) and sums stay below for every K, or NaN; ``together``, the network's sum
      of vectors over K, or NaN; ``vectors``, that sum; ``product``, s rho; ``answer``, the
      place of T(K) in ``ALIGNED``, the nearest; ``case``.
    """
    whole = river(
        scale, gain, steps, placement, weights=jnp.asarray(0), weighted=jnp.asarray(False),
        clip=jnp.asarray(False), limit=jnp.asarray(jnp.inf), order=jnp.asarray(0),
    )  # fmt: skip
    measured = cells == 1
    norms, vectors = jax.lax.cond(
        measured,
        lambda: _measure(scale, gain, steps, placement),
        lambda: (jnp.zeros((MOST, MOST)), jnp.zeros(())),
    )
    contributions = jnp.where(measured, norms, whole["contributions"][:MOST, :MOST])
    entries = jnp.sum(contributions)
    total = jnp.where(measured, entries / steps, whole["total"])
    bound = whole["bound"]
    # with two decimals no bound can be told from a mean that is nearly there
    near = jnp.round(100 * total) >= jnp.round(100 * bound)
    regime = jnp.where(jnp.logical_and(whole["case"] % 6 == 0, near), 4, whole["case"] % 6)
    return {
        "contributions": contributions,
        "sent": jnp.sum(contributions, axis=1),
        "received": jnp.sum(contributions, axis=0),
        "total": total,
        "bound": jnp.where(measured, jnp.nan, bound),
        "together": jnp.where(measured, vectors / steps, jnp.nan),
        "vectors": vectors,
        "product": whole["product"],
        "entries": jnp.where(measured, entries, steps * total),
        "scaled": placement != 3,
        "answer": jnp.argmin(jnp.abs(jnp.asarray(ALIGNED) - total)),
        "case": jnp.where(
            measured,
            12 + jnp.where(steps == 1, 2, (gain == 1) & (placement == 0) & (scale <= 1)),
            6 * jnp.where(placement == 3, 1, 0) + regime,
        ),
    }


def _sentences() -> tuple[str, ...]:
    """A template for every ``case``: the toy's, scaled or not, by the regime; then the network's."""
    unit = f"A full square is what a loss sends through its own step, averaged over {MOST} losses."
    measured = f"{unit} Adding the sizes in a row gives {{total:,.2f}} on average; adding the vectors, which partly cancel, gives only {{together:,.2f}}"
    found = []
    for given, factor in (
        ("With s = {scale} and K = {steps}", "s times the gain"),
        ("With no scale and K = {steps}", "the gain"),
    ):
        mean = f"{given}, a row adds up to {{total:,.2f}} losses on average"
        found += [
            f"{mean}. With more losses the sums approach {{bound}}, but never reach it.",
            f"{mean}: each loss reaches only its own step.",
            f"{mean}, and to more with every extra loss: there is no bound, because {factor} is 1.",
            f"{mean}. It grows geometrically with K, because {factor} is {{product}}, above 1.",
            f"{given}, rows and columns add up to just below {{bound}}. None gets there, for any K.",
            f"{given}, every entry is 0: nothing passes.",
        ]
    return (
        *found,
        f"{measured}.",
        f"{measured}, nearly the same for every s up to 1.",
        f"{unit} This one loss sends {{total:,.2f}}.",
    )


class LinkedLedger(Figure):
    """The ledger of an unroll as a triangle, with what its rows and columns add up to.

    The toy is h_j = gain h_{j-1} + theta with h_0 = 1 and loss_k = h_k, at theta = 0; the
    total is the mean of the losses. Its numbers are ``jax.vjp``'s.

    Args:
      scale: s in [0, 2], default 0.5; the slider ends at 1.
      gain: rho in [0, 2], default 1.
      steps: K from 1 to 10, default 6.
      cells: ``"toy"`` (default) or ``"measured"``, the norms of a small recurrent network.
      placement: ``"after_heads"`` (default), ``"every_input"``, ``"before_heads"``, ``"off"``.
    """

    spec = FigureSpec(
        function=linked,
        controls=(
            Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.01, allowed=(0.0, 2.0)),
            Range("gain", "gain", "ρ", 0.0, 2.0, 1.0, 0.01),
            Integer("steps", "steps", "K", 1, MOST, 6),
            Choice("cells", "ledger", options=(("toy", "toy"), ("measured", "measured network"))),
            PLACEMENT,
        ),
        view=Triangle("contributions", count="steps", sums=True),
        title="Each loss, through each step",
        look="Each entry counts in one bar beside the triangle and in one below it. ◆ is the mean of all rows, and of all columns.",
        sentences=_sentences(),
        table=UnrolledFlow.spec.table,
        labels={
            "rows": "what each loss sends",
            "sent": "sum of row",
            "square": "1 loss, in full =",
            "columns": "what each step receives",
            "bound": "bound {bound}",
            "total": "◆ T({steps}) = {entries:,.4~g} ÷ {steps} = {total:,.2f} losses",
            "together": "◇ added as vectors: {together:,.2f} losses",
            "guess": "your answer",
        },
        parts={
            "loss": Part("sent", "Row {n}: loss {n} sends {value:,.5~g}."),
            "application": Part("received", "Column {n}: step {n} receives {value:,.5~g}."),
            "contributions": Part("contributions", "One loss through one step: {value:,.4~g}."),
            "together": Part(
                "together", "The sum of all vectors, divided by {steps}: {together:,.2f}."
            ),
            "total": Part("total", "T({steps}), all cells divided by {steps}, is {total:,.2f}."),
        },
        stages=((("scale", "steps", "cells"), ("gain", "placement")),),
        presets=(
            Preset("s = ½", {**TOY, "scale": 0.5}),
            Preset(
                "measured: vectors cancel",
                {**TOY, "scale": 1.0, "steps": MOST, "cells": "measured"},
            ),
            Preset("without the line: s = 1", {**TOY, "scale": 1.0}),
            Preset("s = ½, gain 2", {**TOY, "scale": 0.5, "gain": 2.0}),
        ),
        stills=(
            {"scale": 1.0, "gain": 1.0},
            {"scale": 0.5, "gain": 1.0},
            {"scale": 0.5, "gain": 1.0, "cells": "measured"},
        ),
        equation=(
            r"$T(K) = \frac1K \class{loss}{\sum_{k=1}^K} \class{application}{\sum_{j=1}^k} "
            r"\class{contributions}{\class{?cells=toy}{\class{?placement=before_heads}{s} (\class{?scaled}{s} \rho)^{k-j}} "
            r"\class{?cells=measured}{\|g_{kj}\|}} "
            r"= \class{total}{\live{total:,.2f}}$",
        ),
        prediction=Prediction(
            "Without the line the ten rows average 5.5 losses. At s\u00a0=\u00a0½ each step back halves what "
            "arrives. How many losses is the average then?",
            answer="answer",
            how="choice",
            options=("1", "1.8", "2.75", "5.5"),
            settings={**TOY, "scale": 0.5, "steps": MOST},
            conceals=("total", "entries", "case"),
            reveal="1.80 losses. 1 + ½ + ¼ + … stays below 2, and so does every row, however many losses there are.",
        ),
        note=(
            r"The toy is the river’s of chapter 01: $h_j = \rho h_{j-1} + \theta$, $\ell_k = h_k$, at "
            r"$\theta = 0$. Here each loss counts 1; $T(K)$ gives each the weight $1/K$. The bound is this toy’s: θ is "
            "added, so a step’s derivative with respect to it is always 1. The network is chapter 06’s, "
            r"$h_j = \tanh(\rho W h_{j-1} + u x_j)$ with eight units, at initialisation. Your page measures it "
            "with <code>scaleclip.ledger</code>. An entry is the norm of what one loss sends to W and u through one step. The "
            "unit, one loss, is what the ten losses send through their own steps on average, at ρ = 1."
        ),
    )
