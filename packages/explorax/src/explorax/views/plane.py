"""The plane: marks with equal units on both axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, Span, View, check_each, check_span
from explorax.views.marks import Mark, check_mark


@dataclass(frozen=True)
class Plane(View):
    """Marks in a plane whose units are equally long on both axes.

    Attributes:
      marks: drawn in order, the last on top.
      x, y: the two ends of each axis; fixed, so that nothing is re-scaled during a drag.
      x_label, y_label: the names of the axes.
      guess: how a guessed place is drawn: as a point, or as an arrow from the origin.
      guess_label: what is written at it.
      ghosts: whether what was before a drag stays as an outline; not where marks say it.

    Example:
      >>> from explorax.views import Ring, Vector
      >>> Plane([Ring("c", drag="c"), Vector("g", "gradient", drag="g")]).describe()["x"]
      [-1.0, 1.0]
    """

    marks: Sequence[Mark]
    x: Span = (-1.0, 1.0)
    y: Span = (-1.0, 1.0)
    x_label: str = ""
    y_label: str = ""
    guess: Literal["point", "arrow"] = "point"
    guess_label: str = "your guess"
    ghosts: bool = True
    kind: ClassVar[str] = "plane"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        check_span("Plane", "x", self.x)
        check_span("Plane", "y", self.y)
        given = Bindings("Plane", outputs, controls)
        check_each("Plane", "marks", self.marks, Mark, 'marks=[Vector("g")]')
        for mark in self.marks:
            check_mark(mark, given)
