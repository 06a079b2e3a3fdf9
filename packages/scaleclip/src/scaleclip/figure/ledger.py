"""The ledger of a real network as a figure: norms as a triangle, and what another s makes of them."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Part, Range, Table
from explorax.controls.control import Control
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Panels, Profile, Series, Threshold
from scaleclip.figure._ledger_numbers import PLACES, Record, axis, decades, general
from scaleclip.figure.triangle import Triangle
from scaleclip.ledger._type import Ledger, is_known
from scaleclip.ledger.placements import coefficients

SCALES = 51
"""Places of the curve over s."""
STEP = 0.01
"""The slider's step in s."""
MANY = 20
"""Sums at more places than this are drawn as a line."""


class MeasuredLedger(Figure):
    """The norms of a measured ledger, with a slider for s.

    >>> import jax.numpy as jnp
    >>> from scaleclip.figure import MeasuredLedger
    >>> from scaleclip.ledger import ledger
    >>> found = ledger(lambda w, h, x: w * h, lambda w, h, x: h, 0.5, 1.0, jnp.zeros(3))
    >>> figure = MeasuredLedger(found)
    >>> figure.scale
    1.0

    The backward pass is linear in each scale and the forward pass does not know s. So entry
    (k, j), recorded at s, is at s' exactly ``(s'/s)^i`` times as large, i the number of scales on its
    way: the norms at every s are known from those at one. The norm of their sum is not: it is
    shown where it was recorded, and bounded by the sum of the norms elsewhere.

    Args:
      ledger: of one unroll, whose norms are drawn. Where it was recorded at s <= 0 there is no
        slider: what did not pass cannot be scaled back. Nor is there where the entries do not add
        up, since the backward pass of ``step`` is not linear. Where there was no scale the slider
        shows one after the heads. Of more than 12 losses the last 12 are drawn.
      again: the same unroll, measured at another s, or at many: a batch, as by ``jax.vmap``. How long
        the sum is at each of them is drawn.

    Raises:
      ValueError: for a ledger that is traced or batched, or a second one that is not of the same
        unroll, or at the same s.
    """

    def __init__(self, ledger: Ledger, again: Ledger | None = None) -> None:
        others = [] if again is None else _each(again)
        for one in (ledger, *others):
            if not is_known(one):
                raise ValueError(
                    f"The figure of a ledger shows one unroll, norms [K, K]; its norms are "
                    f"{list(np.shape(one.norms))}. Take one of the batch: "
                    "jax.tree.map(lambda x: x[0], ledger)."
                )
        record, again_at = Record(ledger), [Record(other) for other in others]
        away = [each for each in again_at if len(again_at) == 1 or each.scale != record.scale]
        for each in away:
            record.check(each)
        self.spec = _spec(record, away)
        super().__init__()

    @classmethod
    def display(cls, ledger: Ledger) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook shows of a ledger: its figure, and as plain text its table.

        A ledger that is traced or batched has no figure, and shows its text alone.
        """
        if not is_known(ledger):
            return {"text/plain": repr(ledger)}
        return cls(ledger).shown_for(ledger)

    def _python(self) -> list[str]:
        return ["figure.set(", ")"]


def _each(ledgers: Ledger) -> list[Ledger]:
    """The ledgers of a batch, or the one that is none."""
    if np.ndim(ledgers.norms) != 3 or isinstance(ledgers.norms, jax.core.Tracer):
        return [ledgers]
    return [jax.tree.map(lambda x, i=i: x[i], ledgers) for i in range(len(ledgers.norms))]


def _function(record: Record, others: Sequence[Record], most: float) -> Any:
    """The figure's function: of s where it can be changed, of nothing where it cannot."""
    again = np.asarray([other.scale for other in others])
    sums = np.asarray([other.total for other in others])

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
        here = jnp.abs(ratio - 1.0) < 1e-9
        found = {
            "scales": scales,
            "bounds": record.most(scales / record.scale),
            "recorded": jnp.asarray([record.scale]),
            "sum": jnp.asarray([record.total]),
            "case": jnp.where(here, 0, 1),
        }
        if others:
            near = jnp.abs(scale - again) < 1e-9
            there = jnp.where(jnp.any(near), jnp.sum(jnp.where(near, sums, 0.0)), jnp.nan)
            found |= {
                "again": jnp.asarray(again),
                "sum_again": jnp.asarray(sums),
                "sum_here": jnp.where(here, record.total, there),
                "case": jnp.where(here, 0, jnp.where(jnp.any(near), 2, 1)),
            }
        return at(ratio) | found

    return measured if record.live else recorded


def _spec(record: Record, others: Sequence[Record]) -> FigureSpec:
    live = record.live
    most = max(1.0, record.scale, *(other.scale for other in others))
    at = "At s = {scale}" + (f" {PLACES[record.placement]}" if record.off else "")
    adds = "the norms of all cells add up to {most:.3~g}"
    is_long = "Added as vectors, they are the gradient through the dynamics, of norm {}."
    sentences = [
        f"Measured with {record.said}: {adds}. "
        + (record.caution or is_long.format(general(record.total))),
        f"{at} {adds}. Added as vectors, they have at most that norm.",
    ]
    if others:
        sentences.append(f"{at} {adds}. {is_long.format('{sum_here:.3~g}')}")
    # a part's number counts from the first that is drawn
    row, column = ("row", "column") if record.before else ("loss", "step")
    cut = f" The last {record.shown} of {record.steps}." if record.before else ""
    controls: tuple[Control, ...] = (
        (Range("scale", "scale", "s", 0.0, most, record.scale, STEP),) if live else ()
    )
    cells = Triangle(
        "entries", record.largest, decades(record.norms), start=record.before + 1, unit=record.unit
    )
    y = axis(record, others, most)
    panels = [
        ("Norm of each gradient" + record.unit_named, cells),
        ("All of them together, for every s", _chart(y, most, len(others))),
    ]
    return FigureSpec(
        function=_function(record, others, most),
        controls=controls,
        view=Panels(panels if live else panels[:1], wide="beside" if live else "below"),
        title="The ledger, measured",
        look="A cell is the norm of the gradient that one loss sends through one step." + cut,
        sentences=sentences if live else sentences[:1],
        table=Table(
            columns=(("j = {n}", "entries"),),
            rows=[f"loss {k + record.before}" for k in range(1, record.shown + 1)],
            count=record.shown,
            caption="Norms of what each loss sends to the parameters through each step",
            triangle=True,
            general=True,
            row_part="loss",
            column_part="application",
        ),
        parts={
            "loss": Part("sent", f"The norms of {row} {{n}} add up to {{value:.3~g}}."),
            "application": Part("received", f"Those of {column} {{n}} add up to {{value:.3~g}}."),
            "entries": Part("entries", "One loss through one step: a norm of {value:.3~g}."),
            **({"bounds": Part("most", "All norms add up to {most:.3~g}.")} if live else {}),
        },
        equation=()
        if record.caution
        else (r"$\|\sum_{k,j} g_{kj}\| \le \sum_{k,j} \|g_{kj}\| = \live{most:.3~g}$",),
        note=(
            "Every norm is exact at every s: a scale multiplies a gradient, and the forward values do "
            "not change. The norm of their sum depends on their directions: it is known only where it was measured."
            if live
            else "The norms at another s are not known: they would have to be measured."
            if record.caution
            else "Recorded at s = 0 or below: what did not pass a scale cannot be scaled back."
        ),
    )


def _chart(y: Axis, most: float, others: int) -> Profile:
    """What all norms add up to at every s, and the norm of their sum where that was measured."""
    mark: Any = "line" if others > MANY else "points"
    again = (Series("sum_again", "", "parameter", mark, at="again"),) if others else ()
    here = (("sum_here", "parameter"),) if others else ()
    return Profile(
        (
            Series("bounds", "norms added up", "cotangent", "line"),
            Series("sum", "added as vectors", "parameter", "points", at="recorded"),
            *again,
        ),
        y=y,
        x=Axis((0.0, most), label="s"),
        at="scales",
        thresholds=(
            Threshold(
                "scale",
                "norms: {most:.3~g}",
                axis="x",
                drag="scale",
                role="ink",
                dots=(("most", "cotangent"), *here),
                foot=True,
            ),
        ),
        plot=170,
    )
