"""Whether a figure has what its templates ask for, found before a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gradlab.explorables.words import FIELD, MOST

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Known:
    """What a template may ask for.

    Attributes:
      results, controls: the shapes of the results, and of what the controls are set to.
      numbers: names of what else is a number there, such as ``n``.
    """

    results: Mapping[str, Shape]
    controls: Mapping[str, Shape]
    numbers: tuple[str, ...] = ()

    def shape(self, what: str, name: str) -> Shape:
        """The shape of what is asked for; a ValueError where there is nothing of this name."""
        if name in self.numbers:
            return ()
        if name in self.results:
            return self.results[name]
        if name not in self.controls:
            raise ValueError(
                f"{what} asks for {name!r}. The results are {', '.join(self.results)}; the controls "
                f"are {', '.join(self.controls)}."
            )
        return self.controls[name]


def check(what: str, template: Any, known: Known) -> None:
    """Refuses a template that could not be filled.

    Args:
      what: what the template is, for errors.
      template: with fields, as ``words`` describes them.
      known: what may be asked for.

    Raises:
      TypeError: for what is no text.
      ValueError: it names the field, and what there is.
    """
    if not isinstance(template, str):
        raise TypeError(f"{what} is {template!r}; expected text.")
    if "{" in (left := FIELD.sub("", template)):
        wrong = left[left.index("{") :].split()[0]
        raise ValueError(
            f"{what} has {wrong!r}, which is no field; expected {{name}}, with a number of decimals "
            "{name:2}, of any size {name:g}, or one of several {name.0}."
        )
    for name, index, _ in FIELD.findall(template):
        shape = known.shape(what, name)
        size = math.prod(shape)
        if index and (len(shape) != 1 or int(index) >= size):
            raise ValueError(f"{what} asks for {name}.{index}; {name} has the shape {list(shape)}.")
        if not index and size > MOST:
            raise ValueError(
                f"{what} asks for all of {name!r}: {size} numbers. Ask for one, as {{{name}.0}}."
            )


def in_markup(line: str) -> list[str]:
    """What a line of an equation asks for, by name."""
    names = [name for name, _, _ in FIELD.findall(line)]
    names += re.findall(r'data-each="(\w+)"', line)
    names += [name for name in re.findall(r'data-count="(\w+)"', line) if not name.isdecimal()]
    for conditions in re.findall(r'data-when="([^"]*)"', line):
        names += [c.removeprefix("!").partition("=")[0] for c in conditions.split()]
    return names
