"""Views of one figure each: the river, and the reported tangent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gradlab.figure.controls import Control
from gradlab.figure.views.base import View
from gradlab.program import Leaf


@dataclass(frozen=True)
class Own(View):
    """A view of one figure: what it draws are results and controls of these names."""

    results: ClassVar[tuple[str, ...]] = ()
    controls: ClassVar[tuple[str, ...]] = ()

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        there = {leaf.name for leaf in outputs} | {control.name for control in controls}
        missing = [name for name in (*self.results, *self.controls) if name not in there]
        if missing:
            raise ValueError(
                f"{type(self).__name__} draws one figure of the book alone, from {', '.join(missing)}, "
                "which this one does not have; expected another view, such as Profile or Plane."
            )


@dataclass(frozen=True)
class Stream(Own):
    """The backward pass of an unroll as a river that losses feed."""

    kind: ClassVar[str] = "stream"
    results: ClassVar[tuple[str, ...]] = (
        "states", "own", "received", "gates_in", "gates_out", "root", "total", "line", "reference",
        "clips", "clip_line", "scales", "weighs",
    )  # fmt: skip
    controls: ClassVar[tuple[str, ...]] = ("steps", "placement")


@dataclass(frozen=True)
class Tangent(Own):
    """A curve, its tangent, and another slope at the same point."""

    kind: ClassVar[str] = "tangent"
    results: ClassVar[tuple[str, ...]] = ("abscissae", "ordinates", "value", "slope", "reported")
    controls: ClassVar[tuple[str, ...]] = ("x",)
