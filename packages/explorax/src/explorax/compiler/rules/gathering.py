"""Gathers and scatters: elements read and written where other arrays say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jax.lax import GatherScatterMode

from explorax.compiler import ir
from explorax.compiler.graph import Atom, Constant, Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.indexing import clipped
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value, scalar, stored

SCATTERS = {
    "scatter": "",
    "scatter-add": "add",
    "scatter-sub": "sub",
    "scatter-mul": "mul",
    "scatter-min": "min",
    "scatter-max": "max",
}
CLIP, FILL = GatherScatterMode.CLIP, GatherScatterMode.FILL_OR_DROP
PROMISE = GatherScatterMode.PROMISE_IN_BOUNDS


@dataclass(frozen=True)
class Windows:
    """Windows of an array, at computed starts.

    Attributes:
      shape: of the array.
      moved: for each axis that windows move along, their starts, and the last start at which
        a window is still inside the array. The starts are arrays of one shape, a window each.
      inner: the axes of the result (of a gather) or the updates (of a scatter) that run
        inside a window, in order; the others number the windows.
      dropped: axes of the array without one in ``inner``: 1 wide in a window.
      batch: axes of the array that go with an axis of the starts.
    """

    shape: tuple[int, ...]
    moved: dict[int, tuple[Value, int]]
    inner: tuple[int, ...]
    dropped: tuple[int, ...]
    batch: dict[int, int]

    def number(self, at: Indices) -> Indices:
        """Return the number of the window that the indices are in."""
        return tuple(i for axis, i in enumerate(at) if axis not in self.inner)

    def position(self, at: Indices) -> Indices:
        """Return the position in the array that the indices mean."""
        number = self.number(at)
        inside = iter([at[axis] for axis in self.inner])
        position = []
        for axis in range(len(self.shape)):
            place: ir.Expression = ir.Number(0)
            if axis in self.batch:
                place = number[self.batch[axis]]
            elif axis not in self.dropped:
                place = next(inside)
            if axis in self.moved:
                place = ir.plus(self.moved[axis][0].at(number), place)
            position.append(place)
        return tuple(position)

    def fits(self, at: Indices) -> ir.Expression:
        """Test whether the window that the indices are in lies inside the array."""
        number = self.number(at)
        every: ir.Expression = ir.Number(True, "bool")
        for starts, last in self.moved.values():
            start = starts.at(number)
            for operation, bound in (("ge", 0), ("le", last)):
                limit = ir.Number(bound, start.dtype)
                test = ir.Apply(operation, (start, limit), "bool")
                first = isinstance(every, ir.Number)
                every = test if first else ir.Apply("and", (every, test), "bool")
        return every


def _inside(atom: Atom, lasts: Sequence[int]) -> bool:
    """Tell whether starts are constants with which all windows lie inside the array."""
    if not isinstance(atom, Constant):
        return False
    starts = np.asarray(atom.value)
    return bool(np.all((starts >= 0) & (starts <= np.asarray(lasts))))


def _moved(
    lowering: Lowering, equation: Equation, starts: Value, axes: Sequence[int], lasts: list[int]
) -> tuple[dict[int, tuple[Value, int]], bool]:
    """Make ``Windows.moved`` of vectors of starts, and tell whether a window may lie outside."""
    mode = equation.params["mode"]
    if mode not in (CLIP, FILL, PROMISE):
        raise lowering.unsupported(equation, f"in mode {mode}")
    if starts.dtype == "uint64":
        raise lowering.unsupported(equation, "with indices of uint64")
    outside = not _inside(equation.invars[1], lasts)
    if outside and not starts.cheap:
        starts = lowering.materialize(starts)

    def component(k: int) -> Value:
        return reindexed(starts.shape[:-1], starts, lambda indices: (*indices, ir.Number(k)))

    moved = {axis: (component(k), lasts[k]) for k, axis in enumerate(axes)}
    return moved, outside


def _clip(lowering: Lowering, windows: Windows, *, once: bool) -> Windows:
    """Move windows inside the array; what is read more than once is computed here."""
    moved = {}
    for axis, (starts, last) in windows.moved.items():
        start = clipped(starts, last)
        moved[axis] = (start if once else lowering.keep(start), last)
    return Windows(windows.shape, moved, windows.inner, windows.dropped, windows.batch)


@rule("gather")
def _gather(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x = lowering.keep(values[0])
    dims, sizes = equation.params["dimension_numbers"], equation.params["slice_sizes"]
    lasts = [x.shape[axis] - sizes[axis] for axis in dims.start_index_map]
    moved, outside = _moved(lowering, equation, values[1], dims.start_index_map, lasts)
    windows = Windows(
        x.shape,
        moved,
        dims.offset_dims,
        (*dims.collapsed_slice_dims, *dims.operand_batching_dims),
        dict(zip(dims.operand_batching_dims, dims.start_indices_batching_dims, strict=True)),
    )
    if not outside or not moved:
        return [reindexed(shape, x, windows.position)]
    if equation.params["mode"] != FILL:
        # an index that breaks the promise to be in bounds is clipped by XLA, too
        windows = _clip(lowering, windows, once=int(np.prod(sizes)) == 1)
        return [reindexed(shape, x, windows.position)]
    fill = ir.Number(equation.params["fill_value"], dtype)

    def at(indices: Indices) -> ir.Expression:
        inside = x.at(windows.position(indices))
        return ir.Apply("select", (windows.fits(indices), inside, fill), dtype)

    return [Value(shape, dtype, at)]


@rule(*SCATTERS)
def _scatter(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    x, starts, updates = values
    dims = equation.params["dimension_numbers"]
    inner, axes = dims.update_window_dims, dims.scatter_dims_to_operand_dims
    dropped = (*dims.inserted_window_dims, *dims.operand_batching_dims)
    sizes = iter([updates.shape[axis] for axis in inner])
    size = [1 if axis in dropped else next(sizes) for axis in range(len(shape))]
    lasts = [shape[axis] - size[axis] for axis in axes]
    moved, outside = _moved(lowering, equation, starts, axes, lasts)
    batch = dict(zip(dims.operand_batching_dims, dims.scatter_indices_batching_dims, strict=True))
    several = [n for axis, n in enumerate(starts.shape[:-1]) if axis not in batch.values()]
    if not axes and np.prod(several, dtype=int) > 1:  # XLA then writes one of them
        raise lowering.unsupported(equation, "of several updates without indices")
    windows = Windows(shape, moved, inner, dropped, batch)
    drops = outside and bool(moved) and equation.params["mode"] != CLIP
    if outside and not drops:
        windows = _clip(lowering, windows, once=int(np.prod(size)) == 1)
    target = lowering.buffer(shape, dtype)
    lowering.fill(target, x)
    if 0 in updates.shape or 0 in shape:
        return [stored(target, shape, dtype)]
    # window after window, as XLA does: the last of two that overlap is what stays
    order = [axis for axis in range(len(updates.shape)) if axis not in inner] + list(inner)
    with lowering.loops([updates.shape[axis] for axis in order]) as loops:
        at = tuple(loops[order.index(axis)] for axis in range(len(order)))
        block: list[ir.Statement] = []
        with lowering.inside(block):
            position = ir.flat(windows.position(at), shape)
            old = ir.Load(target, position, dtype)
            lowering.store(target, position, _combined(lowering, equation, old, updates.at(at)))
        if drops:
            block = [ir.If(windows.fits(at), block)]
        for statement in block:
            lowering.emit(statement)
    return [stored(target, shape, dtype)]


def _combined(
    lowering: Lowering, equation: Equation, old: ir.Load, update: ir.Expression
) -> ir.Expression:
    """Return what a scatter writes where ``old`` was."""
    operation = SCATTERS[equation.primitive.name]
    if operation:
        return ir.Apply(operation, (old, update), old.dtype)
    body = equation.params["update_jaxpr"]
    return lowering.run(body, [scalar(old), scalar(update)])[0].at(()) if body else update
