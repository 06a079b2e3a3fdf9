"""Operations on each element, and conversions."""

from __future__ import annotations

from collections.abc import Sequence

from gradlab.program import ir
from gradlab.program.graph import Equation
from gradlab.program.lower import Indices, Lowering, Value
from gradlab.program.rules.registry import LOGIC, reindexed, result, rule

ELEMENTWISE = {
    "abs": "abs", "add": "add", "add_any": "add", "and": "and", "cos": "cos", "div": "div",
    "eq": "eq", "exp": "exp", "expm1": "expm1", "floor": "floor", "ge": "ge", "gt": "gt",
    "is_finite": "is_finite", "le": "le", "log": "log", "log1p": "log1p", "logistic": "logistic",
    "lt": "lt", "max": "max", "min": "min", "mul": "mul", "ne": "ne", "neg": "neg", "not": "not",
    "or": "or", "rsqrt": "rsqrt", "sign": "sign", "sin": "sin", "sqrt": "sqrt", "sub": "sub",
    "tan": "tan", "tanh": "tanh",
}  # fmt: skip


def _operands(lowering: Lowering, shape: tuple[int, ...], values: Sequence[Value]) -> list[Value]:
    """The operands of an elementwise operation; scalars and axes of length 1 go with any."""
    return [value if value.shape == shape else _fit(lowering, shape, value) for value in values]


def _fit(lowering: Lowering, shape: tuple[int, ...], value: Value) -> Value:
    kept = lowering.keep(value)

    def index(indices: Indices) -> Indices:
        axes = zip(indices, kept.shape, strict=True) if kept.shape else ()
        return tuple(ir.Number(0) if length == 1 else i for i, length in axes)

    return reindexed(shape, kept, index)


@rule(*ELEMENTWISE)
def _elementwise(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    operation = ELEMENTWISE[equation.primitive.name]
    if operation in LOGIC and dtype != "bool":
        raise lowering.unsupported(equation, f"bitwise, of {dtype}")
    operands = _operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        return ir.Apply(operation, tuple(v.at(indices) for v in operands), dtype)

    return [Value(shape, dtype, at)]


@rule("select_n")
def _select(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    which, *cases = _operands(lowering, shape, values)
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
    low, x, high = _operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        raised = ir.Apply("max", (x.at(indices), low.at(indices)), dtype)
        return ir.Apply("min", (raised, high.at(indices)), dtype)

    return [Value(shape, dtype, at)]


@rule("integer_pow", "square")
def _integer_power(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x = lowering.keep(values[0])
    exponent = equation.params.get("y", 2)

    def power(base: ir.Expression, n: int) -> ir.Expression:
        if n == 1:
            return base
        half = power(base, n // 2)
        squared = ir.Apply("mul", (half, half), dtype)
        return ir.Apply("mul", (squared, base), dtype) if n % 2 else squared

    def at(indices: Indices) -> ir.Expression:
        if exponent == 0:
            return ir.Number(1, dtype)
        raised = power(x.at(indices), abs(exponent))
        return raised if exponent > 0 else ir.Apply("div", (ir.Number(1, dtype), raised), dtype)

    return [Value(shape, dtype, at)]


@rule("convert_element_type")
def _convert(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    (x,) = values
    shape, dtype = result(equation)
    if x.dtype == dtype:
        return [x]
    if (x.dtype.startswith("float") and dtype.startswith("int")) or (x.dtype, dtype) == (
        "int64",
        "int32",
    ):
        raise lowering.unsupported(equation, f"{x.dtype} to {dtype}")
    operation = "truth" if dtype == "bool" else "number"

    def at(indices: Indices) -> ir.Expression:
        return ir.Apply(operation, (x.at(indices),), dtype)

    return [Value(shape, dtype, at, x.cheap)]


@rule("stop_gradient", "copy", "optimization_barrier")
def _identity(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return list(values)
