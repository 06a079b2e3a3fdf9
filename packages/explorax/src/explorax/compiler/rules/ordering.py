"""Sorting, and the places of the greatest and least."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.reductions import for_each, neutral
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Indices, Value, stored


@rule("argmax", "argmin")
def _arg_extreme(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Find the place of the first extreme, or of the first NaN."""
    shape, dtype = result(equation)
    (x,) = values
    (axis,) = equation.params["axes"]
    greatest = equation.primitive.name == "argmax"
    start = neutral("max" if greatest else "min", x.dtype)
    beats, loses = ("gt", "le") if greatest else ("lt", "ge")

    def search(outer: Indices) -> ir.Expression:
        best = lowering.let("best", start, mutable=True)
        place = lowering.let("place", ir.Number(0, dtype), mutable=True)
        with lowering.loop(x.shape[axis]) as i:
            each = lowering.let("each", x.at(_along(axis, outer, i)))
            better = ir.Apply(beats, (each, best), "bool")
            if x.dtype.startswith("float"):  # NaN beats numbers, and nothing beats NaN
                no_worse = ir.Apply("not", (ir.Apply(loses, (each, best), "bool"),), "bool")
                a_number = ir.Apply("eq", (best, best), "bool")
                better = ir.Apply("and", (no_worse, a_number), "bool")
            taken: list[ir.Statement] = [
                ir.Assign(best.name, each),
                ir.Assign(place.name, ir.Apply("number", (i,), dtype)),
            ]
            lowering.emit(ir.If(better, taken))
        return place

    return [for_each(lowering, shape, dtype, search)]


@rule("sort")
def _sort(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Sort all operands by the first ``num_keys`` of them; always stable."""
    axis, keys = equation.params["dimension"], equation.params["num_keys"]
    shape, _ = result(equation)
    if shape[axis] < 2 or 0 in shape:
        return list(values)
    buffers = [value.buffer or lowering.copy(value) for value in values[:keys]]
    operands = [stored(buffer, shape) for buffer in buffers]
    operands += [lowering.keep(value) for value in values[keys:]]
    targets = [lowering.buffer(shape, value.dtype) for value in operands]
    order = lowering.buffer((shape[axis],), "int32")
    with lowering.loops((*shape[:axis], *shape[axis + 1 :])) as outer:
        _rank(lowering, "sort_order", order, shape, axis, outer, buffers)
        with lowering.loop(shape[axis]) as i:
            source = _along(axis, outer, ir.Load(order, i, "int64"))
            for target, operand in zip(targets, operands, strict=True):
                position = ir.flat(_along(axis, outer, i), shape)
                lowering.emit(ir.Store(target, position, operand.at(source)))
    return [stored(target, shape) for target in targets]


@rule("top_k")
def _top_k(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Find the greatest along an axis, and their places; NaN is greater than infinity."""
    (x,) = values
    axis = equation.params.get("axis", len(x.shape) - 1)  # JAX before 0.9 knows the last alone
    (shape, dtype), (_, index_dtype) = result(equation), result(equation, 1)
    target, places = lowering.buffer(shape, dtype), lowering.buffer(shape, index_dtype)
    buffer = x.buffer or lowering.copy(x)
    x = stored(buffer, x.shape)
    order = lowering.buffer((x.shape[axis],), "int32")
    with lowering.loops((*shape[:axis], *shape[axis + 1 :])) as outer:
        _rank(lowering, "top_order", order, x.shape, axis, outer, [buffer])
        with lowering.loop(shape[axis]) as i:
            place = ir.Load(order, i, "int64")
            position = ir.flat(_along(axis, outer, i), shape)
            lowering.emit(ir.Store(places, position, place))
            lowering.emit(ir.Store(target, position, x.at(_along(axis, outer, place))))
    return [stored(target, shape), stored(places, shape)]


def _rank(
    lowering: Lowering,
    helper: str,
    order: ir.Buffer,
    shape: tuple[int, ...],
    axis: int,
    outer: Indices,
    keys: Sequence[ir.Buffer],
) -> None:
    """Write to ``order`` how to go through an axis to find the keys in order."""
    base = ir.flat(_along(axis, outer, ir.Number(0)), shape)
    stride = ir.flat(tuple(ir.Number(int(each == axis)) for each in range(len(shape))), shape)
    lowering.emit(ir.Call(helper, (order, ir.Number(shape[axis]), base, stride, *keys), (order,)))


def _along(axis: int, outer: Indices, i: ir.Expression) -> Indices:
    return (*outer[:axis], i, *outer[axis:])
