"""The base of all controls of a figure."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np

NO_NUMBERS = (str, bytes, bool, np.bool_)  # though float() and int() take them
NUMBERS = ("range", "log", "symlog", "integer")
"""The kinds of controls that are one number."""
LOW_FIRST = "the lower end first, as in (0.0, 1.0)"
TWO_ENDS = "two different ends; what never changes needs no control, but a default in the function"


@dataclass(frozen=True)
class Control:
    """Something that a reader can set; the base of all controls.

    Attributes:
      name: the function's parameter, and the keyword in Python.
      label: in words.
      symbol: as in the chapter's equations; may be empty.
    """

    name: str
    label: str
    symbol: str = ""
    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in fields(self):  # so that it can be hashed, and written as JSON
            object.__setattr__(self, each.name, to_builtin(getattr(self, each.name)))
        object.__setattr__(self, "name", identifier(self.name))
        for text in (self.label, self.symbol):
            if not isinstance(text, str):
                raise TypeError(
                    f"The control {self.name!r} has {text!r} where its label or symbol belongs; "
                    f"expected text: {type(self).__name__}(name, label, symbol, ...)."
                )

    def require(self, *rules: tuple[bool, str, str]) -> None:
        """Raise a ValueError for the first rule that doesn't hold.

        Args:
          *rules: each whether it holds, what the control was given, and what was expected.
        """
        for holds, given, expected in rules:
            if not holds:
                raise ValueError(f"The control {self.name!r} {given}; expected {expected}.")

    @property
    def initial(self) -> Any:
        """The value that a figure starts with."""
        return self.check(self.default)  # type: ignore[attr-defined]  # of all but a choice

    def check(self, value: Any) -> Any:
        """Return the value as this control keeps it, or raise a ValueError that says what is allowed."""
        raise NotImplementedError(type(self).__name__)

    def traced(self, value: Any) -> Any:
        """Return the value as the traced function takes it."""
        return value

    def describe(self) -> dict[str, Any]:
        """Describe the control as plain data, for the page."""
        return {"kind": self.kind, **asdict(self), "initial": self.initial}

    def refuse(self, value: Any, allowed: str) -> ValueError:
        """Return the error for a value that isn't allowed."""
        return ValueError(f"{self.name} = {value!r} is not allowed: {self.label} takes {allowed}.")


def identifier(name: Any) -> Any:
    """Normalise an identifier as Python does (NFKC): the micro sign becomes the letter mu."""
    return unicodedata.normalize("NFKC", name) if isinstance(name, str) else name


def real(value: Any) -> float:
    """Convert a number to a float; anything else to NaN."""
    if isinstance(value, NO_NUMBERS):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def to_builtin(value: Any) -> Any:
    """Convert arrays to Python's own numbers and tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(to_builtin, value)) if isinstance(value, list | tuple) else value


def checked(controls: Sequence[Control], settings: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Check settings against the controls, and return them as the controls keep them.

    Raises:
      TypeError: for settings that are no mapping.
      ValueError: for a control that is not there, and for a value that is not allowed.
    """
    if not isinstance(settings, Mapping):
        raise TypeError(f"{what} has the settings {settings!r}; expected a dict by control.")
    by = {control.name: control for control in controls}
    for name in settings:
        if identifier(name) not in by:
            raise ValueError(
                f"{what} sets {name!r}, which is no control: there are {', '.join(by)}."
            )
    try:
        return {identifier(name): by[identifier(name)].check(v) for name, v in settings.items()}
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from error
