"""The marks of a plane or a surface: arrows, arcs, points, rings, clouds, images of circles, paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from explorax.controls.control import NUMBERS
from explorax.views.base import Bindings, Role, check_role

Place = str | tuple[float, float]
"""A point: the name of a result or control of the shape [2], or two numbers."""


@dataclass(frozen=True)
class Mark:
    """A mark in a plane; ``kind`` says what is drawn.

    Attributes:
      when: a result or control that is not 0 while the mark is there; always if empty.
    """

    when: str = field(default="", kw_only=True)
    kind: ClassVar[str] = ""

    def check(self, given: Bindings) -> None:
        """Raise a ValueError where the figure does not give what the mark draws."""


def check_mark(mark: Mark, given: Bindings) -> None:
    """Raise a ValueError for a mark with a role, a result or words that are not there."""
    check_role(type(mark).__name__, getattr(mark, "role", "ink"))
    mark.check(given)
    given.need_each(("whether a mark is there", mark.when, ()))
    given.check_templates(getattr(mark, "label", ""), getattr(mark, "key", ""))


@dataclass(frozen=True)
class Vector(Mark):
    """An arrow, or one for each row.

    Attributes:
      value: a result of the shape [2] or [n, 2], or a Point control.
      label: a template, written at the head; ``{n}`` is a row's number from 1.
      towards: where it stands from the head: a direction, or along the arrow if empty.
      at: what it stands beside: the head, 1, or a place on the way there from the tail, 0.
      role: what it is.
      tail: where it starts: a place, or a result of the shape [n, 2]; the origin by default.
      before: whether it is an earlier state, drawn as an outline.
      unless: a result of the same shape: rows that equal its own are not drawn.
      drag: a Point control that the head sets; or a control of one number that scales
        ``along``, the arrow at 1.
      along: a place; the arrow at which the dragged control is 1.
      key: a template, written beside the plane with the arrow's sign.
    """

    value: str
    label: str = ""
    role: Role = "cotangent"
    towards: Place = ""
    at: float = 1.0
    tail: Place = (0.0, 0.0)
    before: bool = False
    unless: str = ""
    drag: str = ""
    along: Place = ""
    key: str = ""
    kind: ClassVar[str] = "vector"

    def check(self, given: Bindings) -> None:
        rows = given.need("an arrow", self.value, (2,), ("n", 2))
        given.need_each(
            ("an arrow's tail", self.tail, (2,), ("n", 2)),
            ("the direction of an arrow's label", self.towards, (2,)),
            ("arrows beside which others are left out", self.unless, rows),
            ("the line of an arrow", self.along, (2,)),
        )
        given.may_drag("an arrow's head", self.drag, *(NUMBERS if self.along else ("point",)))


@dataclass(frozen=True)
class Dot(Mark):
    """A point, or one for each row.

    Attributes:
      value: a result of the shape [2] or [n, 2], a Point control, or two numbers.
      label: a template; ``{n}`` is a row's number from 1.
      role: what it is.
      small: whether it steps back behind others.
      drag: the Point control that it sets.
      towards: the direction in which its label is.
    """

    value: Place
    label: str = ""
    role: Role = "state"
    small: bool = False
    drag: str = ""
    towards: Place = ""
    kind: ClassVar[str] = "dot"

    def check(self, given: Bindings) -> None:
        given.need("a point", self.value, (2,), ("n", 2))
        given.may_drag("a point", self.drag, "point")


@dataclass(frozen=True)
class Cloud(Mark):
    """Many points, drawn as one path.

    Attributes:
      value: a result of the shape [n, 2].
      shape: ``"dots"``, or ``"tips"``, small hollow circles.
      role: what they are.
      key: a template, written beside the plane.
      tails: a result of the same shape: a thin line leads to each dot from its tail.
      label: a template, written at ``at``.
      at: a place for the label.
    """

    value: str
    shape: Literal["dots", "tips"] = "dots"
    role: Role = "cotangent"
    key: str = ""
    tails: str = ""
    label: str = ""
    at: Place = ""
    kind: ClassVar[str] = "cloud"

    def check(self, given: Bindings) -> None:
        points = given.need("a cloud", self.value, ("n", 2))
        given.need_each(
            ("the tails of a cloud", self.tails, points),
            ("the place of a cloud's label", self.at, (2,)),
        )


@dataclass(frozen=True)
class Arc(Mark):
    """An arc about the origin, from the direction of one arrow to that of another.

    Attributes:
      value: a result of the shape [2], or a Point control: the arrow where it ends.
      start: another, where it begins.
      radius: in units of the plane; no more than the longer arrow.
      label: a template, written in its middle.
      role: what it is.
    """

    value: str
    start: str
    radius: float = 0.4
    label: str = ""
    role: Role = "ink"
    kind: ClassVar[str] = "arc"

    def check(self, given: Bindings) -> None:
        given.need_each(
            ("the end of an arc", self.value, (2,)), ("the start of an arc", self.start, (2,))
        )


@dataclass(frozen=True)
class Ring(Mark):
    """A circle, or a square about it.

    Attributes:
      radius: a number, or the name of a result or control.
      center: a place.
      label: a template, written at the ring.
      role: what it is; a limit by default.
      drag: the control of one number that the radius sets.
      at: where on the ring its handle and label are, in degrees from the right, upwards.
      filled: whether the disc within is tinted.
      square: a result that is not 0 where a square stands for the circle, its half side the radius.
    """

    radius: str | float
    center: Place = (0.0, 0.0)
    label: str = ""
    role: Role = "limit"
    drag: str = ""
    at: float = 45.0
    filled: bool = False
    square: str = ""
    kind: ClassVar[str] = "ring"

    def check(self, given: Bindings) -> None:
        given.need_each(
            ("a ring's radius", self.radius, ()),
            ("a ring's centre", self.center, (2,)),
            ("a ring that may be square", self.square, ()),
        )
        given.may_drag("a ring", self.drag, *NUMBERS)


@dataclass(frozen=True)
class Image(Mark):
    """The image of a circle under a matrix: an ellipse, or one for each matrix.

    Attributes:
      matrix: a result of the shape [2, 2] or [n, 2, 2].
      radius: of the circle: a number, or the name of a result or control.
      role: what it is.
    """

    matrix: str
    radius: str | float = 1.0
    role: Role = "cotangent"
    kind: ClassVar[str] = "image"

    def check(self, given: Bindings) -> None:
        given.need_each(
            ("an ellipse", self.matrix, (2, 2), ("n", 2, 2)),
            ("the radius of a circle", self.radius, ()),
        )


@dataclass(frozen=True)
class Trail(Mark):
    """A path through points, in order.

    Attributes:
      value: a result of the shape [n, 2].
      label: a template, written at the last point.
      role: what it is.
      count: the result or control that says how many points are there; all if empty.
      dots: whether each point is marked.
      key: a template, written beside the plane.
    """

    value: str
    label: str = ""
    role: Role = "cotangent"
    count: str = ""
    dots: bool = True
    key: str = ""
    kind: ClassVar[str] = "trail"

    def check(self, given: Bindings) -> None:
        given.need_each(("a path", self.value, ("n", 2)), ("the length of a path", self.count, ()))
