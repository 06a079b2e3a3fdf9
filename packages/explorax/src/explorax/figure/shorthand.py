"""Short forms of controls, much like those of ``ipywidgets.interact``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorax.controls import Choice, Integer, Range, Toggle
from explorax.controls.control import TWO_ENDS, Control, identifier, real, to_builtin
from explorax.figure import domains

CONTROL = (
    "a Control; (low, high) or (low, high, initial), with a float among them for real numbers, as "
    "(0.0, 1.0), and without one for integers, as (0, 9); True or False; or a list of names, as "
    "['a', 'b']"
)


def words(name: str) -> str:
    """Write a name with spaces."""
    return name.replace("_", " ").strip() or name


def controls_of(controls: Mapping[str, Any] | Sequence[Control]) -> list[Control]:
    """Make controls of Controls or of short forms by name.

    Raises:
      TypeError: for what stands for no control.
      ValueError: for a control under another name than its own, or one without a slider.
    """
    if isinstance(controls, Mapping):
        return [_control(name, what) for name, what in controls.items()]
    if not isinstance(controls, Sequence):
        raise TypeError(
            f"controls is {controls!r}; expected a list of Controls, or a dict by name."
        )
    for control in controls:
        if not isinstance(control, Control):
            raise TypeError(f"{control!r} is no control; expected {CONTROL}, by name in a dict.")
    return list(controls)


def _control(name: str, what: Any) -> Control:
    """Make the control that a short form stands for."""
    label = words(str(name))
    if isinstance(what, tuple | list | np.ndarray):
        what = to_builtin(what)
    match what:
        case Control():
            if what.name != identifier(name):
                raise ValueError(f"The control for {name!r} is named {what.name!r}.")
            return what
        case bool():
            return Toggle(name, label, default=what)
        case []:
            raise TypeError(f"{name!r} is given an empty list; expected {CONTROL}.")
        case [str(), *_] if all(isinstance(option, str) for option in what):
            return Choice(name, label, options=tuple((option, option) for option in what))
        case [low, high, *rest] if len(rest) < 2 and all(map(_is_number, what)):
            if any(isinstance(number, float) for number in what):
                low, high = real(low), real(high)
                initial = rest[0] if rest else low + (high - low) / 2
                return Range(name, label, "", low, high, initial, domains.step(low, high))
            whole = Integer(name, label, "", low, high, rest[0] if rest else low)
            whole.require((low != high, f"runs from {low} to {high}", TWO_ENDS))
            return whole
        case _:
            raise TypeError(f"{name!r} is given {what!r}; expected {CONTROL}.")


def _is_number(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool)
