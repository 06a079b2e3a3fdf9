"""Sums, products and extremes, whole and running, over axes; and products of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.operations import has_form
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value, scalar, stored

REDUCTIONS = {
    "reduce_sum": "add",
    "reduce_prod": "mul",
    "reduce_max": "max",
    "reduce_min": "min",
    "reduce_and": "and",
    "reduce_or": "or",
    "reduce_xor": "xor",
}
CUMULATIVE = {
    "cumsum": "add",
    "cumprod": "mul",
    "cummax": "max",
    "cummin": "min",
    "cumlogsumexp": "logaddexp",
}
OF_BOOLEANS = {"add": "or", "mul": "and", "max": "or", "min": "and", "xor": "ne"}


def neutral(operation: str, dtype: str) -> ir.Number:
    """Return what an operation leaves unchanged; for max and min, the least and the greatest."""
    if operation in ("max", "min", "logaddexp"):
        sign = 1 if operation == "min" else -1
        if dtype.startswith("float"):
            return ir.Number(sign * np.inf, dtype)
        if dtype == "bool":
            return ir.Number(sign > 0, dtype)
        limits = np.iinfo(dtype)
        return ir.Number(int(limits.min if sign < 0 else limits.max), dtype)
    if operation == "and" and dtype != "bool":
        return ir.Number(-1 if dtype.startswith("int") else int(np.iinfo(dtype).max), dtype)
    is_one = operation in ("mul", "and")
    return ir.Number(is_one if dtype == "bool" else int(is_one), dtype)


def combine(operation: str, a: ir.Expression, b: ir.Expression, dtype: str) -> ir.Expression:
    """Combine two numbers by an operation; on booleans, by the logic that it is."""
    if dtype == "bool":
        operation = OF_BOOLEANS.get(operation, operation)
    return ir.Apply(operation, (a, b), dtype)


def fold(
    lowering: Lowering,
    extent: tuple[int, ...],
    start: ir.Number,
    step: Callable[[ir.Expression, Indices], ir.Expression],
) -> ir.Local:
    """Go through all indices into ``extent``; ``step`` makes the next total of the last."""
    total = lowering.let("sum", start, mutable=True)
    with lowering.loops(extent) as indices:
        lowering.emit(ir.Assign(total.name, step(total, indices)))
    return total


def for_each(
    lowering: Lowering,
    shape: tuple[int, ...],
    dtype: str,
    make: Callable[[Indices], ir.Expression],
) -> Value:
    """Make an array whose elements are each made by statements of their own."""
    if int(np.prod(shape, dtype=int)) == 1:
        return scalar(make((ir.Number(0),) * len(shape)), shape)
    target = lowering.buffer(shape, dtype)
    with lowering.loops(shape) as indices:
        lowering.emit(ir.Store(target, ir.flat(indices, shape), make(indices)))
    return stored(target, shape)


@rule(*REDUCTIONS)
def _reduce(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    (x,) = values
    operation = REDUCTIONS[equation.primitive.name]
    axes = equation.params["axes"]
    if not has_form(operation, dtype):
        raise lowering.unsupported(equation, f"of {dtype}")
    extent = tuple(x.shape[axis] for axis in sorted(axes))
    if _single(extent):  # nothing is added, so that -0 stays -0

        def alone(outer: Indices) -> Indices:
            kept = iter(outer)
            return tuple(
                ir.Number(0) if axis in axes else next(kept) for axis in range(len(x.shape))
            )

        return [reindexed(shape, x, alone)]

    def reduced(outer: Indices) -> ir.Expression:
        def step(total: ir.Expression, inner: Indices) -> ir.Expression:
            kept, within = iter(outer), iter(inner)
            at = tuple(next(within if axis in axes else kept) for axis in range(len(x.shape)))
            return combine(operation, total, x.at(at), dtype)

        return fold(lowering, extent, neutral(operation, dtype), step)

    return [for_each(lowering, shape, dtype, reduced)]


@rule(*CUMULATIVE)
def _cumulative(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    operation = CUMULATIVE[equation.primitive.name]
    axis = equation.params["axis"]
    target = lowering.buffer(shape, dtype)
    others = (*shape[:axis], *shape[axis + 1 :])
    with lowering.loops(others) as outer:
        total = lowering.let("sum", neutral(operation, dtype), mutable=True)
        with lowering.loop(shape[axis], reverse=equation.params["reverse"]) as i:
            at = (*outer[:axis], i, *outer[axis:])
            following = ir.Apply(operation, (total, values[0].at(at)), dtype)
            lowering.emit(ir.Assign(total.name, following))
            lowering.emit(ir.Store(target, ir.flat(at, shape), total))
    return [stored(target, shape)]


@rule("dot_general")
def _dot(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    a, b = (lowering.keep(value) for value in values)
    within = precision(a.dtype, b.dtype, dtype)
    (a_sum, b_sum), (a_batch, b_batch) = equation.params["dimension_numbers"]
    a_free = [i for i in range(len(a.shape)) if i not in (*a_sum, *a_batch)]
    b_free = [i for i in range(len(b.shape)) if i not in (*b_sum, *b_batch)]
    extent = tuple(a.shape[axis] for axis in a_sum)

    def operand(value: Value, axes: Sequence[int], indices: Indices) -> ir.Expression:
        return converted(value.at(ordered(indices, axes)), within)

    def product(outer: Indices) -> ir.Expression:
        batch, rest = outer[: len(a_batch)], outer[len(a_batch) :]

        def term(inner: Indices) -> ir.Expression:
            left = operand(a, (*a_batch, *a_free, *a_sum), (*batch, *rest[: len(a_free)], *inner))
            right = operand(b, (*b_batch, *b_free, *b_sum), (*batch, *rest[len(a_free) :], *inner))
            return combine("mul", left, right, within)

        if _single(extent):
            return converted(term((ir.Number(0),) * len(extent)), dtype)

        def step(total: ir.Expression, inner: Indices) -> ir.Expression:
            return combine("add", total, term(inner), within)

        return converted(fold(lowering, extent, neutral("add", within), step), dtype)

    if _single(extent):
        return [Value(shape, dtype, product)]
    return [for_each(lowering, shape, dtype, product)]


def ordered(indices: Indices, axes: Sequence[int]) -> Indices:
    """Put indices in the order of an array's axes, from that of a list of them."""
    return tuple(indices[list(axes).index(axis)] for axis in range(len(axes)))


def _single(extent: tuple[int, ...]) -> bool:
    """Tell whether there is one element alone to go through."""
    return all(length == 1 for length in extent)


def precision(*dtypes: str) -> str:
    """Return the dtype of a sum of products: the widest of operands and result."""
    return np.result_type(*dtypes).name


def converted(value: ir.Expression, dtype: str) -> ir.Expression:
    """Convert a number to another dtype."""
    return value if value.dtype == dtype else ir.Apply("number", (value,), dtype)
