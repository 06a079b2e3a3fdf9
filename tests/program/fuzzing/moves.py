"""Primitives that only move data, in NumPy.

JAX compiles a primitive for each shape that it meets, which takes longer than all the rest of an
example. ``test_fuzz.py`` shows that what is here gives bit for bit what JAX gives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn
from jax.lax import GatherScatterMode

Move = Callable[..., Any]
MOVES: dict[str, Move] = {}


def move(*names: str) -> Callable[[Move], Move]:
    """Registers ``function(equation, *operands)`` under the primitives' names."""

    def register(function: Move) -> Move:
        MOVES.update(dict.fromkeys(names, function))
        return function

    return register


@move("copy", "copy_p", "stop_gradient", "optimization_barrier")
def _identity(equation: JaxprEqn, *operands: np.ndarray) -> Any:
    return list(operands) if len(equation.outvars) > 1 else operands[0]


@move("reshape", "squeeze", "expand_dims")
def _reshape(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    assert equation.params.get("sizes") is None or equation.primitive.name == "reshape"
    if equation.primitive.name == "reshape" and equation.params.get("dimensions") is not None:
        x = x.transpose(equation.params["dimensions"])
    return x.reshape(equation.outvars[0].aval.shape)


@move("broadcast_in_dim")
def _broadcast(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    shape = equation.params["shape"]
    spread = [1] * len(shape)
    for axis, length in zip(equation.params["broadcast_dimensions"], x.shape, strict=True):
        spread[axis] = length
    return np.broadcast_to(x.reshape(spread), shape)


@move("transpose")
def _transpose(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return x.transpose(equation.params["permutation"])


@move("rev")
def _reverse(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return np.flip(x, equation.params["dimensions"])


@move("slice")
def _slice(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    params = equation.params
    strides = params["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, params["start_indices"], params["limit_indices"], strides))]


@move("split")
def _split(equation: JaxprEqn, x: np.ndarray) -> list[np.ndarray]:
    ends = np.cumsum(equation.params["sizes"])[:-1]
    return np.split(x, ends, equation.params["axis"])


@move("concatenate")
def _concatenate(equation: JaxprEqn, *parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts, equation.params["dimension"])


@move("stack")
def _stack(equation: JaxprEqn, *parts: np.ndarray) -> np.ndarray:
    return np.stack(parts, equation.params["axis"])


@move("tile")
def _tile(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return np.tile(x, equation.params["reps"])


@move("iota")
def _iota(equation: JaxprEqn) -> np.ndarray:
    params = equation.params
    shape, axis = params["shape"], params["dimension"]
    line = np.arange(shape[axis], dtype=params["dtype"])
    return np.broadcast_to(line.reshape([-1 if i == axis else 1 for i in range(len(shape))]), shape)


@move("pad")
def _pad(equation: JaxprEqn, x: np.ndarray, value: np.ndarray) -> np.ndarray:
    shape = equation.outvars[0].aval.shape
    padded = np.full(shape, value, x.dtype)
    source, target = [], []
    for length, size, (low, _, interior) in zip(
        x.shape, shape, equation.params["padding_config"], strict=True
    ):
        places = low + (interior + 1) * np.arange(length)
        kept = (places >= 0) & (places < size)
        source.append(np.flatnonzero(kept))
        target.append(places[kept])
    padded[np.ix_(*target)] = x[np.ix_(*source)]
    return padded


@move("select_n")
def _select(equation: JaxprEqn, which: np.ndarray, *cases: np.ndarray) -> np.ndarray:
    chosen = np.array(cases[0])
    for number, case in enumerate(cases[1:], 1):
        np.copyto(chosen, case, where=which.astype(np.int64) == number)
    return chosen


def _clipped(starts: tuple[Any, ...], shape: tuple[int, ...], sizes: tuple[int, ...]) -> tuple:
    return tuple(
        slice(begin := min(max(int(start), 0), length - size), begin + size)
        for start, length, size in zip(starts, shape, sizes, strict=True)
    )


@move("dynamic_slice")
def _dynamic_slice(equation: JaxprEqn, x: np.ndarray, *starts: Any) -> np.ndarray:
    return x[_clipped(starts, x.shape, equation.params["slice_sizes"])]


@move("dynamic_update_slice")
def _dynamic_update_slice(
    equation: JaxprEqn, x: np.ndarray, update: np.ndarray, *starts: Any
) -> np.ndarray:
    changed = np.array(x)
    changed[_clipped(starts, x.shape, update.shape)] = update
    return changed


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
            yield place, _clipped(tuple(starts), x.shape, sizes)
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
