"""Format numbers by a subset of d3-format's grammar.

A specification is ``[,][.precision][~]type``:

- ``f``: that many decimals; with a comma the thousands are grouped, and ``~`` cuts closing zeros.
  ``,.2f`` prints -1234.5 as ``−1,234.50``, and ``,.2~f`` as ``−1,234.5``.
- ``g``: that many significant digits, for numbers of any size: grouped from 1e-4 to 1e6, and
  beyond that times a power of ten. ``.3~g`` prints 0.0125, 4,100 and 1.2 × 10⁻⁵, unbroken.

Without a precision it is 6, as in d3.

Ties go away from zero, on the exact value of the float: JavaScript's rounding, with which the page
prints the same numbers. ``frontend/tests/cases/number_format.json`` holds both to one table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

SPEC = r",?(?:\.\d+)?~?[fg]"
DEFAULT, GENERAL = ",.2~f", ".3~g"
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LARGE = 1e15
"""From here on no decimals are left, and as many digits say no more."""

_PARTS = re.compile(r"(?P<comma>,?)(?:\.(?P<precision>\d+))?(?P<trim>~?)(?P<kind>[fg])")


def format_number(value: float, spec: str = DEFAULT) -> str:
    """Format a number by a specification; ``f`` becomes ``.3~g`` from 1e15 on.

    Raises:
      ValueError: for a specification outside the subset.
    """
    parts = _PARTS.fullmatch(spec)
    if parts is None:
        raise ValueError(f"{spec!r} is no number format; expected one such as ',.2f' or '.3~g'.")
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    precision = int(parts["precision"] or 6)
    exact = Decimal(value)
    if parts["kind"] == "f":
        if abs(value) >= LARGE:
            return format_number(value, GENERAL)
        return _written(_round(exact, -precision), "," if parts["comma"] else "", parts["trim"])
    rounded = _round(exact, exact.adjusted() - precision + 1)
    power = rounded.adjusted()
    if value == 0:
        return "0"
    if -4 <= power < 6:
        return _written(rounded, ",", parts["trim"])
    mantissa = _written(rounded.scaleb(-power), "", parts["trim"])
    return f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(power).translate(RAISED)}"


def format_vector(values: Sequence[float], spec: str = DEFAULT) -> str:
    """Format the numbers of a vector in brackets, each with as many decimals.

    By ``g`` these are as many as its largest number has; with ``~``, no more than any of them needs.

    Raises:
      ValueError: for a specification outside the subset.
    """
    texts = [format_number(value, spec) for value in values]
    if not any("×" in text for text in texts):
        decimals = max(map(_decimals, texts))
        if spec.endswith("g"):
            largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
            most = _decimals(format_number(largest, spec.replace("~", "")))
            trim = "~" if "~" in spec else ""
            decimals = max(_decimals(format_number(value, f",.{most}{trim}f")) for value in values)
        comma = "," if spec.startswith(",") or spec.endswith("g") else ""
        texts = [format_number(value, f"{comma}.{decimals}f") for value in values]
    return f"({', '.join(texts)})"


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _round(exact: Decimal, place: int) -> Decimal:
    """Round to a power of ten, ties away from zero."""
    return exact.quantize(Decimal(1).scaleb(place), ROUND_HALF_UP)


def _written(rounded: Decimal, comma: str, trim: str) -> str:
    text = f"{abs(rounded):{comma}f}"
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if rounded < 0 else text
