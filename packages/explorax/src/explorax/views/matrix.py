"""The matrix: a heat map, or a triangle such as the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, View, check_whole


@dataclass(frozen=True)
class Matrix(View):
    """Cells coloured by their value, with their numbers where they fit; those below 0 carry a stroke.

    Attributes:
      value: a result of the shape [n, m].
      full: the size of a value that is drawn in full colour; fixed.
      decades: 0 for a colour in proportion to the value; or so many decades down from
        ``full``, in proportion to its logarithm.
      rows, columns: templates of the headings, ``{n}`` the number from ``start``.
      row_part, column_part: the parts that light a row or a column, such as "loss"; the
        headings are those parts.
      column_label: over all headings.
      triangle: whether a square matrix has entries up to its diagonal only.
      count: the result or control that says how many rows and columns of a square matrix are
        there; all if empty.
      apart: so many columns, the first, stand apart from the others.
      total: a template of what these others come to, under a bracket that holds them.
      digits: decimals of the numbers.
      start: the number of the first row and column.
      tallest: pixels that a row may be high; the view's own if 0.

    Example:
      >>> Matrix("sent", rows="loss {n}", columns="step {n}", triangle=True).describe()["triangle"]
      True
    """

    value: str
    full: float = 1.0
    decades: float = 0
    rows: str = "{n}"
    columns: str = "{n}"
    row_part: str = ""
    column_part: str = ""
    column_label: str = ""
    triangle: bool = False
    count: str = ""
    apart: int = 0
    total: str = ""
    digits: int = 2
    start: int = 1
    tallest: int = 0
    kind: ClassVar[str] = "matrix"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Matrix", outputs, controls)
        if not 0 < self.full < float("inf"):
            raise ValueError(
                f"Matrix was given full = {self.full!r}; expected a size above 0: that of the value "
                "to draw in full colour."
            )
        check_whole("Matrix", "digits", self.digits, 0, 9)
        given.check_templates(self.rows, self.columns, self.total)
        n, m = given.need("cells", self.value, ("n", "m"))
        check_whole("Matrix", "apart", self.apart, 0, m - 1)
        if (self.triangle or self.count) and n != m:
            raise ValueError(
                f"Matrix draws {self.value!r} of {n} rows and {m} columns as a triangle or with a count; "
                "expected as many rows as columns."
            )
        given.need_each(("the number of rows", self.count, ()))
