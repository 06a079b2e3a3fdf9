"""Constant arrays, as small as they can be written: a number, a formula of the indices, a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorax.compiler import ir
from explorax.compiler.formulas import formula, same
from explorax.compiler.values import Indices, Value, stored


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
