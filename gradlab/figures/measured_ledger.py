"""The ledger of a real network as a figure: norms as a triangle, and what another s makes of them."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.control import Control
from gradlab.figure.controls import Range
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Table
from gradlab.figure.views import Axis, Panels, Profile, Series, Threshold
from gradlab.figure.widget import Figure
from gradlab.figures._measured import PLACES, Record, axis, decades, general
from gradlab.figures._triangle import Triangle
from gradlab.unroll._ledger_type import Ledger, is_known
from gradlab.unroll.placements import coefficients

SCALES = 51
"""Places of the curve over s."""


class MeasuredLedger(Figure):
    """The norms of a measured ledger, with a slider for s.

    The backward pass is linear in each gate and the forward pass does not know s. So entry
    (k, j), recorded at s, is at s' exactly ``(s'/s)^i`` times as long, i the number of gates on its
    way: the norms at every s are known from those at one. The norm of their sum is not: it is
    shown where it was recorded, and bounded by the sum of the norms elsewhere.

    Args:
      ledger: of one unroll, whose norms are drawn. Where it was recorded at s <= 0 there is no
        slider: what did not pass cannot be scaled back. Nor is there where the entries do not add
        up, since the backward pass of ``step`` is not linear. Where there was no scale the slider
        shows one after the heads. Of more than 12 losses the last 12 are drawn.
      again: the same unroll, measured at another s. The reader predicts how long the sum is there.

    Raises:
      ValueError: for a ledger that is traced or batched, or a second one that is not of the same
        unroll, or at the same s.
    """

    def __init__(self, ledger: Ledger, again: Ledger | None = None) -> None:
        for one in (ledger, again):
            if one is not None and not is_known(one):
                raise ValueError(
                    f"The figure of a ledger shows one unroll, norms [K, K]; its norms are "
                    f"{list(np.shape(one.norms))}. Take one of the batch: "
                    "jax.tree.map(lambda x: x[0], ledger)."
                )
        record, other = Record(ledger), None if again is None else Record(again)
        if other is not None:
            record.check(other)
        self.spec = _spec(record, other)
        super().__init__()

    @classmethod
    def display(cls, ledger: Ledger) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook shows of a ledger: its figure, and as plain text its table.

        A ledger that is traced or batched has no figure, and shows its text alone.
        """
        plain = {"text/plain": repr(ledger)}
        if not is_known(ledger):
            return plain
        bundle: Any = cls(ledger)._repr_mimebundle_()
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        return ({**data, **plain}, *metadata)

    def _python(self) -> list[str]:
        return ["figure.set(", ")"]


def _function(record: Record, other: Record | None, most: float) -> Any:
    """The figure's function: of s where it can be changed, of nothing where it cannot."""
    second = {} if other is None else {"again": [other.scale], "sum_again": [other.total]}

    def at(ratio: Array) -> dict[str, Array]:
        factors, _ = coefficients(record.shown, ratio, record.placement, jnp.ones(record.shown))
        entries = jnp.asarray(record.norms) * factors
        return {
            "entries": entries,
            "sent": jnp.sum(entries, axis=1),
            "received": jnp.sum(entries, axis=0),
            "most": record.most(ratio),
            "total": jnp.asarray(record.total),
        }

    def recorded() -> dict[str, Array]:
        return at(jnp.asarray(1.0))

    def measured(scale: Array) -> dict[str, Array]:
        ratio = scale / record.scale
        scales = jnp.linspace(0.0, most, SCALES)
        there = jnp.abs(scale - other.scale) < 1e-9 if other else jnp.asarray(False)
        here = jnp.abs(ratio - 1.0) < 1e-9
        found = {
            "scales": scales,
            "bounds": record.most(scales / record.scale),
            "recorded": jnp.asarray([record.scale]),
            "sum": jnp.asarray([record.total]),
            "case": jnp.where(here, 0, jnp.where(there, 2, 1)),
        }
        if other:
            found["answer"] = jnp.asarray(other.total)
        return at(ratio) | found | {name: jnp.asarray(value) for name, value in second.items()}

    return measured if record.live else recorded


def _spec(record: Record, other: Record | None) -> FigureSpec:
    live = record.live
    most = max(1.0, record.scale, other.scale if other else 0.0)
    at = "At s = {scale}" + (f" {PLACES[record.placement]}" if record.off else "")
    adds = "the lengths of all cells add up to {most:.3~g}"
    is_long = "Added as vectors, they are the gradient through the dynamics, {} long."
    sentences = [
        f"Measured with {record.said}: {adds}. "
        + (record.caution or is_long.format(general(record.total))),
        f"{at} {adds}. Added as vectors, they are at most that long.",
    ]
    if other:
        sentences.append(f"{at} {adds}. {is_long.format(general(other.total))}")
    # a part's number counts from the first that is drawn
    row, column = ("row", "column") if record.before else ("loss", "application")
    cut = f" The last {record.shown} of {record.steps}." if record.before else ""
    controls: tuple[Control, ...] = (
        (Range("scale", "scale", "s", 0.0, most, record.scale, 0.01),) if live else ()
    )
    lengths = "Length of each gradient" + record.unit_named
    cells = Triangle(
        "entries", record.largest, decades(record.norms), start=record.before + 1, unit=record.unit
    )
    y = axis(record, other, most)
    panels = [(lengths, cells), ("All of them together, for every s", _chart(y, most, other))]
    return FigureSpec(
        function=_function(record, other, most),
        controls=controls,
        view=Panels(panels if live else panels[:1], wide="beside" if live else "below"),
        title="The ledger, measured",
        look="A cell is the gradient that one loss sends through one application." + cut,
        sentences=sentences if live else sentences[:1],
        table=Table(
            columns=(("j = {n}", "entries"),),
            rows=[f"loss {k + record.before}" for k in range(1, record.shown + 1)],
            count=record.shown,
            caption="Lengths of what each loss sends to the parameters through each application",
            triangle=True,
            general=True,
            row_part="loss",
            column_part="application",
        ),
        parts={
            "loss": Part("sent", f"The lengths of {row} {{n}} add up to {{value:.3~g}}."),
            "application": Part("received", f"Those of {column} {{n}} add up to {{value:.3~g}}."),
            "entries": Part("entries", "One loss through one application: {value:.3~g} long."),
            **({"bounds": Part("most", "All lengths add up to {most:.3~g}.")} if live else {}),
        },
        equation=()
        if record.caution
        else (r"$\|\sum_{k,j} g_{kj}\| \le \sum_{k,j} \|g_{kj}\| = \live{most:.3~g}$",),
        prediction=_question(record, other, y) if other else None,
        note=(
            "Every length is exact at every s: a gate multiplies a gradient, and the forward values do "
            "not change. How long their sum is depends on their directions: it is known only where it was measured."
            if live
            else "The lengths at another s are not known: they would have to be measured."
            if record.caution
            else "Recorded at s = 0 or below: what did not pass a gate cannot be scaled back."
        ),
    )


def _chart(y: Axis, most: float, other: Record | None) -> Profile:
    """What all lengths add up to at every s, and how long their sum is where that was measured."""
    again = (Series("sum_again", "", "parameter", "points", at="again"),) if other else ()
    return Profile(
        (
            Series("bounds", "lengths added up", "cotangent", "line"),
            Series("sum", "added as vectors", "parameter", "points", at="recorded"),
            *again,
        ),
        y=y,
        x=Axis((0.0, most), label="s"),
        at="scales",
        thresholds=(
            Threshold(
                "scale",
                "lengths: {most:.3~g}",
                axis="x",
                drag="scale",
                role="ink",
                dots=(("most", "cotangent"),),
                foot=True,
            ),
        ),
        level=True,
        plot=170,
        guess_label="your guess",
    )


def _question(record: Record, other: Record, y: Axis) -> Prediction:
    """Ask how long the sum is at the second s."""
    bound = record.most(np.asarray(other.scale / record.scale))
    low, high = y.span
    there = f"s\u00a0=\u00a0{general(other.scale)}"
    return Prediction(
        f"At s\u00a0=\u00a0{general(record.scale)} the lengths add up to "
        f"{general(record.most(np.asarray(1.0)))}, and the sum of the vectors is {general(record.total)} long. "
        f"At {there} the lengths add up to {general(bound)}. How long is the sum of the vectors?",
        answer="answer",
        guess=Range("guess", "length", "", low, high, (low + high) / 2, high / 200),
        settings={"scale": other.scale},
        conceals=("sum_again", "case"),
        waiting="At s = {scale} the lengths of all cells add up to {most:.3~g}. Commit to a guess to see "
        f"the sum of the vectors at {there}.",
        reveal=f"The sum is {general(other.total)} long here, and it was {general(record.total)} at s\u00a0=\u00a0{general(record.scale)}.",
    )
