"""Templates of words with numbers in them, filled in the same way here and in the page.

``{name:2}`` is a number to two decimals, ``{name}`` to at most two with closing zeros cut; a
half is rounded away from zero, as in JavaScript. ``frontend/src/words.js`` is the other half;
a test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

FIELD = re.compile(r"\{(\w+)(?::(\d))?\}")


def number(value: float, digits: int | None = None) -> str:
    """A number as the book prints it: ``-1234.5`` with 2 digits is ``−1,234.50``."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "∞" if value > 0 else "−∞"
    places = 2 if digits is None else digits
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(rounded):,f}"
    if digits is None and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if rounded < 0 else text


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Fills a template; a value that is text stays as it is."""

    def replace(field: re.Match[str]) -> str:
        value = values[field[1]]
        if isinstance(value, str):
            return value
        return number(float(value), None if field[2] is None else int(field[2]))

    return FIELD.sub(replace, template)
