"""The triangle of a ledger: loss k by step j, with what it adds up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from explorax.compiler import Leaf
from explorax.controls.control import Control
from explorax.views.base import Bindings, View

DIST = Path(__file__).parent / "dist"


@dataclass(frozen=True)
class Triangle(View):
    """Cells (k, j) with j up to k, each with its number; or squares as large as they are, with bars of their sums.

    Attributes:
      cells: a result of the shape [K, K].
      full: the value that is drawn in half the full colour; larger ones are fuller.
      decades: 0 for a colour in proportion to the value; or so many decades down from
        ``full``, in proportion to its logarithm.
      count: the control that says how many losses are there; all if empty.
      start: the number of the first loss and step.
      sums: whether ``sent`` [K], ``received`` [K], their mean ``total``, and ``bound`` are drawn; and
        ``together``, the mean of vectors of which the cells are norms. NaN for what isn't there: without a
        bound the cells are measured, and don't shrink by ``product`` from each to the one on its left.
      unit: what the cells' numbers are divided by.
    """

    cells: str
    full: float = 1.0
    decades: int = 0
    count: str = ""
    start: int = 1
    sums: bool = False
    unit: float = 1.0
    kind: ClassVar[str] = "ledger"
    script = DIST / "ledger.js"
    style = DIST / "ledger.css"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Triangle", outputs, controls)
        steps, _ = given.need("cells", self.cells, ("n", "n"))
        given.need_each(("the number of losses", self.count, ()))
        if self.sums:
            for name in ("sent", "received"):
                given.need("sums", name, (steps,))
            for name in ("total", "bound", "product", "together"):
                given.need("a mean or its bound", name, ())
