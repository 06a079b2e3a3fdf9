"""Constant arrays, as small as they can be written: a number, a formula of the indices, a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradlab.program import ir
from gradlab.program.values import Indices, Value, stored

Formula = Callable[[ir.Expression], ir.Expression]


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
    formula = _line(least) or _between(least)
    if formula is not None:
        made = formula
        return Value(shape, dtype, lambda indices: made(ir.flat(narrow(indices), kept)), cheap=True)
    whole = stored(table(least), kept)
    if kept == shape:
        return whole
    return Value(shape, dtype, lambda indices: whole.at(narrow(indices)), cheap=True)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def _grows(array: np.ndarray) -> bool:
    return array.dtype.name in ("float64", "float32", "int64", "int32") and array.size >= 3


def _line(array: np.ndarray) -> Formula | None:
    """Start + step i, of an array that is that exactly, i counting in row-major order."""
    if not _grows(array):
        return None
    dtype, flat = array.dtype.name, array.reshape(-1)
    start, step = flat[0].item(), (flat[1] - flat[0]).item()
    if not np.isfinite([start, step]).all():
        return None
    if not _same((np.arange(flat.size).astype(dtype) * step + start).astype(dtype), flat):
        return None
    if dtype.startswith("int"):

        def whole(i: ir.Expression) -> ir.Expression:
            index = ir.plus(ir.times(i, step), ir.Number(start))
            return index if dtype == "int64" else ir.Apply("number", (index,), dtype)

        return whole

    def real(i: ir.Expression) -> ir.Expression:
        at: ir.Expression = ir.Apply("number", (i,), dtype)
        if step != 1:
            at = ir.Apply("mul", (at, ir.Number(step, dtype)), dtype)
        return ir.Apply("add", (at, ir.Number(start, dtype)), dtype) if start else at

    return real


def _between(array: np.ndarray) -> Formula | None:
    """First (1 - i / n) + last (i / n), which is how ``jnp.linspace`` computes."""
    if not _grows(array) or array.dtype.name != "float64":
        return None
    flat = array.reshape(-1)
    first, last, n = flat[0].item(), flat[-1].item(), flat.size - 1
    part = np.arange(n + 1) / n
    with np.errstate(all="ignore"):
        line = first * (1.0 - part) + last * part
    if not _same(line, flat):
        return None

    def number(value: float) -> ir.Number:
        return ir.Number(value, "float64")

    def at(i: ir.Expression) -> ir.Expression:
        share = ir.Apply("div", (ir.Apply("number", (i,), "float64"), number(n)), "float64")
        rest = ir.Apply("sub", (number(1.0), share), "float64")
        left = ir.Apply("mul", (number(first), rest), "float64")
        right = ir.Apply("mul", (number(last), share), "float64")
        return ir.Apply("add", (left, right), "float64")

    return at
