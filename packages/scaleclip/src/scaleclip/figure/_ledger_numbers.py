"""What a measured ledger's figure draws of it: numbers in float64, and the room that they need."""

import math
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from explorax.views import Axis
from explorax.words.number_format import GENERAL, RAISED, format_number
from scaleclip.ledger._type import Ledger, caution

AT_MOST = 12
"""So many losses and steps are drawn; of more, the last."""
PLACES = {
    "after_heads": "after the heads",
    "every_input": "at every input",
    "before_heads": "before the heads",
}
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Where an axis may end, times a power of ten."""
SPAN = 30.0
"""From this ratio of the largest to the smallest on, an axis is logarithmic."""
SHADES = 1e4
"""The same for the cells' colours: below it, a cell half as large is half as full."""


class Record:
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
        self.unit = _unit(self.largest)
        """The power of ten in which the cells' numbers are written."""
        power = round(math.log10(self.unit))
        self.unit_named = f", in 10{str(power).translate(RAISED)}" if power else ""
        self.caution = caution(ledger)
        self.live = self.scale > 0 and not self.caution
        self.said = (
            "no scale" if self.off else f"s = {general(self.scale)} {PLACES[self.placement]}"
        )

    def most(self, ratio: Any) -> Any:
        """The sum of all norms where s is ``ratio`` times what it was; of NumPy's or JAX's arrays."""
        gates = np.arange(self.steps) + (self.placement == "before_heads")
        return (ratio[..., None] ** gates * self.by_lag).sum(axis=-1)

    def check(self, other: "Record") -> None:
        """Refuse a ledger that is not what this one says of another s.

        Raises:
          ValueError: it says what differs.
        """
        if not self.live or other.scale == self.scale:
            raise ValueError(
                f"The second ledger was measured with s = {general(other.scale)}, the first with "
                f"{self.said}; expected another s, and a first that can be scaled."
            )
        expected = self.most(np.asarray(other.scale / self.scale))
        found = np.sum(other.by_lag)
        same = (other.steps, other.placement) == (self.steps, self.placement)
        if not same or abs(found - expected) > 1e-3 * expected:
            raise ValueError(
                f"The second ledger's norms add up to {general(found)}; those of the first, taken to "
                f"its s, to {general(expected)}. Expected the same unroll at another s."
            )


def axis(record: Record, others: Sequence[Record], most: float) -> Axis:
    """The axis of lengths: logarithmic where they differ by more than ``SPAN``."""
    if not record.live:
        return Axis()
    bounds = record.most(np.array([0.0, record.scale, most]) / record.scale)
    totals = [one.total for one in (record, *others)]
    least = min((x for x in (*totals, *bounds) if 0 < x < math.inf), default=1.0)
    low, high = _round_up(least) / 10, _round_up(_largest(bounds))
    log = 0 < low < high / SPAN
    return Axis((low, high), "log" if log else "linear", label="length")


def general(value: float) -> str:
    return format_number(value, GENERAL)


def _largest(*arrays: np.ndarray) -> float:
    """The largest finite number among them; 1 where none is above 0."""
    values = np.concatenate([np.ravel(array) for array in arrays])
    found = float(np.max(values, initial=0.0, where=np.isfinite(values)))
    return found if found > 0 else 1.0


def decades(norms: np.ndarray) -> int:
    """Over how many decades the entries are coloured: 0 where they are of about one size."""
    there = norms[np.isfinite(norms) & (norms > 0)]
    span = float(there.max() / there.min()) if there.size else 1.0
    return min(8, math.ceil(math.log10(span))) if span > SHADES else 0


def _round_up(value: float) -> float:
    """A round number that is not below ``value``."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(f * power for f in ROUND if f * power >= value * (1 - 1e-12))


def _unit(value: float) -> float:
    """1 for what can be written in a few figures, or else a power of a thousand."""
    return 1.0 if 0.1 <= value < 1000 else 1000.0 ** math.floor(math.log10(value) / 3)
