"""Profiles: bars, lines and points over steps or over a quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.controls.control import NUMBERS
from explorax.views.base import (
    Bindings,
    Role,
    Span,
    View,
    check_each,
    check_role,
    check_span,
)

SCALES = ("linear", "log", "symlog")
MARKS = ("bars", "outline", "line", "points", "band")


@dataclass(frozen=True)
class Axis:
    """An axis with fixed ends.

    Attributes:
      span: its two ends; above 0 for a logarithmic one.
      scale: ``"linear"``, ``"log"``, or ``"symlog"``: linear in a band about zero, which is
        drawn, and logarithmic beyond it on both sides.
      band: half the width of the band about zero.
      label: its name, with a unit where there is one.
      reverse: whether an axis across goes from right to left; lines along it are named beside them.
    """

    span: Span = (0.0, 1.0)
    scale: Literal["linear", "log", "symlog"] = "linear"
    band: float = 1.0
    label: str = ""
    reverse: bool = False

    def check(self, owner: str) -> None:
        """Raise a ValueError for ends that the scale does not have."""
        check_span(owner, "an axis with span", self.span)
        if self.scale not in SCALES:
            raise ValueError(
                f"{owner} has the scale {self.scale!r}; expected one of {', '.join(SCALES)}."
            )
        if self.scale == "log" and not self.span[0] > 0:
            raise ValueError(
                f"{owner} has a logarithmic axis that starts at {self.span[0]:g}; expected an end "
                "above 0, or scale='symlog'."
            )
        if self.scale == "symlog" and not 0 < self.band < max(map(abs, self.span)):
            raise ValueError(
                f"{owner} has a band of {self.band:g}; expected more than 0 and less than the "
                f"farther end, {max(map(abs, self.span)):g}."
            )


def check_axis(owner: str, side: str, axis: Any) -> None:
    """Raise an error for what is no axis, or for one with ends that its scale doesn't have."""
    if not isinstance(axis, Axis):
        raise TypeError(
            f"{owner} was given {side} = {axis!r}; expected an axis, such as {side}=Axis((0, 1))."
        )
    axis.check(f"{owner}'s {side}")


@dataclass(frozen=True)
class Series:
    """One quantity, a value for each step.

    Attributes:
      value: a result of the shape [n].
      label: what it is, in words. At the end of a line it may be a template: numbers of the moment,
        which a narrow picture leaves out.
      role: what it is.
      mark: ``"bars"``; ``"outline"``: bars as outlines, such as those before; ``"line"``;
        ``"points"``; ``"band"``: the ground between ``low`` and the value.
      low, high: results of the shape [n]: the ends of an interval about each value.
      at: a result of the shape [n]: its own places on the axis, however many others have; those of
        the profile's ``at`` if empty.
      behind: whether the line is thin, as what stands behind others.
      until: a result: the series is drawn only while this one is concealed, as a line's beginning is;
        bars stand where the first bars do then.
      when: a result: the series is drawn, and named at its end, only where this one is not 0.
      named: a place on the axis, a number or a result: its name stands beside the line there, as it
        does where lines end together.
    """

    value: str
    label: str = ""
    role: Role = "cotangent"
    mark: Literal["bars", "outline", "line", "points", "band"] = "bars"
    low: str = ""
    high: str = ""
    at: str = ""
    behind: bool = False
    until: str = ""
    when: str = ""
    named: float | str | None = None


@dataclass(frozen=True)
class Threshold:
    """A dashed line across the plot at one value.

    Attributes:
      value: a number, or the name of a result or control.
      label: a template, written at the line.
      role: what it is; a limit by default.
      drag: the control of one number that it sets.
      axis: ``"y"`` for a level, ``"x"`` for a place.
      dots: pairs of a scalar result and its role: points on a line at a place.
      spans: pairs of values, each a number or a scalar result, a role, and a template written beside
        it: strokes on a line at a place, from the first to the second. On a logarithmic axis equal
        strokes are equal quotients.
      foot: whether the label of a place stands at the plot's lower edge, away from others.
      beside: whether the label of a level stands outside the plot, among those of lines, if there is room.
      under: a scalar result: where it isn't 0, the label of a level is under its line.
      sides: what is before a place and what is beyond it, in words, each over its side where it
        has room; the side beyond is shaded.
      divides: a scalar result that is divided by the place to get what ``drag`` sets.
      per: what the place is multiplied by to get what ``drag`` sets.
      to: another place on the same axis across: what lies between is shaded.
      on: a place on the axis across: the knob or the label of a level stands there, and no line is drawn.
      when: a result: the line is drawn, and can be dragged, only where this one is not 0.
    """

    value: str | float
    label: str = ""
    role: Role = "limit"
    drag: str = ""
    axis: Literal["x", "y"] = "y"
    dots: Sequence[tuple[str, Role]] = ()
    spans: Sequence[tuple[str | float, str | float, Role, str]] = ()
    foot: bool = False
    beside: bool = False
    under: str = ""
    sides: Sequence[str] = ()
    divides: str = ""
    per: float = 1.0
    to: str | float = ""
    on: float | None = None
    when: str = ""


@dataclass(frozen=True)
class Profile(View):
    """Series over steps, or over what ``at`` gives, with thresholds.

    Attributes:
      series: drawn in order; bars stand side by side.
      y: the axis of the values.
      x: the axis across; its label, a template, alone counts where ``at`` is empty.
      at: a result of the shape [n]: where on the axis each value belongs; steps if empty.
      names: of the steps, in place of their numbers.
      thresholds: lines across.
      level: whether a guessed number is a level of y, to be drawn and dragged as one.
      guess_label: what is written at a guess.
      plot: pixels from the lowest value to the highest; the view's own if 0.
      ends: whether lines are named at their ends in a narrow picture too: their names are short.
      data: choices of what is drawn: where one changes, nothing stays of what was drawn before.

    Example:
      >>> level = Threshold("c", "clip at {c}", drag="c")
      >>> view = Profile([Series("norms")], y=Axis((0.0, 8.0), label="norm"), thresholds=[level])
      >>> view.describe()["kind"]
      'profile'
    """

    series: Sequence[Series]
    y: Axis
    x: Axis = Axis()
    at: str = ""
    names: Sequence[str] = ()
    thresholds: Sequence[Threshold] = ()
    level: bool = False
    guess_label: str = "your guess"
    plot: int = 0
    ends: bool = False
    data: Sequence[str] = ()
    kind: ClassVar[str] = "profile"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("Profile", outputs, controls)
        for side, axis in (("x", self.x), ("y", self.y)):
            check_axis("Profile", side, axis)
        check_each("Profile", "series", self.series, Series, 'series=[Series("norms")]')
        check_each(
            "Profile", "thresholds", self.thresholds, Threshold, "thresholds=[Threshold(1.0)]"
        )
        check_each("Profile", "names", self.names, str, 'names=["a", "b"]')
        given.check_templates(self.x.label)
        length = given.need("the places of a series", self.at, ("n",)) if self.at else None
        for series in self.series:
            check_role("Series", series.role)
            given.check_templates(series.label)
            if series.mark not in MARKS:
                raise ValueError(
                    f"Series has the mark {series.mark!r}; expected one of {', '.join(MARKS)}."
                )
            if series.mark == "band" and not series.low:
                raise ValueError(f"The band {series.value!r} has no low=; expected its lower edge.")
            if not self.at and (series.at or series.named is not None):
                raise ValueError(
                    f"The series {series.value!r} has places of its own, or is named at one, and the "
                    "profile has none; expected at= for both."
                )
            own = given.need("the places of a series", series.at, ("n",)) if series.at else None
            given.need_each(
                ("what ends a series", series.until, ("n",)),
                ("what shows a series", series.when, ()),
                ("the place of a name", "" if series.named is None else series.named, ()),
            )
            for name in filter(None, (series.value, series.low, series.high)):
                shape = given.need("a series", name, ("n",))
                expected = own or length or shape
                length = length or shape
                if shape != expected:
                    raise ValueError(
                        f"Profile draws series of {expected[0]} and of {shape[0]} values ({name!r}); "
                        "expected the same number for all."
                    )
        if self.names and length and len(self.names) != length[0]:
            raise ValueError(
                f"Profile was given {len(self.names)} names for {length[0]} steps; expected one each."
            )
        for threshold in self.thresholds:
            for owner, role in (
                ("Threshold", threshold.role),
                *(("a threshold's dot", role) for _, role in threshold.dots),
                *(("a threshold's stroke", role) for *_, role, _ in threshold.spans),
            ):
                check_role(owner, role)
            given.check_templates(threshold.label, *(label for *_, label in threshold.spans))
            given.need_each(
                ("a threshold", threshold.value, ()),
                ("what shows a threshold", threshold.when, ()),
                ("where a threshold's shade ends", threshold.to, ()),
                ("what a threshold divides", threshold.divides, ()),
                ("what puts a label under a threshold", threshold.under, ()),
                *(("a threshold's dot", name, ()) for name, _ in threshold.dots),
                *(
                    ("an end of a threshold's stroke", end, ())
                    for *ends, _, _ in threshold.spans
                    for end in ends
                ),
            )
            given.may_drag("a threshold", threshold.drag, *NUMBERS)
            check_each("a threshold", "sides", threshold.sides, str, 'sides=["below", "above"]')
            if threshold.sides and (threshold.axis != "x" or len(threshold.sides) != 2):
                raise ValueError(
                    f"A threshold on {threshold.axis} has the sides {threshold.sides!r}; expected two, "
                    "and a threshold on x."
                )
