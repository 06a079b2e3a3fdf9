"""Conversions between dtypes, as XLA makes them."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.elementwise import apply
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Value


def conversion(given: str, wanted: str) -> str | None:
    """Return the operation that makes one dtype of another, None where there is none.

    Floats are cut towards zero and to the range of the integer, NaN becomes 0; integers wrap.
    """
    if wanted == "bool":
        return "truth"
    if wanted.startswith("float"):
        return "number"
    if given.startswith("float"):
        return f"whole_{wanted}" if wanted != "uint64" else None
    if given == "uint64":
        return "signed" if wanted == "int64" else "low_word"
    return "wide" if wanted == "uint64" else "number"


@rule("convert_element_type")
def _convert(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    (x,) = values
    _, dtype = result(equation)
    if x.dtype == dtype:
        return [x]
    operation = conversion(x.dtype, dtype)
    if operation is None:
        raise lowering.unsupported(equation, f"{x.dtype} to {dtype}")
    converted = apply(lowering, equation, operation, values)
    costs_nothing = operation in ("number", "truth") and "uint64" not in (x.dtype, dtype)
    return [Value(converted.shape, dtype, converted.at, x.cheap and costs_nothing)]
