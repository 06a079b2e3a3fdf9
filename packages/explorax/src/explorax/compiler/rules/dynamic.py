"""Slices that begin where other values say."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value, stored


def clipped(start: Value, last: int) -> Value:
    """Move starts to 0..last, as XLA moves the starts of slices."""

    def at(indices: Indices) -> ir.Expression:
        each = start.at(indices)
        if last == 0:
            return ir.Number(0)
        if isinstance(each, ir.Number):
            return ir.Number(min(max(int(each.value), 0), last))
        raised = ir.Apply("max", (each, ir.Number(0, each.dtype)), each.dtype)
        return ir.Apply("min", (raised, ir.Number(last, each.dtype)), each.dtype)

    return Value(start.shape, start.dtype, at, cheap=last == 0)


@rule("dynamic_slice")
def _dynamic_slice(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    x = lowering.keep(values[0])
    starts = _starts(lowering, x.shape, shape, values[1:])
    return [reindexed(shape, x, lambda indices: _shifted(indices, starts))]


@rule("dynamic_update_slice")
def _dynamic_update_slice(
    lowering: Lowering, equation: Equation, values: Sequence[Value]
) -> list[Value]:
    shape, dtype = result(equation)
    x, part = values[:2]
    starts = _starts(lowering, shape, part.shape, values[2:])
    target = lowering.buffer(shape, dtype)
    lowering.fill(target, x)
    with lowering.loops(part.shape) as indices:
        position = ir.flat(_shifted(indices, starts), shape)
        lowering.store(target, position, part.at(indices))
    return [stored(target, shape, dtype)]


def _starts(
    lowering: Lowering, shape: tuple[int, ...], size: tuple[int, ...], starts: Sequence[Value]
) -> list[ir.Expression]:
    """Return the first index of a slice along each axis, moved so that the slice is inside."""
    found = []
    for n, width, start in zip(shape, size, starts, strict=True):
        known = isinstance(start.at(()), ir.Number)
        value = clipped(start, n - width)
        found.append((value if known else lowering.keep(value)).at(()))
    return found


def _shifted(indices: Indices, starts: Sequence[ir.Expression]) -> Indices:
    return tuple(ir.plus(start, i) for start, i in zip(starts, indices, strict=True))
