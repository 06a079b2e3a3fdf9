"""Changes of index, which cost nothing; and slices that begin where other values say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value, stored


@rule("iota")
def _iota(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    axis = equation.params["dimension"]
    return [
        Value(shape, dtype, lambda indices: ir.Apply("number", (indices[axis],), dtype), cheap=True)
    ]


@rule("broadcast_in_dim")
def _broadcast(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    x = values[0]
    axes = equation.params["broadcast_dimensions"]
    if int(np.prod(shape, dtype=int)) > int(np.prod(x.shape, dtype=int)):
        x = lowering.keep(x)

    def index(indices: Indices) -> Indices:
        return tuple(
            ir.Number(0) if length == 1 else indices[axis]
            for length, axis in zip(x.shape, axes, strict=True)
        )

    return [reindexed(shape, x, index)]


@rule("reshape")
def _reshape(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    order = equation.params["dimensions"]
    x = values[0] if order is None else _permuted(values[0], order)
    if without_ones(shape) == without_ones(x.shape):
        return [_squeezed(x, shape)]
    return [stored(x.buffer or lowering.copy(x), shape, x.dtype)]


@rule("squeeze")
def _squeeze(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return [_squeezed(values[0], result(equation)[0])]


def without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape without its axes of length 1."""
    return tuple(n for n in shape if n != 1)


def _squeezed(x: Value, shape: tuple[int, ...]) -> Value:
    """Add axes of length 1, or take them away."""
    if x.buffer is not None:
        return stored(x.buffer, shape, x.dtype)
    kept = [axis for axis, n in enumerate(shape) if n != 1]

    def index(indices: Indices) -> Indices:
        position = iter(kept)
        return tuple(ir.Number(0) if n == 1 else indices[next(position)] for n in x.shape)

    return reindexed(shape, x, index)


def _permuted(x: Value, permutation: Sequence[int]) -> Value:
    order = np.argsort(permutation)
    shape = tuple(x.shape[axis] for axis in permutation)
    return reindexed(shape, x, lambda indices: tuple(indices[axis] for axis in order))


@rule("transpose")
def _transpose(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return [_permuted(values[0], equation.params["permutation"])]


@rule("rev")
def _reverse(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    flipped = equation.params["dimensions"]

    def index(indices: Indices) -> Indices:
        return tuple(
            ir.plus(ir.times(i, -1), ir.Number(n - 1)) if axis in flipped else i
            for axis, (i, n) in enumerate(zip(indices, shape, strict=True))
        )

    return [reindexed(shape, values[0], index)]


def window(
    x: Value, starts: Sequence[int], strides: Sequence[int], shape: tuple[int, ...]
) -> Value:
    """Return the part of ``x`` that begins at ``starts`` and goes on in ``strides``."""

    def index(indices: Indices) -> Indices:
        return tuple(
            ir.plus(ir.times(i, stride), ir.Number(start))
            for i, start, stride in zip(indices, starts, strides, strict=True)
        )

    return reindexed(shape, x, index)


@rule("slice")
def _slice(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    strides = equation.params["strides"] or (1,) * len(shape)
    return [window(values[0], equation.params["start_indices"], strides, shape)]


@rule("split")
def _split(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    x = lowering.keep(values[0])
    axis = equation.params["axis"]
    starts = [0] * len(x.shape)
    parts = []
    for number, size in enumerate(equation.params["sizes"]):
        parts.append(window(x, tuple(starts), (1,) * len(starts), result(equation, number)[0]))
        starts[axis] += size
    return parts


@rule("unstack")
def _unstack(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    x, axis = lowering.keep(values[0]), equation.params["axis"]

    def layer(number: int) -> Value:
        at = ir.Number(number)
        return reindexed(
            result(equation, number)[0],
            x,
            lambda indices: (*indices[:axis], at, *indices[axis:]),
        )

    return [layer(number) for number in range(len(equation.outvars))]


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
