"""Running sums, products and extremes along an axis."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.reductions import neutral
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Value, stored

CUMULATIVE = {
    "cumsum": "add",
    "cumprod": "mul",
    "cummax": "max",
    "cummin": "min",
    "cumlogsumexp": "logaddexp",
}


@rule(*CUMULATIVE)
def _cumulative(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    operation = CUMULATIVE[equation.primitive.name]
    axis = equation.params["axis"]
    start = neutral(operation, dtype)
    target = lowering.buffer(shape, dtype)
    others = (*shape[:axis], *shape[axis + 1 :])
    with lowering.loops(others) as outer:
        total = ir.Local(lowering.fresh("sum"), dtype)
        lowering.emit(ir.Let(total.name, start, mutable=True))
        with lowering.loop(shape[axis], reverse=equation.params["reverse"]) as i:
            at = (*outer[:axis], i, *outer[axis:])
            following = ir.Apply(operation, (total, values[0].at(at)), dtype)
            lowering.emit(ir.Assign(total.name, following))
            lowering.emit(ir.Store(target, ir.flat(at, shape), total))
    return [stored(target, shape)]
