"""Conversions between dtypes, as XLA makes them; shifts, and the bits of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorax.compiler import ir, operations
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.elementwise import apply, operands
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Indices, Value

WIDTHS = {"int32": 32, "uint32": 32, "uint64": 64, "int16": 16, "uint16": 16, "int8": 8, "uint8": 8}
SAME_WIDTH = ({"int64", "uint64"}, {"int32", "uint32"}, {"int16", "uint16"}, {"int8", "uint8"})


@dataclass(frozen=True)
class Bits(Value):
    """The bits of float64 numbers as int64, which JavaScript's numbers cannot hold.

    Attributes:
      numbers: what they are the bits of.
    """

    numbers: Value | None = None


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


@rule("shift_left", "shift_right_arithmetic", "shift_right_logical")
def _shift(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    name = equation.primitive.name
    if isinstance(values[0], Bits):
        return [_sign_bit(lowering, equation, values[0], values[1])]
    if not operations.has_form(name, dtype):
        raise lowering.unsupported(equation, f"of {dtype}")
    fitted = operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        x, by = (value.at(indices) for value in fitted)
        known = isinstance(by, ir.Number) and 0 <= by.value < WIDTHS.get(dtype, 0)
        return ir.Apply(f"{name}_known" if known else name, (x, by), dtype)

    return [Value(shape, dtype, at)]


def _sign_bit(lowering: Lowering, equation: Equation, bits: Bits, by: Value) -> Value:
    """Return what is left when all other bits have been shifted out."""
    shape, dtype = result(equation)
    x = bits.numbers
    amount = by.at((ir.Number(0),) * len(by.shape))
    name = equation.primitive.name
    if (
        x is None
        or name == "shift_left"
        or not (isinstance(amount, ir.Number) and amount.value == 63)
    ):
        raise lowering.unsupported(equation, "of the bits of float64, but for the sign bit alone")
    set_bit = -1 if name == "shift_right_arithmetic" else 1

    def at(indices: Indices) -> ir.Expression:
        negative = ir.Apply("is_negative", (x.at(indices),), "bool")
        return ir.Apply("select", (negative, ir.Number(set_bit), ir.Number(0)), dtype)

    return Value(shape, dtype, at)


@rule("bitcast_convert_type")
def _bitcast(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    (x,) = values
    _, dtype = result(equation)
    pair = (x.dtype, dtype)
    if x.dtype == dtype:
        return [x]
    if pair == ("float64", "int64"):

        def refuse(_: Indices) -> ir.Expression:
            raise lowering.unsupported(equation, "float64 to int64, but for the sign bit alone")

        return [Bits(x.shape, dtype, refuse, cheap=False, numbers=x)]
    if pair in (("float64", "uint64"), ("float32", "uint32"), ("float32", "int32")):
        return [apply(lowering, equation, "bits", values)]
    if pair in (("uint64", "float64"), ("uint32", "float32"), ("int32", "float32")):
        return [apply(lowering, equation, "float_of_bits", values)]
    if pair == ("uint64", "int64"):
        return [apply(lowering, equation, "signed", values)]
    if {*pair} in SAME_WIDTH:
        return [apply(lowering, equation, "wide" if dtype == "uint64" else "number", values)]
    raise lowering.unsupported(equation, f"{x.dtype} to {dtype}")
