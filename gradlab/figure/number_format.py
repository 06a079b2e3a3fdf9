"""Templates of words with numbers in them, filled in the same way here and in the page.

``{name:2}`` is a number to two decimals, ``{name}`` to at most two with closing zeros cut,
``{name:c}`` with two decimals where there is room, ``{name:g}`` of any size with three
significant digits, ``{name.0}`` the first of several; a few numbers stand in brackets. A half
is rounded away from zero, as in JavaScript. ``frontend/src/words.js`` is the other half; a test
holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

FIELD = re.compile(r"\{([\w\u0300-\u036f]+)(?:\.(\d+))?(?::(\d|c|g))?\}")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MOST = 4
"""Numbers in brackets."""
LARGE = 1e15
"""From here on no decimals are left, and as many digits say no more."""


def number(value: float, digits: int | None = None) -> str:
    """A number as the book prints it: ``-1234.5`` with 2 digits is ``−1,234.50``.

    From 1e15 on it is as ``general`` has it.
    """
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "∞" if value > 0 else "−∞"
    if abs(value) >= LARGE:
        return general(value)
    places = 2 if digits is None else digits
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(rounded):,f}"
    if digits is None and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if rounded < 0 else text


def compact(value: float) -> str:
    """A number with two decimals where there is room for them: 1.97, 31.5, 4,095."""
    size = abs(value)
    return number(value, 2 if size < 9.995 else 1 if size < 99.95 else 0)


def general(value: float) -> str:
    """A number of any size with three significant digits: 0.0125, 31.5, 4,100, 1.2 × 10⁻⁵."""
    if not np.isfinite(value) or value == 0:
        return number(value)
    exact = Decimal(value)
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 2), ROUND_HALF_UP)
    power = rounded.adjusted()
    sign = "−" if value < 0 else ""
    if -4 <= power < 6:
        text = f"{abs(rounded):,f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    mantissa = f"{abs(rounded).scaleb(-power):f}".rstrip("0").rstrip(".")
    return f"{sign}{mantissa} × 10{str(power).translate(RAISED)}"


def _written(value: float, how: str | None) -> str:
    if how == "c":
        return compact(value)
    if how == "g":
        return general(value)
    return number(value, None if how is None else int(how))


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Fills a template; a value that is text stays as it is.

    Raises:
      KeyError: for what is not there.
      ValueError: for an array of more numbers than can stand in a sentence.
    """

    def replace(field: re.Match[str]) -> str:
        name, index, how = field.groups()
        value = values[name]
        if isinstance(value, str):
            return value
        if index is not None:
            return _written(float(value[int(index)]), how)
        if np.size(value) == 1:
            return _written(float(np.ravel(value)[0]), how)
        if np.size(value) > MOST:
            raise ValueError(
                f"The template {template!r} asks for all of {name!r}: {np.size(value)} numbers."
            )
        return f"({', '.join(_written(float(x), how) for x in np.ravel(value))})"

    return FIELD.sub(replace, template)


def asked(template: str) -> list[str]:
    """What a template asks for, by name."""
    return [name for name, _, _ in FIELD.findall(template)]
