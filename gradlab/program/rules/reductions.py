"""Sums, products and extremes over axes, and products of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gradlab.program import ir
from gradlab.program.graph import Equation
from gradlab.program.lower import Indices, Lowering, Value, scalar, stored
from gradlab.program.rules.registry import LOGIC, result, rule

REDUCTIONS = {
    "reduce_sum": ("add", 0),
    "reduce_prod": ("mul", 1),
    "reduce_max": ("max", -np.inf),
    "reduce_min": ("min", np.inf),
    "reduce_and": ("and", True),
    "reduce_or": ("or", False),
}


def _accumulate(
    lowering: Lowering,
    shape: tuple[int, ...],
    extent: tuple[int, ...],
    start: ir.Number,
    combine: Callable[[ir.Expression, Indices, Indices], ir.Expression],
) -> Value:
    """For each index into ``shape``, folds ``combine`` over the indices into ``extent``."""

    def fold(outer: Indices) -> ir.Local:
        total = ir.Local(lowering.fresh("sum"), start.dtype)
        lowering.emit(ir.Let(total.name, start, mutable=True))
        if 0 not in extent:
            with lowering.loops(extent) as inner:
                lowering.emit(ir.Assign(total.name, combine(total, outer, inner)))
        return total

    if shape == ():
        return scalar(fold(()))
    target = lowering.buffer(shape, start.dtype)
    if 0 not in shape:
        with lowering.loops(shape) as outer:
            lowering.emit(ir.Store(target, ir.flat(outer, shape), fold(outer)))
    return stored(target, shape)


@rule(*REDUCTIONS)
def _reduce(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x = values[0]
    operation, start = REDUCTIONS[equation.primitive.name]
    axes = equation.params["axes"]
    if operation in LOGIC and dtype != "bool":
        raise lowering.unsupported(equation, f"bitwise, of {dtype}")
    if dtype == "bool":
        start = start > 0
    elif dtype.startswith("int") and not np.isfinite(start):
        start = np.iinfo(dtype).min if start < 0 else np.iinfo(dtype).max

    def combine(total: ir.Expression, outer: Indices, inner: Indices) -> ir.Expression:
        kept, reduced = iter(outer), iter(inner)
        indices = tuple(next(reduced if axis in axes else kept) for axis in range(len(x.shape)))
        return ir.Apply(operation, (total, x.at(indices)), dtype)

    extent = tuple(x.shape[axis] for axis in sorted(axes))
    return [_accumulate(lowering, shape, extent, ir.Number(start, dtype), combine)]


@rule("dot_general")
def _dot(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    if dtype == "bool":
        raise lowering.unsupported(equation, "of booleans")
    a, b = (lowering.keep(value) for value in values)
    (a_sum, b_sum), (a_batch, b_batch) = equation.params["dimension_numbers"]
    a_free = [i for i in range(len(a.shape)) if i not in (*a_sum, *a_batch)]
    b_free = [i for i in range(len(b.shape)) if i not in (*b_sum, *b_batch)]

    def operand(value: Value, axes: Sequence[int], indices: Indices) -> ir.Expression:
        return value.at(tuple(indices[list(axes).index(axis)] for axis in range(len(value.shape))))

    def combine(total: ir.Expression, outer: Indices, inner: Indices) -> ir.Expression:
        batch, rest = outer[: len(a_batch)], outer[len(a_batch) :]
        left = operand(a, (*a_batch, *a_free, *a_sum), (*batch, *rest[: len(a_free)], *inner))
        right = operand(b, (*b_batch, *b_free, *b_sum), (*batch, *rest[len(a_free) :], *inner))
        return ir.Apply("add", (total, ir.Apply("mul", (left, right), dtype)), dtype)

    extent = tuple(a.shape[axis] for axis in a_sum)
    return [_accumulate(lowering, shape, extent, ir.Number(0, dtype), combine)]
