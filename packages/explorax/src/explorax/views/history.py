"""The history of a run: lines that grow with its steps, and behind them those of earlier runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.controls.control import NUMBERS
from explorax.views.base import Bindings, Role, View, check_each, check_role, check_whole
from explorax.views.profile import Axis, Series, check_axis


@dataclass(frozen=True)
class Level:
    """A line across a history, dashed where it can be dragged.

    Attributes:
      value: a number, or the name of a control.
      label: a template, written at the line.
      drag: the control of one number that it sets.
      where: a control and those of its names at which there is such a line; always if empty.
      role: what it is.
    """

    value: str | float
    label: str = ""
    drag: str = ""
    where: tuple[str, Sequence[str]] | tuple[()] = ()
    role: Role = "limit"


@dataclass(frozen=True)
class History(View):
    """What a ``Run`` records, over its steps; earlier runs stay behind the present one.

    However many steps there are, a line has no more points than the picture has columns: of each
    column its lowest and highest value are drawn. Where there is room, the line of a single series
    without a label has its run's name at its end.

    Attributes:
      series: records of the run, as lines; a mark and an interval play no part.
      y: the axis of the values.
      label: what is counted across.
      levels: lines across.
      plot: pixels from the lowest value to the highest; the view's own if 0.
      fine: whether lines are thin, as for what jumps from step to step; of earlier runs, the last is drawn.
      smooth: how many steps the line is a mean of, as heights on the axis; the records themselves
        are then drawn faintly behind it.
      at: a result: a line goes down through the plot at this step of the present run.
    """

    series: Sequence[Series]
    y: Axis
    label: str = "step"
    smooth: int = 1
    levels: Sequence[Level] = ()
    plot: int = 0
    fine: bool = False
    at: str = ""
    kind: ClassVar[str] = "history"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        given = Bindings("History", outputs, controls)
        check_each("History", "series", self.series, Series, 'series=[Series("loss")]')
        check_axis("History", "y", self.y)
        check_whole("History", "smooth", self.smooth, 1)
        if "reached" not in given.results:
            raise ValueError(
                "History draws a run, and this function is none; expected a figure whose function is "
                "a Run, as explore(step, controls, run=1000, carry=...) makes it. A Profile draws "
                "series that are there at once."
            )
        for series in self.series:
            check_role("Series", series.role)
            given.need("a series", series.value, ("n",))
        given.need_each(("a step", self.at, ()))
        check_each("History", "levels", self.levels, Level, "levels=[Level(1.0)]")
        for level in self.levels:
            check_role("Level", level.role)
            given.need("a level", level.value, ())
            given.check_templates(level.label)
            given.may_drag("a level", level.drag, *NUMBERS)
            if level.where:
                given.may_drag("a level", level.where[0], "choice")
