"""The surface: a field over a plane, with contours and paths; of the program, or recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, Span, View, check_span, check_whole
from explorax.views.marks import Dot, Mark, Trail, Vector, check_mark

LEVELS = 4_000  # of a recorded value; the numbers above mark what is not finite
NOT_FINITE = {"nan": LEVELS + 3, "inf": LEVELS + 2, "-inf": LEVELS + 1}


@dataclass(frozen=True)
class Recorded:
    """An array that was computed while the book was built, made small for the page.

    Attributes:
      data: levels, row by row, each less what it would be if the surface went on as a plane from
        its neighbours to the left, below and both: small numbers, which compress well.
      shape: [n, m].
      low, high: the values of the first and the last level.
      log: whether levels are even steps of the logarithm.
      note: how it was made, in words; the figure says so.
    """

    data: tuple[int, ...]
    shape: tuple[int, int]
    low: float
    high: float
    log: bool
    note: str

    def values(self) -> np.ndarray:
        """Return the array as the page has it, float64 [n, m]."""
        levels = np.reshape(self.data, self.shape).cumsum(axis=0).cumsum(axis=1)
        low, high = (np.log(self.low), np.log(self.high)) if self.log else (self.low, self.high)
        values = low + (high - low) * levels / LEVELS
        values = np.exp(values) if self.log else values
        for text, level in NOT_FINITE.items():
            values[levels == level] = float(text)
        return np.asarray(values)


def record(values: Any, note: str, *, log: bool = False) -> Recorded:
    """Make an array small for the page: to 1 part in 4,000 of its range.

    Args:
      values: real [n, m]; NaN and infinities are kept.
      note: how it was made, in words.
      log: whether to keep 1 part in 4,000 of the range of its logarithm.

    Raises:
      ValueError: for another rank, where nothing is finite, or for a logarithm of values that
        are not above 0.

    Example:
      >>> small = record(np.array([[0.0, 1.0], [2.0, 4.0]]), "four losses")
      >>> small.values().tolist()
      [[0.0, 1.0], [2.0, 4.0]]
    """
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    if array.ndim != 2 or finite.size == 0:
        raise ValueError(
            f"record was given an array of shape {list(array.shape)} with {finite.size} finite values; "
            "expected [n, m] with at least one."
        )
    if log and finite.min() <= 0:
        raise ValueError(
            f"record(log=True) was given values down to {finite.min():g}; expected all above 0."
        )
    low, high = float(finite.min()), float(finite.max())
    ends = (np.log(low), np.log(high)) if log else (low, high)
    span = ends[1] - ends[0] or 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        placed = ((np.log(array) if log else array) - ends[0]) / span * LEVELS
    others = [np.isnan(array), np.isposinf(array), np.isneginf(array)]
    levels = np.select(others, [*NOT_FINITE.values()], np.rint(placed)).astype(np.int64)
    data = np.diff(np.diff(levels, axis=1, prepend=0), axis=0, prepend=0).ravel()
    return Recorded(tuple(data.tolist()), (array.shape[0], array.shape[1]), low, high, log, note)


@dataclass(frozen=True)
class Surface(View):
    """A field over a plane as shades with contours, and marks over it.

    Attributes:
      field: a result of the shape [n, m], or what ``record`` returns; row i belongs to the
        i-th of n even places from the lower to the upper end of y, column j likewise along x.
      x, y: the two ends of each axis.
      span: the values of the lightest and the fullest shade; fixed.
      log: whether shades and contours are even steps of the logarithm.
      contours: how many.
      marks: over the field: ``Trail``, ``Dot``, ``Vector``.
      x_label, y_label: the names of the axes.
      legend: what the shades are, in words.
      guess, guess_label: as in ``Plane``.
    """

    field: str | Recorded
    x: Span
    y: Span
    span: Span
    log: bool = False
    contours: int = 10
    marks: Sequence[Mark] = ()
    x_label: str = ""
    y_label: str = ""
    legend: str = ""
    guess: Literal["point", "arrow"] = "point"
    guess_label: str = "your guess"
    kind: ClassVar[str] = "surface"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Surface", outputs, controls)
        for name, span in (("x", self.x), ("y", self.y), ("span", self.span)):
            check_span("Surface", name, span)
        if self.log and not self.span[0] > 0:
            raise ValueError(
                f"Surface has logarithmic shades from {self.span[0]:g}; expected a span above 0."
            )
        if not isinstance(self.field, str | Recorded):
            raise TypeError(
                f"Surface was given a field of the type {type(self.field).__name__}; expected the name "
                "of a result [n, m], or what record(array, ...) makes of an array."
            )
        if isinstance(self.field, str):
            shape = given.need("a field", self.field, ("n", "m"))
        else:
            shape = self.field.shape
        check_whole("Surface", "contours", self.contours, 0)
        if min(shape) < 2:
            raise ValueError(
                f"Surface draws a field of the shape {list(shape)}; expected two or more rows and columns."
            )
        for mark in self.marks:
            if not isinstance(mark, Trail | Dot | Vector):
                raise ValueError(
                    f"Surface was given the mark {mark!r}; expected Trail, Dot or Vector: its axes have "
                    "units of their own, in which a circle is none."
                )
            check_mark(mark, given)
