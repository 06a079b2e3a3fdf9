"""What all controls of a figure share."""

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


def real(value: Any) -> float:
    """A number as a float; NaN for what is none."""
    if isinstance(value, NO_NUMBERS):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
