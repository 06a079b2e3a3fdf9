"""The ledger of a real network as a figure: norms as a triangle, and what another s makes of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.control import Control
from gradlab.figure.controls import Range
from gradlab.figure.number_format import GENERAL, format_number
from gradlab.figure.spec import FigureSpec, Part, Table
from gradlab.figure.views import Axis, View
from gradlab.figure.widget import Figure
from gradlab.figures._triangle import Triangle
from gradlab.unroll._ledger_type import Ledger, caution, is_known
from gradlab.unroll.placements import coefficients

AT_MOST = 12
"""So many losses and applications are drawn; of more, the last."""
SCALES = 51
"""Places of the curve over s."""
PLACES = {
    "after_heads": "after the heads",
    "every_input": "at every input",
    "before_heads": "before the heads",
}
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Where an axis may end, times a power of ten."""
SPAN = 30.0
"""From this ratio of the largest to the smallest on, colours and axes are logarithmic."""


class MeasuredLedger(Figure):
    """The norms of a measured ledger, with a slider for s.

    The backward pass is linear in each gate and the forward pass does not know s. So entry
    (k, j), recorded at s, is at s' exactly ``(s'/s)^i`` times as long, i the number of gates on its
    way: the norms at every s are known from those at one. The norm of their sum is not: it is
    shown where it was recorded, and bounded by the sum of the norms elsewhere.

    Args:
      ledger: of one unroll. Where it was recorded at s <= 0 there is no slider: what did not pass
        cannot be scaled back. Nor is there where the entries do not add up, since the backward pass
        of ``step`` is not linear. Where there was no scale the slider shows one after the heads. Of
        more than 12 losses the last 12 are drawn.

    Raises:
      ValueError: for a ledger that is traced or batched.
    """

    def __init__(self, ledger: Ledger) -> None:
        if not is_known(ledger):
            raise ValueError(
                f"The figure of a ledger shows one unroll, norms [K, K]; its norms are "
                f"{list(np.shape(ledger.norms))}. Take one of the batch: "
                "jax.tree.map(lambda x: x[0], ledger)."
            )
        self.spec = _spec(ledger)
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


class _Record:
    """A ledger's numbers in float64, and those of them that are drawn."""

    def __init__(self, ledger: Ledger) -> None:
        norms = np.tril(np.asarray(ledger.norms, np.float64))
        self.steps = len(norms)
        self.shown = min(self.steps, AT_MOST)
        self.before = self.steps - self.shown
        self.norms = norms[self.before :, self.before :]
        self.by_lag = np.array([np.trace(norms, -lag) for lag in range(self.steps)])
        self.placement = "after_heads" if ledger.placement == "off" else ledger.placement
        self.off = ledger.placement == "off"
        self.scale = 1.0 if self.off else float(ledger.scale)
        leaves = [np.asarray(leaf, np.float64) for leaf in jax.tree.leaves(ledger.step_total)]
        self.total = float(np.linalg.norm([np.linalg.norm(leaf) for leaf in leaves]))
        self.largest = _largest(self.norms)
        self.caution = caution(ledger)
        self.live = self.scale > 0 and not self.caution

    def most(self, ratio: Any) -> Any:
        """The sum of all norms where s is ``ratio`` times what it was; of NumPy's or JAX's arrays."""
        gates = np.arange(self.steps) + (self.placement == "before_heads")
        return (ratio[..., None] ** gates * self.by_lag).sum(axis=-1)


def _function(record: _Record, most: float) -> Any:
    """The figure's function: of s where it can be changed, of nothing where it cannot."""

    def at(ratio: Array) -> dict[str, Array]:
        factors, _ = coefficients(record.shown, ratio, record.placement, jnp.ones(record.shown))
        entries = jnp.asarray(record.norms) * factors
        return {
            "entries": entries,
            "percent": 100.0 / record.largest * entries,
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
        return at(ratio) | {
            "scales": scales,
            "bounds": record.most(scales / record.scale),
            "recorded": jnp.asarray(record.scale),
            "case": jnp.where(jnp.abs(ratio - 1.0) < 1e-9, 0, 1),
        }

    return measured if record.live else recorded


def _spec(ledger: Ledger) -> FigureSpec:
    record = _Record(ledger)
    live = record.live
    most = max(1.0, record.scale)
    place = PLACES[record.placement]
    said = "no scale" if record.off else f"s = {_general(float(ledger.scale))} {place}"
    total = _general(record.total)
    at = "At s = {scale}" + (f" {place}" if record.off else "")
    adds = "the lengths of all entries add up to {most:.3~g}"
    sum_is = (
        record.caution
        or f"Added as vectors, they are the gradient through step, whose length is {total}."
    )
    sentences: tuple[str, ...] = (
        f"Measured with {said}: {adds}. {sum_is}",
        f"{at} {adds}. Added as vectors, they are at most that long; it was measured only with {said}: "
        f"{total}.",
    )
    # a part's number counts from the first that is drawn
    row, column = ("row", "column") if record.before else ("loss", "application")
    cut = f" The last {record.shown} of {record.steps}." if record.before else ""
    controls: tuple[Control, ...] = (
        (Range("scale", "scale", "s", 0.0, most, record.scale, 0.01),) if live else ()
    )
    return FigureSpec(
        function=_function(record, most),
        controls=controls,
        view=_view(record, most),
        title="The ledger, measured",
        look="A cell is the gradient that one loss sends through one application." + cut,
        labels={
            "cells": f"Lengths, in % of the longest ({_general(record.largest)})",
            "chart": "All of them added up, for every s",
            "most": "lengths added up: {most:.3~g}",
            "sum": "added as vectors: {total:.3~g}",
            "where": "measured at s = {recorded}",
        },
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
            "percent": Part("entries", "One loss through one application: {value:.3~g} long."),
            "most": Part("most", "All lengths add up to {most:.3~g}."),
            "total": Part("total", "Added as vectors, they are {total:.3~g} long."),
        },
        equation=()
        if record.caution
        else (
            r"gradient through step: $\|\sum_{k,j} g_{kj}\| \le \sum_{k,j} \|g_{kj}\| = \live{most:.3~g}$",
        ),
        note=(
            "Every length is exact at every s: a gate multiplies a gradient, and the forward values do "
            "not change. 100 % is the longest at the s of the measurement; only there is the sum’s length known."
            if live
            else "The lengths at another s are not known: they would have to be measured."
            if record.caution
            else "Recorded at s = 0 or below: what did not pass a gate cannot be scaled back."
        ),
    )


def _view(record: _Record, most: float) -> View:
    cells = Triangle(
        "percent", full=100.0, decades=_decades(record.norms), start=record.before + 1, lengths="entries"
    )  # fmt: skip
    if not record.live:
        return cells
    bounds = record.most(np.array([0.0, record.scale, most]) / record.scale)
    least = min((x for x in (record.total, *bounds) if 0 < x < math.inf), default=1.0)
    low, high = _round_up(least) / 10, _round_up(_largest(bounds))
    log = 0 < low < high / SPAN
    y = Axis((low, high), "log") if log else Axis((0.0, high))
    return replace(cells, x=Axis((0.0, most)), y=y)


def _general(value: float) -> str:
    return format_number(value, GENERAL)


def _largest(*arrays: np.ndarray) -> float:
    """The largest finite number among them; 1 where none is above 0."""
    values = np.concatenate([np.ravel(array) for array in arrays])
    found = float(np.max(values, initial=0.0, where=np.isfinite(values)))
    return found if found > 0 else 1.0


def _decades(norms: np.ndarray) -> int:
    """Over how many decades the entries are coloured: 0 where they are of about one size."""
    there = norms[np.isfinite(norms) & (norms > 0)]
    span = float(there.max() / there.min()) if there.size else 1.0
    return min(8, math.ceil(math.log10(span))) if span > SPAN else 0


def _round_up(value: float) -> float:
    """A round number that is not below ``value``."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(f * power for f in ROUND if f * power >= value * (1 - 1e-12))
