"""A small drawing beside a plane's key: what is connected with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from explorax.views.base import Role, Span, check_role


@dataclass(frozen=True)
class Inset:
    """Arrows, bars and words in a box of their own; it stays as it is, and only lights up.

    Lengths are pixels of the picture, from the box's upper left corner.

    Attributes:
      size: width and height.
      arrows: a part's name, a role, and two ends.
      bars: a part's name, a role, the middle of an upright bar, and the result or control that is
        not 0 while it is there: always if empty.
      rings: a role, and the middle of a small ring.
      words: a text, a role, the place of its baseline, and which end of it stands there.
    """

    size: Span
    arrows: Sequence[tuple[str, Role, Span, Span]] = ()
    bars: Sequence[tuple[str, Role, Span] | tuple[str, Role, Span, str]] = ()
    rings: Sequence[tuple[Role, Span]] = ()
    words: Sequence[tuple[str, Role, Span, Literal["start", "middle", "end"]]] = ()

    def check(self) -> None:
        """Raise a ValueError for a role that the palette does not have."""
        roles = [role for _, role, *_ in self.arrows]
        roles += [role for _, role, *_ in self.bars] + [role for role, _ in self.rings]
        for role in [*roles, *(role for _, role, *_ in self.words)]:
            check_role("Inset", role)
