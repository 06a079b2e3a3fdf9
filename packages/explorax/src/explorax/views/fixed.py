"""Views of one figure each, which read results and controls by fixed names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from explorax.figure.control import Control
from explorax.views.base import View
from explorax.compiler import Leaf


@dataclass(frozen=True)
class FixedView(View):
    """A view that belongs to one figure; its file in ``frontend/src/figures`` has the name ``kind``.

    Attributes:
      results, controls: names that it reads.
    """

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
