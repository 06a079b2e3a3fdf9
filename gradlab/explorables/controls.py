"""The controls of a figure: what a reader may set, and within what."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

NO_NUMBERS = (str, bytes, bool, np.bool_)  # though float() and int() take them


@dataclass(frozen=True)
class Control:
    """What all controls share.

    Attributes:
      name: the function's parameter, and the keyword in Python.
      label: in words.
      symbol: as in the chapter's equations; may be empty.
    """

    name: str
    label: str
    symbol: str = ""
    kind: ClassVar[str] = ""

    @property
    def initial(self) -> Any:
        """The value that a figure starts with."""
        raise NotImplementedError(type(self).__name__)

    def check(self, value: Any) -> Any:
        """Returns the value as this control keeps it; a ValueError says what is allowed."""
        raise NotImplementedError(type(self).__name__)

    def traced(self, value: Any) -> Any:
        """The value as the traced function takes it."""
        return value

    def describe(self) -> dict[str, Any]:
        """The control as plain data, for the page."""
        return {"kind": self.kind, **asdict(self), "initial": self.initial}

    def refuse(self, value: Any, allowed: str) -> ValueError:
        """The error for a value that is not allowed."""
        return ValueError(f"{self.name} = {value!r} is not allowed: {self.label} takes {allowed}.")


@dataclass(frozen=True)
class Range(Control):
    """A real number on a slider.

    Attributes:
      minimum, maximum: the slider's ends.
      default: the initial value.
      step: of the slider; a value between two steps may be set from Python.
      allowed: how far a preset or Python may go beyond the slider; the slider's ends by
        default. The slider then reaches that far while the value is beyond it.
    """

    minimum: float = 0.0
    maximum: float = 1.0
    default: float = 0.5
    step: float = 0.01
    allowed: tuple[float, float] | None = None
    kind: ClassVar[str] = "range"

    @property
    def initial(self) -> float:
        return self.default

    def check(self, value: Any) -> float:
        low, high = self.allowed or (self.minimum, self.maximum)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if isinstance(value, NO_NUMBERS) or not low <= number <= high:
            raise self.refuse(value, f"a number from {low:g} to {high:g}")
        return number

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"allowed": list(self.allowed or (self.minimum, self.maximum))}


@dataclass(frozen=True)
class Integer(Control):
    """An integer on a slider, ``minimum`` to ``maximum``, both included."""

    minimum: int = 0
    maximum: int = 10
    default: int = 1
    step: ClassVar[int] = 1
    kind: ClassVar[str] = "integer"

    @property
    def initial(self) -> int:
        return self.default

    def check(self, value: Any) -> int:
        allowed = f"an integer from {self.minimum} to {self.maximum}"
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise self.refuse(value, allowed) from None
        if (
            isinstance(value, NO_NUMBERS)
            or number != value
            or not self.minimum <= number <= self.maximum
        ):
            raise self.refuse(value, allowed)
        return number

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"step": 1, "allowed": [self.minimum, self.maximum]}


@dataclass(frozen=True)
class Choice(Control):
    """One of several names; the traced function takes its place in the list.

    Attributes:
      options: pairs of a name, as Python has it, and its words.
    """

    options: tuple[tuple[str, str], ...] = ()
    kind: ClassVar[str] = "choice"

    @property
    def initial(self) -> str:
        return self.options[0][0]

    def check(self, value: Any) -> str:
        names = [name for name, _ in self.options]
        if not isinstance(value, str) or value not in names:
            raise self.refuse(value, "one of " + ", ".join(map(repr, names)))
        return str(value)

    def traced(self, value: Any) -> int:
        return [name for name, _ in self.options].index(value)


@dataclass(frozen=True)
class Toggle(Control):
    """On or off."""

    default: bool = False
    kind: ClassVar[str] = "toggle"

    @property
    def initial(self) -> bool:
        return self.default

    def check(self, value: Any) -> bool:
        if not isinstance(value, int | np.bool_) or value not in (True, False):
            raise self.refuse(value, "True or False")
        return bool(value)
