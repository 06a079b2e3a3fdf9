"""A listing: lines of a program, one of which a reader puts into other places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.views.base import Bindings, View, check_each

WIDEST = 36
"""Letters that a line may have: more do not fit a narrow page."""


@dataclass(frozen=True)
class Line:
    """One line of the program, or a place for the line that moves.

    Attributes:
      text: the line with its spaces before it; where it is a place, these spaces alone count, and
        the rest says where it is, as a comment.
      slot: the option of the control that puts the moving line here; empty for what stays.
      part, index: the part that lights this line, and that it lights; ``index`` from 1.
      note: a template written after the line in grey, such as ``"# {loss:,.2f}"``.
    """

    text: str
    slot: str = ""
    part: str = ""
    index: int = 0
    note: str = ""


@dataclass(frozen=True)
class Listing(View):
    """Lines of code, one of them to be dragged to the places that a choice names.

    All places keep their room, so that nothing else moves with the line.

    Attributes:
      lines: from above, empty texts for empty lines.
      moving: a template of the line that moves, without the spaces before it.
      control: the choice that says where it is; each of its options is the slot of one line.
      values: a result of the shape [n], one number for each option, written at the option's place.
      each: a template for one of these, ``{value}``.
      heading: what these numbers are, in a few letters, over them at the end of the second line.
    """

    lines: Sequence[Line]
    moving: str
    control: str
    values: str = ""
    each: str = "{value:,.2f}"
    heading: str = ""
    kind: ClassVar[str] = "listing"

    def source(self, slot: str, moving: str) -> str:
        """The program with the moving line, as written here, at a place: text that Python reads."""
        placed = []
        for line in self.lines:
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            if not line.slot:
                placed.append(line.text)
            elif line.slot == slot and line.text.strip():
                placed.append(indent + moving)
        return "\n".join(placed) + "\n"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Listing", outputs, controls)
        check_each("Listing", "lines", self.lines, Line, 'lines=[Line("h = f(h)")]')
        given.may_drag("the line", self.control, "choice")
        given.check_templates(self.moving, *(line.note for line in self.lines))
        options = [name for name, _ in dict(given.controls[self.control].describe())["options"]]
        slots = [line.slot for line in self.lines if line.slot]
        if sorted(slots) != sorted(options):
            raise ValueError(
                f"Listing has places for {', '.join(slots) or 'nothing'}, but the options of "
                f"{self.control!r} are {', '.join(options)}; expected one place for each."
            )
        given.need_each(("the numbers at its places", self.values, (len(options),)))
        for line in self.lines:
            if line.part and line.part not in given.results:
                raise ValueError(
                    f"Listing lights the line {line.text!r} with {line.part!r}, which is no result; there "
                    f"are {', '.join(given.results)}."
                )
            if len(line.text) > WIDEST:
                raise ValueError(
                    f"Listing has the line {line.text!r} of {len(line.text)} letters; expected {WIDEST} "
                    "or fewer, so that it fits a narrow page."
                )
