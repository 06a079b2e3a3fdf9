"""Views of one figure each: the river, and the reported tangent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gradlab.explorables.views.base import View


@dataclass(frozen=True)
class Stream(View):
    """The backward pass of an unroll as a river that losses feed."""

    kind: ClassVar[str] = "stream"


@dataclass(frozen=True)
class Tangent(View):
    """A curve, its tangent, and another slope at the same point."""

    kind: ClassVar[str] = "tangent"
