"""Whether a figure has what its templates ask for, found before a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gradlab.figure.control import NUMBERS, Control
from gradlab.figure.number_format import FIELD, MOST
from gradlab.program import Leaf

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Known:
    """What a template may ask for.

    Attributes:
      results, controls: the shapes of the results, and of what the controls are set to.
      numbers: names of what else is a number there, such as ``n``.
      single: those of the controls that are one number.
    """

    results: Mapping[str, Shape]
    controls: Mapping[str, Shape]
    numbers: tuple[str, ...] = ()
    single: frozenset[str] = frozenset()

    def shape(self, what: str, name: str) -> Shape:
        """The shape of what is asked for; a ValueError where there is nothing of this name."""
        if name in self.numbers:
            return ()
        if name in self.results:
            return self.results[name]
        if name not in self.controls:
            raise ValueError(
                f"{what} asks for {name!r}. The results are {', '.join(self.results) or 'none'}; "
                f"the controls are {', '.join(self.controls) or 'none'}."
            )
        return self.controls[name]


def known(
    outputs: Sequence[Leaf], controls: Sequence[Control], numbers: tuple[str, ...] = ()
) -> Known:
    """What a figure of these results and controls knows."""
    return Known(
        {leaf.name: tuple(leaf.shape) for leaf in outputs},
        {control.name: (2,) if control.kind == "point" else () for control in controls},
        numbers,
        frozenset(control.name for control in controls if control.kind in NUMBERS),
    )


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
    _check_fields(what, template, known)


def _check_fields(what: str, text: str, known: Known) -> None:
    for name, index, _ in FIELD.findall(text):
        shape = known.shape(what, name)
        size = math.prod(shape)
        if index and (len(shape) != 1 or int(index) >= size):
            raise ValueError(f"{what} asks for {name}.{index}; {name} has the shape {list(shape)}.")
        if not index and size > MOST:
            raise ValueError(
                f"{what} asks for all of {name!r}: {size} numbers. Ask for one, as {{{name}.0}}."
            )


TOKEN = re.compile(r'<(/?)([\w-]+)((?:\s+[\w-]+="[^"]*")*)\s*(/?)>|[^<]+', re.ASCII)
PROPERTY = re.compile(r'([\w-]+)="([^"]*)"', re.ASCII)


def check_markup(what: str, line: Any, known: Known) -> None:
    """Refuses markup that the page could not read or fill; ``frontend/src/runtime/markup.js`` reads it.

    Args:
      what: what it is, for errors.
      line: HTML or MathML with fields, whose properties stand in double quotes.
      known: what may be asked for.

    Raises:
      TypeError: for what is no text.
      ValueError: it names what cannot be read, or is not there.
    """
    if not isinstance(line, str):
        raise TypeError(f"{what} is {line!r}; expected text.")
    each = replace(known, numbers=("n", "value"))
    open_tags: list[tuple[str, bool]] = []
    end = 0
    for token in TOKEN.finditer(line):
        if token.start() != end:
            break
        end = token.end()
        closes, tag, properties, empty = token.groups()
        inside = bool(open_tags) and open_tags[-1][1]
        if not tag:
            _check_fields(what, token[0], each if inside else known)
        elif closes:
            if not open_tags or open_tags[-1][0] != tag:
                last = f"<{open_tags[-1][0]}>" if open_tags else "nothing"
                raise ValueError(f"{what} has </{tag}> where {last} is open: {line}")
            open_tags.pop()
        else:
            given = dict(PROPERTY.findall(properties))
            _check_properties(what, given, known)
            if not empty:
                open_tags.append((tag, inside or "data-each" in given))
    if end != len(line):
        raise ValueError(
            f"{what} cannot be read from {line[end : end + 20]!r} on: {line}. Expected tags whose "
            'properties stand in double quotes, as <mi class="x">, and &lt; for a sign.'
        )
    if open_tags:
        raise ValueError(f"{what} leaves <{open_tags[-1][0]}> open: {line}")


def _check_properties(what: str, given: Mapping[str, str], known: Known) -> None:
    each, count = given.get("data-each"), given.get("data-count")
    if each is not None:
        shape = known.shape(what, each)
        if len(shape) != 1:
            raise ValueError(
                f"{what} repeats an element for each of {each!r}, which has the shape {list(shape)}; "
                "expected several numbers, [n]."
            )
        if count is not None and count.isdecimal() and int(count) > shape[0]:
            raise ValueError(f"{what} asks for {count} of {each!r}, which has {shape[0]}.")
    if count is not None and not count.isdecimal() and known.shape(what, count):
        raise ValueError(f"{what} counts with {count!r}, which is no single number.")
    for condition in given.get("data-when", "").split():
        known.shape(what, condition.removeprefix("!").partition("=")[0])
