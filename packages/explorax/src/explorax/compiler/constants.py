"""Constant arrays, as small as they can be written: a number, a formula of the indices, a table.

A formula gives every element bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorax.compiler import ir
from explorax.compiler.values import Indices, Value, stored

Formula = Callable[[Indices], ir.Expression]


def as_value(array: np.ndarray, table: Callable[[np.ndarray], ir.Buffer]) -> Value:
    """Return a constant array as a value; ``table`` makes the buffer of an array of numbers.

    Axes along which nothing changes are not stored, and what a formula of the indices gives
    bit for bit is not stored either.
    """
    shape, dtype = array.shape, array.dtype.name
    least = array
    for axis, length in enumerate(shape):
        first = least.take([0], axis=axis) if length else least
        if length > 1 and same(np.broadcast_to(first, least.shape), least):
            least = first
    kept = least.shape

    def narrow(indices: Indices) -> Indices:
        return tuple(
            ir.Number(0) if length == 1 else i for i, length in zip(indices, kept, strict=True)
        )

    if least.size == 1:
        number = ir.Number(least.reshape(()).item(), dtype)
        return Value(shape, dtype, lambda _: number, cheap=True)
    made = formula(least)
    if made is not None:
        return Value(shape, dtype, lambda indices: made(narrow(indices)), cheap=True)
    whole = stored(table(least), kept)
    if kept == shape:
        return whole
    return Value(shape, dtype, lambda indices: whole.at(narrow(indices)), cheap=True)


def formula(array: np.ndarray) -> Formula | None:
    """Find a formula that gives every element of a constant array exactly."""
    if array.dtype.name not in ("float64", "float32", "int64", "int32", "bool") or array.size < 3:
        return None
    return _progression(array) or _linspace(array) or _two_values(array)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Tell whether two arrays hold the same bits."""
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def _progression(array: np.ndarray) -> Formula | None:
    """Find a start and equal steps, counting in row-major order."""
    dtype, flat = array.dtype.name, array.reshape(-1)
    if dtype == "bool":
        return None
    with np.errstate(all="ignore"):
        start, step = flat[0].item(), (flat[1] - flat[0]).item()
        if not np.isfinite([start, step]).all():
            return None
        if not same((np.arange(flat.size).astype(dtype) * step + start).astype(dtype), flat):
            return None
    if dtype.startswith("int"):

        def whole(indices: Indices) -> ir.Expression:
            position = ir.flat(indices, array.shape)
            value = ir.plus(ir.times(position, step), ir.Number(start))
            return value if dtype == "int64" else ir.Apply("number", (value,), dtype)

        return whole

    def real(indices: Indices) -> ir.Expression:
        at: ir.Expression = ir.Apply("number", (ir.flat(indices, array.shape),), dtype)
        if step != 1:
            at = ir.Apply("mul", (at, ir.Number(step, dtype)), dtype)
        return ir.Apply("add", (at, ir.Number(start, dtype)), dtype) if start else at

    return real


def _linspace(array: np.ndarray) -> Formula | None:
    """Find first (1 - i / n) + last (i / n), or (last / n) i: as ``jnp.linspace`` computes."""
    if array.dtype.name != "float64":
        return None
    flat = array.reshape(-1)
    first, last, n = flat[0].item(), flat[-1].item(), flat.size - 1
    with np.errstate(all="ignore"):
        whole = np.arange(n + 1)
        left, right = first * (1.0 - whole / n), last / n
        by_share = same(left + last * (whole / n), flat)
        if not by_share and not same(left + right * whole, flat):  # from JAX 0.11 on
            return None

    def number(value: float) -> ir.Number:
        return ir.Number(value, "float64")

    def at(indices: Indices) -> ir.Expression:
        position = ir.Apply("number", (ir.flat(indices, array.shape),), "float64")
        share = ir.Apply("div", (position, number(n)), "float64")
        rest = ir.Apply("sub", (number(1.0), share), "float64")
        factors = (number(last), share) if by_share else (number(right), position)
        from_first = ir.Apply("mul", (number(first), rest), "float64")
        from_last = ir.Apply("mul", factors, "float64")
        return ir.Apply("add", (from_first, from_last), "float64")

    return at


def _two_values(array: np.ndarray) -> Formula | None:
    """Find one value from an index or a diagonal on, or there alone, and another elsewhere."""
    axes = [axis for axis, length in enumerate(array.shape) if length > 1]
    if len(axes) > 2:
        return None
    places = np.indices(array.shape)
    along = places[axes[0]] - (places[axes[1]] if len(axes) == 2 else 0)
    for start in dict.fromkeys((along.max(), along.min(), _first_change(array, along))):
        for test, mask in (("ge", along >= start), ("eq", along == start)):
            if not 0 < mask.sum() < mask.size:
                continue
            yes, no = array[mask][0], array[~mask][0]
            if same(np.where(mask, yes, no), array):
                return _chosen(array, axes, test, int(start), yes.item(), no.item())
    return None


def _first_change(array: np.ndarray, along: np.ndarray) -> int:
    """Find the least place at which an array is not what it is at the very least."""
    least = array[along == along.min()][0]
    changed = along[array != least]
    return int(changed.min()) if changed.size else int(along.min())


def _chosen(
    array: np.ndarray, axes: list[int], test: str, start: int, yes: float, no: float
) -> Formula:
    dtype = array.dtype.name

    def at(indices: Indices) -> ir.Expression:
        bound: ir.Expression = ir.Number(start)
        if len(axes) == 2:
            bound = ir.plus(indices[axes[1]], ir.Number(start))
        condition = ir.Apply(test, (indices[axes[0]], bound), "bool")
        if dtype == "bool":
            return condition if yes else ir.Apply("not", (condition,), "bool")
        return ir.Apply("select", (condition, ir.Number(yes, dtype), ir.Number(no, dtype)), dtype)

    return at
