"""Changes of index, which cost nothing, and arrays put together from parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradlab.program import ir
from gradlab.program.graph import Equation
from gradlab.program.lower import Indices, Lowering, Value, stored
from gradlab.program.rules.registry import reindexed, result, rule


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
    (x,) = values
    if equation.params.get("dimensions") is not None and equation.primitive.name == "reshape":
        raise lowering.unsupported(equation, "in another order than row-major")
    if [n for n in shape if n != 1] == [n for n in x.shape if n != 1]:
        kept = [axis for axis, n in enumerate(shape) if n != 1]

        def index(indices: Indices) -> Indices:
            position = iter(kept)
            return tuple(ir.Number(0) if n == 1 else indices[next(position)] for n in x.shape)

        return [reindexed(shape, x, index)]
    buffer = lowering.buffer(x.shape, x.dtype)
    lowering.fill(buffer, x)
    return [stored(buffer, shape)]


@rule("squeeze")
def _squeeze(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return list(_reshape(lowering, equation, values))


@rule("transpose")
def _transpose(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    order = np.argsort(equation.params["permutation"])
    return [reindexed(shape, values[0], lambda indices: tuple(indices[axis] for axis in order))]


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


def _window(
    x: Value, starts: Sequence[int], strides: Sequence[int], shape: tuple[int, ...]
) -> Value:
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
    return [_window(values[0], equation.params["start_indices"], strides, shape)]


@rule("split")
def _split(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    x = lowering.keep(values[0])
    axis = equation.params["axis"]
    starts = [0] * len(x.shape)
    parts = []
    for number, size in enumerate(equation.params["sizes"]):
        parts.append(_window(x, tuple(starts), (1,) * len(starts), result(equation, number)[0]))
        starts[axis] += size
    return parts


def _place(lowering: Lowering, target: ir.Buffer, part: Value, window: Value) -> None:
    """Writes ``part`` where ``window``, an array of positions in ``target``, says."""
    if 0 in part.shape:
        return
    with lowering.loops(part.shape) as indices:
        lowering.emit(ir.Store(target, window.at(indices), part.at(indices)))


def _positions(shape: tuple[int, ...]) -> Value:
    return Value(shape, "int64", lambda indices: ir.flat(indices, shape), cheap=True)


def _joined(
    lowering: Lowering, equation: Equation, parts: Sequence[Value], axis: int
) -> list[Value]:
    shape, dtype = result(equation)
    target = lowering.buffer(shape, dtype)
    starts = [0] * len(shape)
    for part in parts:
        window = _window(_positions(shape), tuple(starts), (1,) * len(shape), part.shape)
        _place(lowering, target, part, window)
        starts[axis] += part.shape[axis]
    return [stored(target, shape)]


@rule("concatenate")
def _concatenate(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    return _joined(lowering, equation, values, equation.params["dimension"])


@rule("stack")
def _stack(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    axis = equation.params["axis"]
    layers = []
    for value in values:
        shape = (*value.shape[:axis], 1, *value.shape[axis:])
        layers.append(reindexed(shape, value, lambda i: (*i[:axis], *i[axis + 1 :])))
    return _joined(lowering, equation, layers, axis)


@rule("pad")
def _pad(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x, padding = values[0], lowering.keep(values[1])
    config = equation.params["padding_config"]
    if any(low < 0 or high < 0 for low, high, _ in config):
        raise lowering.unsupported(equation, "negative padding")
    target = lowering.buffer(shape, dtype)
    lowering.fill(target, Value(shape, dtype, lambda _: padding.at(())))
    starts = [low for low, _, _ in config]
    strides = [interior + 1 for _, _, interior in config]
    _place(lowering, target, x, _window(_positions(shape), starts, strides, x.shape))
    return [stored(target, shape)]
