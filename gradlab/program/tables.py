"""Constant arrays, as small as they can be written: a number, a formula of the indices, a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradlab.program import ir
from gradlab.program.values import Indices, Value, stored


def value(array: np.ndarray, table: Callable[[np.ndarray], ir.Buffer]) -> Value:
    """A constant array as a value; ``table`` makes the buffer of an array of numbers.

    Axes along which nothing changes are not stored, and what a formula of the indices gives
    bit for bit is not stored either.
    """
    shape, dtype = array.shape, array.dtype.name
    least = array
    for axis, length in enumerate(shape):
        first = least.take([0], axis=axis) if length else least
        if length > 1 and _same(np.broadcast_to(first, least.shape), least):
            least = first
    kept = least.shape

    def narrow(indices: Indices) -> Indices:
        return tuple(
            ir.Number(0) if length == 1 else i for i, length in zip(indices, kept, strict=True)
        )

    if least.size == 1:
        number = ir.Number(least.reshape(()).item(), dtype)
        return Value(shape, dtype, lambda _: number, cheap=True)
    line = _line(least)
    if line is not None:
        start, step = line

        def along(indices: Indices) -> ir.Expression:
            index = ir.flat(narrow(indices), kept)
            if dtype.startswith("int"):
                whole = ir.plus(ir.times(index, int(step)), ir.Number(int(start)))
                return ir.Apply("number", (whole,), dtype) if dtype != "int64" else whole
            at: ir.Expression = ir.Apply("number", (index,), dtype)
            if step != 1:
                at = ir.Apply("mul", (at, ir.Number(step, dtype)), dtype)
            return ir.Apply("add", (at, ir.Number(start, dtype)), dtype) if start else at

        return Value(shape, dtype, along, cheap=True)
    whole = stored(table(least), kept)
    if kept == shape:
        return whole
    return Value(shape, dtype, lambda indices: whole.at(narrow(indices)), cheap=True)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def _line(array: np.ndarray) -> tuple[float, float] | None:
    """Start and step of an array that grows evenly in row-major order, exactly."""
    if array.dtype.name not in ("float64", "float32", "int64", "int32") or array.size < 3:
        return None
    flat = array.reshape(-1)
    start, step = flat[0], flat[1] - flat[0]
    if not np.isfinite(start) or not np.isfinite(step):
        return None
    line = np.arange(flat.size).astype(array.dtype) * step + start
    return (start.item(), step.item()) if _same(line, flat) else None
