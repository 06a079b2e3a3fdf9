"""Gathers and scatters, in NumPy; with these the table ``MOVES`` is whole."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

from tests.program.fuzzing.moves import MOVES as MOVES
from tests.program.fuzzing.moves import clipped, move


def _fill_value(dtype: np.dtype) -> Any:
    if dtype.kind == "f":
        return np.nan
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max


def _windows(
    x: np.ndarray,
    indices: np.ndarray,
    sizes: tuple[int, ...],
    index_map: tuple[int, ...],
    batching: tuple[tuple[int, ...], tuple[int, ...]],
    clip: bool,
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...] | None]]:
    """For each index vector its place in the batch, and its window of ``x``: none where outside."""
    for place in itertools.product(*map(range, indices.shape[:-1])):
        starts = [0] * x.ndim
        for axis, index in zip(index_map, indices[place], strict=True):
            starts[axis] = int(index)
        for axis, batch_axis in zip(*batching, strict=True):
            starts[axis] = place[batch_axis]
        if any(length < size for length, size in zip(x.shape, sizes, strict=True)):
            yield place, None
            continue
        if clip:
            yield place, clipped(tuple(starts), x.shape, sizes)
            continue
        inside = all(
            0 <= start <= length - size
            for start, length, size in zip(starts, x.shape, sizes, strict=True)
        )
        yield (
            place,
            tuple(slice(a, a + n) for a, n in zip(starts, sizes, strict=True)) if inside else None,
        )


@move("gather")
def _gather(equation: JaxprEqn, x: np.ndarray, indices: np.ndarray) -> np.ndarray:
    params = equation.params
    numbers = params["dimension_numbers"]
    shape = equation.outvars[0].aval.shape
    filled = params["mode"] == GatherScatterMode.FILL_OR_DROP
    fill = params.get("fill_value")
    gathered = np.full(shape, _fill_value(x.dtype) if fill is None else fill, x.dtype)
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    batch_axes = [axis for axis in range(len(shape)) if axis not in numbers.offset_dims]
    batching = (numbers.operand_batching_dims, numbers.start_indices_batching_dims)
    for place, window in _windows(
        x, indices, params["slice_sizes"], numbers.start_index_map, batching, not filled
    ):
        if window is not None:
            target: list[Any] = [slice(None)] * len(shape)
            for axis, position in zip(batch_axes, place, strict=True):
                target[axis] = position
            gathered[tuple(target)] = np.squeeze(x[window], gone)
    return gathered


def _least(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The less of two, -0 less than 0."""
    if old.dtype.kind != "f":
        return np.minimum(old, new)
    return np.where((old == new) & np.signbit(old), old, np.minimum(old, new))


def _greatest(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    if old.dtype.kind != "f":
        return np.maximum(old, new)
    return np.where((old == new) & np.signbit(old), new, np.maximum(old, new))


COMBINE: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "scatter": lambda old, new: new,
    "scatter-add": np.add,
    "scatter-sub": np.subtract,
    "scatter-mul": np.multiply,
    "scatter-min": _least,
    "scatter-max": _greatest,
}


@move(*COMBINE)
def _scatter(equation: JaxprEqn, x: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> Any:
    params = equation.params
    if equation.primitive.name == "scatter" and getattr(params["update_jaxpr"], "eqns", ()):
        return NotImplemented  # a function of the reader's own: ``x.at[i].apply(f)``
    numbers = params["dimension_numbers"]
    combine = COMBINE[equation.primitive.name]
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    window_axes = iter(numbers.update_window_dims)
    sizes = tuple(1 if axis in gone else updates.shape[next(window_axes)] for axis in range(x.ndim))
    batch_axes = [axis for axis in range(updates.ndim) if axis not in numbers.update_window_dims]
    batching = (numbers.operand_batching_dims, numbers.scatter_indices_batching_dims)
    clip = params["mode"] == GatherScatterMode.CLIP
    changed = np.array(x)
    for place, window in _windows(
        x, indices, sizes, numbers.scatter_dims_to_operand_dims, batching, clip
    ):
        if window is not None:
            source: list[Any] = [slice(None)] * updates.ndim
            for axis, position in zip(batch_axes, place, strict=True):
                source[axis] = position
            new = updates[tuple(source)].reshape(changed[window].shape)
            with np.errstate(all="ignore"):
                changed[window] = combine(changed[window], new)
    return changed
