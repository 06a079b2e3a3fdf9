"""Group results that can be read on one axis, and draw the groups beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from explorax.figure import domains
from explorax.figure.shorthand import words
from explorax.views import Axis, History, Panels, Profile, View

PANELS = 4
"""Pictures of a figure, at most."""
ROLES = ("cotangent", "state", "parameter", "loss", "own", "muted")

Function = Callable[..., dict[str, Any]]


class Default(NamedTuple):
    """A view, the function with what it draws besides, its program, and the results that are drawn."""

    function: Any
    program: Any
    view: View
    drawn: Sequence[str]


class Picture(NamedTuple):
    """One of the views of a figure, the results that it draws, and a name if it has none."""

    view: View
    drawn: Sequence[str]
    title: str = ""


class Group(NamedTuple):
    """Results that share an axis: their names, what their lines are called, and the axis."""

    names: list[str]
    labels: list[str]
    y: Axis


def groups(found: Mapping[str, np.ndarray], floor: float) -> list[Group]:
    """Group results that can be read on one axis; a single one names its axis.

    Args:
      found: samples of each, the first setting's first.
      floor: as of ``domains.axis``.
    """
    grouped: list[list[str]] = []
    for name, values in found.items():
        for group in grouped:
            some = [found[other] for other in group]
            same = values.shape == some[0].shape and len(group) < len(ROLES)
            if same and domains.alike([*some, values], floor):
                group.append(name)
                break
        else:
            grouped.append([name])

    def together(group: list[str]) -> Group:
        name, *others = map(words, group)
        values = np.stack([found[each] for each in group], axis=-1)
        y = domains.axis(values, "" if others else name, floor)
        return Group(group, [name, *others] if others else [""], y)

    return [together(group) for group in grouped]


def beside(function: Any, program: Any, pictures: Sequence[Picture]) -> Default:
    """Return one picture, or the first few beside each other with their names above."""
    shown = pictures[:PANELS]
    drawn = [name for picture in shown for name in picture.drawn]
    if len(shown) == 1:
        return Default(function, program, shown[0].view, drawn)
    several = Panels([_titled(picture) for picture in shown], wide="beside")
    return Default(function, program, several, drawn)


def _titled(picture: Picture) -> tuple[str, View]:
    view = picture.view
    if isinstance(view, Profile | History):
        return view.y.label, replace(view, y=replace(view.y, label=""))
    return picture.title, view


def free(name: str, taken: Sequence[str]) -> str:
    """Return the name, or the next that isn't taken."""
    return free(f"{name}_", taken) if name in taken else name
