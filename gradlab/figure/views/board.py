"""The token board: one training step as a loop of places, a token on one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gradlab.figure.views.stream import Own


@dataclass(frozen=True)
class Board(Own):
    """Six places in a loop, two arrows at each, before and after a token that is put on one."""

    kind: ClassVar[str] = "board"
    results: ClassVar[tuple[str, ...]] = ("before", "after", "ring", "loss_changes")
    controls: ClassVar[tuple[str, ...]] = ("token", "station", "optimizer")
