"""Arrays during lowering: functions from indices to a scalar expression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorax.compiler import ir

Indices = tuple[ir.Expression, ...]


@dataclass(frozen=True)
class Value:
    """An array as a function of its indices.

    Attributes:
      shape, dtype: of the array. The dtype ``"key"`` is a random key: its scalar expression
        is ``Apply("key", (high, low), "key")``, two words of uint32.
      at: the scalar expression at some indices.
      cheap: whether reading costs no more than a load.
      buffer: the one that holds the array and nothing else, in row-major order, if one does.
      depth: how many equations deep its expression is.
    """

    shape: tuple[int, ...]
    dtype: str
    at: Callable[[Indices], ir.Expression]
    cheap: bool = False
    buffer: ir.Buffer | None = None
    depth: int = 0


def scalar(expression: ir.Expression, shape: tuple[int, ...] = ()) -> Value:
    """Return a value of one element that is cheap to read."""
    return Value(shape, expression.dtype, lambda _: expression, cheap=True)


def stored(buffer: ir.Buffer, shape: tuple[int, ...], dtype: str | None = None) -> Value:
    """Return the whole of a buffer, as an array of ``shape``."""

    def at(indices: Indices) -> ir.Expression:
        position = ir.flat(indices, shape)
        if dtype != "key":
            return ir.Load(buffer, position, buffer.dtype)
        words = (ir.plus(ir.times(position, 2), ir.Number(number)) for number in (0, 1))
        return ir.Apply("key", tuple(ir.Load(buffer, i, "uint32") for i in words), "key")

    return Value(shape, dtype or buffer.dtype, at, cheap=True, buffer=buffer)
