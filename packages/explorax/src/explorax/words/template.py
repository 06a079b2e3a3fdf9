"""Text templates with numeric fields, filled as in the page and checked beforehand.

A field is ``{name}``, with a number format ``{name:,.2f}``, or one of several ``{name.0}``; a few
numbers stand in brackets, and ``h_{name}`` has it as an index, h₁₂. ``frontend/src/common/template.js`` is the other half.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from xml.etree import ElementTree

import numpy as np

from explorax.compiler import Leaf
from explorax.controls.control import NUMBERS, Control
from explorax.words.number_format import DEFAULT, SPEC, format_number, format_vector

FIELD = re.compile(rf"\{{([\w\u0300-\u036f]+)(?:\.(\d+))?(?::({SPEC}))?\}}")
INDEX = re.compile(f"_{FIELD.pattern}")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MOST = 4
"""Numbers in brackets."""

Shape = tuple[int, ...]


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Fill a template; a value that is text stays as it is.

    Raises:
      KeyError: for what is not there.
      ValueError: for an array of more numbers than can stand in a sentence.
    """

    def replace(field: re.Match[str]) -> str:
        name, index, spec = field[1], field[2], field[3] or DEFAULT
        value = values[name]
        if isinstance(value, str):
            return value
        numbers = np.ravel(value)
        if index is not None:
            numbers = numbers[[int(index)]]
        if numbers.size > MOST:
            raise ValueError(
                f"The template {template!r} asks for all of {name!r}: {numbers.size} numbers."
            )
        if numbers.size == 1:
            return format_number(float(numbers[0]), spec)
        return format_vector([float(number) for number in numbers], spec)

    def lower(index: re.Match[str]) -> str:
        return replace(index).translate(LOWERED)

    return FIELD.sub(replace, INDEX.sub(lower, template))


@dataclass(frozen=True)
class Schema:
    """Names and shapes of all that a template may ask for.

    Attributes:
      results, controls: the shapes of the results, and of what the controls are set to.
      numbers: names of what else is a number there, such as ``n``.
      single: those of the controls that are one number.
    """

    results: Mapping[str, Shape]
    controls: Mapping[str, Shape]
    numbers: tuple[str, ...] = ()
    single: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, outputs: Sequence[Leaf], controls: Sequence[Control], numbers: tuple[str, ...] = ()
    ) -> Self:
        """Collect the names and shapes of a figure's results and controls."""
        return cls(
            {leaf.name: tuple(leaf.shape) for leaf in outputs},
            {control.name: (2,) if control.kind == "point" else () for control in controls},
            numbers,
            frozenset(control.name for control in controls if control.kind in NUMBERS),
        )

    def shape(self, what: str, name: str) -> Shape:
        """Return the shape of what is asked for; a ValueError if nothing has this name."""
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


def check(what: str, template: Any, schema: Schema) -> None:
    """Refuse a template that couldn't be filled.

    Args:
      what: what the template is, for errors.
      template: with fields, as ``words`` describes them.
      schema: what may be asked for.

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
            "{name:,.2f}, of any size {name:.3~g}, or one of several {name.0}."
        )
    _check_fields(what, template, schema)


def _check_fields(what: str, text: str, schema: Schema) -> None:
    for name, index, _ in FIELD.findall(text):
        shape = schema.shape(what, name)
        size = math.prod(shape)
        if index and (len(shape) != 1 or int(index) >= size):
            raise ValueError(f"{what} asks for {name}.{index}; {name} has the shape {list(shape)}.")
        if not index and size > MOST:
            raise ValueError(
                f"{what} asks for all of {name!r}: {size} numbers. Ask for one, as {{{name}.0}}."
            )


def check_markup(what: str, line: str, schema: Schema) -> None:
    """Refuse markup that the page couldn't read or fill; ``frontend/src/runtime/markup.js`` reads it.

    Args:
      what: what it is, for errors.
      line: HTML or MathML with fields, whose properties stand in double quotes.
      schema: what may be asked for.

    Raises:
      ValueError: it names what cannot be read, or is not there.
    """
    try:
        if re.search(r"<[^>]*='", line):
            raise ElementTree.ParseError("a property in single quotes")
        root = ElementTree.fromstring(f"<p>{line}</p>")
    except ElementTree.ParseError as error:
        raise ValueError(
            f"{what} cannot be read, {str(error).partition(':')[0]}: {line}. Expected tags that are "
            'closed, whose properties stand in double quotes, as <mi class="x">x</mi>, and &lt; for '
            "a sign."
        ) from error
    _check_element(what, root, schema, replace(schema, numbers=("n", "value")))


def _check_element(what: str, element: ElementTree.Element, schema: Schema, each: Schema) -> None:
    """Check an element and all in it; in one that is repeated, ``each`` says what may be asked for."""
    _check_properties(what, element.attrib, schema)
    inside = each if "data-each" in element.attrib else schema
    _check_fields(what, element.text or "", inside)
    for child in element:
        _check_element(what, child, inside, each)
        _check_fields(what, child.tail or "", inside)


def _check_properties(what: str, given: Mapping[str, str], schema: Schema) -> None:
    each, count = given.get("data-each"), given.get("data-count")
    if each is not None:
        shape = schema.shape(what, each)
        if len(shape) != 1:
            raise ValueError(
                f"{what} repeats an element for each of {each!r}, which has the shape {list(shape)}; "
                "expected several numbers, [n]."
            )
        if count is not None and count.isdecimal() and int(count) > shape[0]:
            raise ValueError(f"{what} asks for {count} of {each!r}, which has {shape[0]}.")
    if count is not None and not count.isdecimal() and schema.shape(what, count):
        raise ValueError(f"{what} counts with {count!r}, which is no single number.")
    for condition in given.get("data-when", "").split():
        schema.shape(what, condition.removeprefix("!").partition("=")[0])
