"""Operations on each element."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jax.lax import RoundingMethod

from explorax.compiler import ir, operations
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value

# Primitives that are written by one operation, nearly all by that of the same name.
NAMESAKES = (
    "abs", "acos", "acosh", "add", "and", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
    "ceil", "clz", "cos", "cosh", "digamma", "div", "eq", "eq_to", "erf", "erf_inv", "erfc",
    "exp", "exp2", "expm1", "floor", "ge", "gt", "is_finite", "le", "le_to", "lgamma", "log",
    "log1p", "logistic", "lt", "lt_to", "max", "min", "mul", "ne", "neg", "nextafter", "not",
    "or", "population_count", "rem", "rsqrt", "sign", "sin", "sinh", "sqrt", "sub", "tan", "tanh",
    "xor",
)  # fmt: skip
WRITTEN_BY = {name: name for name in NAMESAKES} | {"add_any": "add"}


def operands(lowering: Lowering, shape: tuple[int, ...], values: Sequence[Value]) -> list[Value]:
    """Fit the operands of an elementwise operation; scalars and axes of length 1 go with any."""
    return [value if value.shape == shape else _fit(lowering, shape, value) for value in values]


def _fit(lowering: Lowering, shape: tuple[int, ...], value: Value) -> Value:
    kept = lowering.keep(value)

    def index(indices: Indices) -> Indices:
        axes = zip(indices, kept.shape, strict=True) if kept.shape else ()
        return tuple(ir.Number(0) if length == 1 else i for i, length in axes)

    return reindexed(shape, kept, index)


def apply(
    lowering: Lowering, equation: Equation, operation: str, values: Sequence[Value], number: int = 0
) -> Value:
    """Apply one operation to each element, for an equation's result."""
    shape, dtype = result(equation, number)
    if any(value.dtype not in operations.FAMILIES for value in values) or not operations.has_form(
        operation, values[0].dtype
    ):
        raise lowering.unsupported(equation, f"of {values[0].dtype}")
    fitted = operands(lowering, shape, values)
    return Value(
        shape,
        dtype,
        lambda indices: ir.Apply(operation, tuple(v.at(indices) for v in fitted), dtype),
    )


@rule(*WRITTEN_BY)
def _elementwise(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return [apply(lowering, equation, WRITTEN_BY[equation.primitive.name], values)]


@rule("select_n")
def _select(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    which, *cases = operands(lowering, shape, values)
    if which.dtype == "bool":
        cases = cases[::-1]
        tests: list[int | None] = [None] * (len(cases) - 1)
    else:
        which = lowering.keep(which)
        tests = list(range(len(cases) - 1))

    def at(indices: Indices) -> ir.Expression:
        chosen = cases[-1].at(indices)
        for test, case in reversed(list(zip(tests, cases[:-1], strict=True))):
            condition = which.at(indices)
            if test is not None:
                condition = ir.Apply("eq", (condition, ir.Number(test, which.dtype)), "bool")
            chosen = ir.Apply("select", (condition, case.at(indices), chosen), dtype)
        return chosen

    return [Value(shape, dtype, at)]


@rule("clamp")
def _clamp(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    low, x, high = operands(lowering, shape, values)
    if not operations.has_form("max", dtype):
        raise lowering.unsupported(equation, f"of {dtype}")

    def at(indices: Indices) -> ir.Expression:
        raised = ir.Apply("max", (x.at(indices), low.at(indices)), dtype)
        return ir.Apply("min", (raised, high.at(indices)), dtype)

    return [Value(shape, dtype, at)]


@rule("integer_pow", "square")
def _integer_power(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Multiply in XLA's order: by squarings, the lowest bit of the exponent first."""
    shape, dtype = result(equation)
    if not operations.has_form("integer_pow", dtype):
        raise lowering.unsupported(equation, f"of {dtype}")
    x = lowering.keep(values[0])
    exponent = equation.params.get("y", 2)

    def power(base: ir.Expression, n: int) -> ir.Expression:
        if n == 1:
            return base
        if n > 4:
            return ir.Apply("integer_pow", (base, ir.Number(n)), dtype)
        half = power(base, n // 2)
        squared = ir.Apply("mul", (half, half), dtype)
        return ir.Apply("mul", (squared, base), dtype) if n % 2 else squared

    def at(indices: Indices) -> ir.Expression:
        if exponent == 0:
            return ir.Number(1, dtype)
        raised = power(x.at(indices), abs(exponent))
        return raised if exponent > 0 else ir.Apply("div", (ir.Number(1, dtype), raised), dtype)

    return [Value(shape, dtype, at)]


@rule("pow")
def _power(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    fitted = operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        base, exponent = (value.at(indices) for value in fitted)
        if exponent.dtype != dtype:  # an integer: it is rounded first
            exponent = ir.Apply("number", (exponent,), dtype)
        is_ordinary = (isinstance(base, ir.Number) and abs(base.value) != 1) or (
            isinstance(exponent, ir.Number) and math.isfinite(exponent.value)
        )
        return ir.Apply("pow_plain" if is_ordinary else "pow", (base, exponent), dtype)

    return [Value(shape, dtype, at)]


@rule("round")
def _round(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    even = equation.params["rounding_method"] == RoundingMethod.TO_NEAREST_EVEN
    return [apply(lowering, equation, "round_even" if even else "round_away", values)]


@rule("reduce_precision")
def _reduce_precision(
    lowering: Lowering, equation: Equation, values: Sequence[Value]
) -> list[Value]:
    (x,) = values
    exponent, mantissa = equation.params["exponent_bits"], equation.params["mantissa_bits"]
    if exponent >= 11 and mantissa >= 52:
        return [x]
    if (exponent, mantissa) != (8, 23):
        raise lowering.unsupported(equation, f"to {mantissa} bits, with {exponent} of exponent")
    return [x] if x.dtype == "float32" else [apply(lowering, equation, "fround", values)]


@rule("optimization_barrier", "random_clone")
def _same(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return list(values)
