"""Arrays put together from parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.indexing import window
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Value, stored


def _place(
    lowering: Lowering,
    target: ir.Buffer,
    shape: tuple[int, ...],
    part: Value,
    starts: Sequence[int],
    strides: Sequence[int] | None = None,
) -> None:
    """Write ``part`` into an array of ``shape``, from ``starts`` on, in ``strides``."""
    positions = Value(shape, "int64", lambda indices: ir.flat(indices, shape), cheap=True)
    places = window(positions, starts, strides or (1,) * len(shape), part.shape)
    with lowering.loops(part.shape) as indices:
        lowering.store(target, places.at(indices), part.at(indices))


def _joined(
    lowering: Lowering, equation: Equation, parts: Sequence[Value], axis: int
) -> list[Value]:
    shape, dtype = result(equation)
    target = lowering.buffer(shape, dtype)
    starts = [0] * len(shape)
    for part in parts:
        _place(lowering, target, shape, part, starts)
        starts[axis] += part.shape[axis]
    return [stored(target, shape, dtype)]


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


@rule("tile")
def _tile(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x, copies = lowering.keep(values[0]), tuple(equation.params["reps"])
    target = lowering.buffer(shape, dtype)
    with lowering.loops(copies) as copy, lowering.loops(x.shape) as indices:
        starts = (ir.times(c, n) for c, n in zip(copy, x.shape, strict=True))
        places = tuple(ir.plus(s, i) for s, i in zip(starts, indices, strict=True))
        lowering.store(target, ir.flat(places, shape), x.at(indices))
    return [stored(target, shape, dtype)]


@rule("pad")
def _pad(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, _ = result(equation)
    return [padded(lowering, values[0], values[1], equation.params["padding_config"], shape)]


def padded(
    lowering: Lowering,
    x: Value,
    padding: Value,
    config: Sequence[tuple[int, int, int]],
    shape: tuple[int, ...],
) -> Value:
    """Pad ``x`` before, after and between its elements along each axis.

    Args:
      lowering: takes the statements.
      x: the array.
      padding: a value of shape ().
      config: how many before, after (elements are cut off where it is negative) and between.
      shape: of what comes out.
    """
    steps = [between + 1 for _, _, between in config]
    # the first element that is not cut off, and how many are left
    first = [-(min(low, 0) // step) for (low, _, _), step in zip(config, steps, strict=True)]
    starts = [
        low + begin * step for (low, _, _), begin, step in zip(config, first, steps, strict=True)
    ]
    left = tuple(
        max(0, min(n - begin, -((start - total) // step)))
        for n, begin, start, total, step in zip(x.shape, first, starts, shape, steps, strict=True)
    )
    target = lowering.buffer(shape, x.dtype)
    around = lowering.keep(padding)
    if np.prod(left, dtype=int) < np.prod(shape, dtype=int):
        lowering.fill(target, Value(shape, x.dtype, lambda _: around.at(())))
    part = window(x, first, (1,) * len(shape), left)
    _place(lowering, target, shape, part, starts, steps)
    return stored(target, shape, x.dtype)
