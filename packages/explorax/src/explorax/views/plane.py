"""The plane: marks with equal units on both axes, and the ball of 2-D columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, Span, View, check_each, check_span
from explorax.views.inset import Inset
from explorax.views.marks import Mark, Ring, Vector, check_mark


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
      inset: a small drawing above the key, or below it where the picture is narrow.

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
    inset: Inset | None = None
    kind: ClassVar[str] = "plane"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        check_span("Plane", "x", self.x)
        check_span("Plane", "y", self.y)
        given = Bindings("Plane", outputs, controls)
        check_each("Plane", "marks", self.marks, Mark, 'marks=[Vector("g")]')
        for mark in self.marks:
            check_mark(mark, given)
        if self.inset:
            self.inset.check()


def ball(
    before: str,
    after: str,
    cap: str | float,
    *,
    span: float = 3.0,
    label: str = "",
    cap_label: str = "",
    drag: str = "",
    columns: bool = True,
) -> Plane:
    """Draw 2-D columns in their ball: outlined before a projection, solid after it.

    Args:
      before, after: results of the shape [2, n]: a column each; or [n, 2], a row each.
      cap: the radius of the ball: a number, or the name of a result or control.
      span: each axis goes from -span to span.
      label: a template at each head, ``{n}`` its number.
      cap_label: a template at the ring.
      drag: the control that the ring sets.
      columns: whether the arrows are columns.
    """
    return Plane(
        marks=(
            Ring(cap, label=cap_label, drag=drag, filled=True),
            Vector(before, role="ink", before=True, unless=after, columns=columns),
            Vector(after, label=label, role="parameter", columns=columns),
        ),
        x=(-span, span),
        y=(-span, span),
    )
