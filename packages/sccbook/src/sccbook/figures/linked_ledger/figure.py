"""The ledger of an unroll: a triangle, what its rows and columns add up to, and their mean T(K)."""

import jax.numpy as jnp
from jax import Array

from explorax import Integer, Part, Prediction, Preset, Range
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from scaleclip.figure.triangle import Triangle
from sccbook.figures.unrolled_flow.figure import PLACEMENT, UnrolledFlow, river

MOST = 10
"""Losses: where all cells are 1, the longest bar is so many."""
ALIGNED = (1.0, 1.8, 2.0, 5.5)
"""Predictions of T(10) to choose from."""


def linked(scale: Array, gain: Array, steps: Array, placement: Array) -> dict[str, Array]:
    """The ledger of h_j = gain h_{j-1} + theta, each loss counted 1, and the mean of its rows.

    Args:
      scale, gain: float ``[]``; s and rho.
      steps: int ``[]``; K, from 1 to ``MOST``.
      placement: int ``[]``; an index into ``scaleclip.ledger.PLACEMENTS``.

    Returns:
      ``contributions [10, 10]``, loss k by application j; ``sent [10]``, the sums of rows;
      ``received [10]``, those of columns; ``entries``, the sum of all; ``total``, T(K), and
      ``bound``, what T(K) and every sum stay below for every K; ``product``, s rho; ``answer``, the
      place of T(K) in ``ALIGNED``, the nearest; ``case``.
    """
    whole = river(
        scale, gain, steps, placement, weights=jnp.asarray(0), weighted=jnp.asarray(False),
        clip=jnp.asarray(False), limit=jnp.asarray(jnp.inf), order=jnp.asarray(0),
    )  # fmt: skip
    total, bound = whole["total"], whole["bound"]
    # with two decimals no bound can be told from a mean that is nearly there
    near = jnp.round(100 * total) >= jnp.round(100 * bound)
    regime = jnp.where(jnp.logical_and(whole["case"] % 6 == 0, near), 4, whole["case"] % 6)
    return {
        "contributions": whole["contributions"][:MOST, :MOST],
        "sent": whole["sent"][:MOST],
        "received": whole["received"][:MOST],
        "total": total,
        "bound": bound,
        "product": whole["product"],
        "entries": steps * total,
        "scaled": placement != 3,
        "answer": jnp.argmin(jnp.abs(jnp.asarray(ALIGNED) - total)),
        "case": 6 * jnp.where(placement == 3, 1, 0) + regime,
    }


def _sentences() -> tuple[str, ...]:
    """A template for every ``case``: scaled or not, by the regime."""
    found = []
    for given, factor in (
        ("With s = {scale}, gain {gain} and K = {steps}", "sρ"),
        ("With no scale, gain {gain} and K = {steps}", "ρ"),
    ):
        mean = f"{given}, rows and columns add up to {{total:,.2f}} on average"
        found += [
            f"{mean}. More losses bring them closer to {{bound}}, and no sum gets there.",
            f"{mean}: each loss reaches its own application alone.",
            f"{mean}, and to more with every further loss: {factor}\u00a0=\u00a01 leaves no bound.",
            f"{mean}. It grows geometrically with K, because {factor}\u00a0=\u00a0{{product}} is above 1.",
            f"{given}, rows and columns add up to just below {{bound}}. No sum gets there, for any K.",
            f"{given}, every cell is 0: nothing passes.",
        ]
    return tuple(found)


class LinkedLedger(Figure):
    """The ledger of a linear unroll as a triangle, with what its rows and columns add up to.

    The toy is h_j = gain h_{j-1} + theta with h_0 = 1 and loss_k = h_k, at theta = 0; the
    total is the mean of the losses. Its numbers are ``jax.vjp``'s.

    Args:
      scale: s in [0, 2], default 0.5; the slider ends at 1.
      gain: rho in [0, 2], default 1.
      steps: K from 1 to 10, default 6.
      placement: ``"after_heads"`` (default), ``"every_input"``, ``"before_heads"``, ``"off"``.
    """

    spec = FigureSpec(
        function=linked,
        controls=(
            Range("scale", "scale", "s", 0.0, 1.0, 0.5, 0.01, allowed=(0.0, 2.0)),
            Range("gain", "gain", "ρ", 0.0, 2.0, 1.0, 0.01),
            Integer("steps", "steps", "K", 1, MOST, 6),
            PLACEMENT,
        ),
        view=Triangle("contributions", count="steps", sums=True),
        title="Each loss, through each application",
        look="A cell belongs to one loss and one application: it is part of one bar beside the triangle, and of one below.",
        sentences=_sentences(),
        table=UnrolledFlow.spec.table,
        labels={
            "rows": "what each loss sends",
            "sent": "sends ↓",
            "means": "T(k), mean of k rows",
            "columns": "what each application receives",
            "bound": "bound {bound}",
            "total": "◆ T({steps}) = {entries:,.4~g} ÷ {steps} = {total:,.2f}",
            "unbounded": "no bound: each step back is ×{product:.3~g}",
            "guess": "your answer",
        },
        parts={
            "loss": Part("sent", "Row {n}: loss {n} sends {value:,.5~g}."),
            "application": Part("received", "Column {n}: application {n} receives {value:,.5~g}."),
            "contributions": Part(
                "contributions", "One loss through one application: {value:,.4~g}."
            ),
            "total": Part("total", "T({steps}), all cells divided by {steps}, is {total:,.2f}."),
        },
        stages=((("scale", "gain", "steps"), ("placement",)),),
        presets=(
            Preset("s = ½", {"scale": 0.5, "gain": 1.0, "placement": "after_heads"}),
            Preset("s = 1", {"scale": 1.0, "gain": 1.0, "placement": "after_heads"}),
            Preset("s = ½, gain 2", {"scale": 0.5, "gain": 2.0, "placement": "after_heads"}),
        ),
        stills=(
            {"scale": 1.0, "gain": 1.0},
            {"scale": 0.5, "gain": 1.0},
            {"scale": 0.5, "gain": 1.5},
        ),
        equation=(
            r"$T(K) = \frac1K \class{loss}{\sum_{k=1}^K} \class{application}{\sum_{j=1}^k} "
            r"\class{?placement=before_heads}{s} \class{contributions}{(\class{?scaled}{s} \rho)^{k-j}} "
            r"= \class{total}{\live{total:,.2f}}$",
        ),
        prediction=Prediction(
            "At s = 1 every cell is 1, and ten rows add up to T(10) = 5.5 on average. At s\u00a0=\u00a0½ each step back halves "
            "what arrives. What is T(10)?",
            answer="answer",
            how="choice",
            options=("1", "1.8", "2", "5.5"),
            settings={"scale": 0.5, "gain": 1.0, "steps": 10, "placement": "after_heads"},
            conceals=("case",),
            reveal="T(10) is {total:,.2f}: no row and no column reaches {bound}.",
        ),
        note=(
            r"The toy is the river’s of chapter 01: $h_j = \rho h_{j-1} + \theta$, $\ell_k = h_k$, at "
            r"$\theta = 0$. Here each loss counts 1; $T(K)$ gives each the weight $1/K$. A bar is made of the "
            "cells of its row or column, the diagonal’s first. The bound is this toy’s: θ is added, so a step’s derivative "
            "with respect to it is always 1."
        ),
    )
