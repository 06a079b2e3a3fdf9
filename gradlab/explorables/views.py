"""Views: which results a figure draws, and as what. ``frontend/src/views`` has one module for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from gradlab.explorables.controls import Control
from gradlab.program import Leaf


@dataclass(frozen=True)
class View:
    """What all views share: ``kind`` names the module that draws it."""

    kind: ClassVar[str] = ""

    def describe(self) -> dict[str, Any]:
        """The view as plain data, for the page."""
        return {"kind": self.kind, **asdict(self)}

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        """Raises a ValueError where the view asks for what the function does not give."""


@dataclass(frozen=True)
class Stream(View):
    """The backward pass of an unroll as a river that losses feed."""

    kind: ClassVar[str] = "stream"


@dataclass(frozen=True)
class Tangent(View):
    """A curve, its tangent, and another slope at the same point."""

    kind: ClassVar[str] = "tangent"
