"""Controls: what a reader sets, and what Python, the widget and the page take it for."""

from explorax.controls.control import Control
from explorax.controls.kinds import Choice, Integer, Toggle
from explorax.controls.ranges import LogRange, Point, Range, SymlogRange

__all__ = ["Choice", "Control", "Integer", "LogRange", "Point", "Range", "SymlogRange", "Toggle"]
